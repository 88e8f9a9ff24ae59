const SCHEME = 'data-mantine-color-scheme'

/** While a page is printed, shows it in the light theme, because paper is white. */
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
