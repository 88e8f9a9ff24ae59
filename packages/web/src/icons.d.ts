// The code imports each icon from its own file: an import of the whole package would bring every icon into the
// development server and the build. These files come without types.
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { FC, SVGProps } from 'react'

  const Icon: FC<Omit<SVGProps<SVGSVGElement>, 'stroke'> & { size?: number | string; stroke?: number | string }>
  export default Icon
}
