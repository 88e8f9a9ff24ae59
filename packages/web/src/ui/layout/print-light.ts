const SCHEME = 'data-mantine-color-scheme'

/** Prints the dark theme in the light one, because paper is white. */
export function printLight(): void {
  const root = document.documentElement
  let scheme: string | null = null
  addEventListener('beforeprint', () => {
    scheme = root.getAttribute(SCHEME)
    root.setAttribute(SCHEME, 'light')
  })
  addEventListener('afterprint', () => {
    if (scheme) root.setAttribute(SCHEME, scheme)
  })
}
