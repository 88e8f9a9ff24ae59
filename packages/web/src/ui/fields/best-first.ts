/** Without case, accents and the signs that part words: `Europe/Isle_of_Man` is `europe isle of man`. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * The ones that contain the text: first those that begin with it, then those with a word that does, then the others.
 * Equals keep their order.
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
