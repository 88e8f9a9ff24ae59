const SCHEME = 'data-mantine-color-scheme'

/** Paper is white: whoever works in the dark prints in the light. */
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
