/** The first texts of a list, and the number of the others: '#5, #6 and 3 more'. */
export function someOf(texts: readonly string[], most = 10): string {
  const more = texts.length > most ? ` and ${(texts.length - most).toLocaleString('en')} more` : ''
  return texts.slice(0, most).join(', ') + more
}

/** The first sentences of a list, and the number of the others: 'Item #5 is Sold. Item #6 is Sold. And 3 more.' */
export function someSentences(sentences: readonly string[], most = 10): string {
  const more = sentences.length > most ? ` And ${(sentences.length - most).toLocaleString('en')} more.` : ''
  return sentences.slice(0, most).join(' ') + more
}
