/** The first and the last name in a typed name. The last word is the last name. */
export function namesIn(typed: string) {
  const words = typed.split(/\s+/)
  return { first_name: words.slice(0, -1).join(' ') || typed, last_name: words.slice(1).at(-1) ?? '' }
}
