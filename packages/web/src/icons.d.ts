// Deep imports keep every other icon out of the development server and the build; they come without types.
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { FC, SVGProps } from 'react'

  const Icon: FC<Omit<SVGProps<SVGSVGElement>, 'stroke'> & { size?: number | string; stroke?: number | string }>
  export default Icon
}
