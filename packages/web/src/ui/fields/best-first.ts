/** The text without capitals, accents and signs between words: `Europe/Isle_of_Man` becomes `europe isle of man`. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * The options that contain the text: first those that begin with it, then those with a word that begins with it, then
 * the others. Options of the same rank keep their order.
 */
export function bestFirst<Option>(options: readonly Option[], search: string, labelOf: (option: Option) => string) {
  const wanted = plain(search)
  const ranks: [Option[], Option[], Option[]] = [[], [], []]
  for (const option of options) {
    const label = plain(labelOf(option))
    if (!label.includes(wanted)) continue
    ranks[label.startsWith(wanted) ? 0 : label.includes(` ${wanted}`) ? 1 : 2].push(option)
  }
  return ranks.flat()
}
