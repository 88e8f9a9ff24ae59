const two = (n: number) => String(n).padStart(2, '0')

/** Today in the browser's time zone, as yyyy-mm-dd. */
export function today(): string {
  const now = new Date()
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
