/**
 * The first texts of a list, and the number of the others: '#5, #6 and 3 more'. `all` is the number of all texts, if
 * the list has only the first of them.
 */
export function someOf(texts: readonly string[], most = 10, all = texts.length): string {
  const named = texts.slice(0, most)
  const more = all > named.length ? ` and ${(all - named.length).toLocaleString('en')} more` : ''
  return named.join(', ') + more
}

/** Like `someOf`, but if all texts are named, the last one comes after 'and': 'A, B and C'. */
export function someAnd(texts: readonly string[], most: number): string {
  if (texts.length < 2 || texts.length > most) return someOf(texts, most)
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

/** The first sentences of a list, and the number of the others: 'Item #5 is Sold. Item #6 is Sold. And 3 more.' */
export function someSentences(sentences: readonly string[], most = 10): string {
  const more = sentences.length > most ? ` And ${(sentences.length - most).toLocaleString('en')} more.` : ''
  return sentences.slice(0, most).join(' ') + more
}
