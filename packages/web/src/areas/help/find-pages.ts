import type { PageWords } from './words.ts'

export type FoundPage = {
  name: string
  title: string
  /** The text around the first place that matches the search. */
  excerpt: string
}

const AROUND = 90

/**
 * The pages that contain every word of the search in their title or text; a part of a word is enough. Matches in titles
 * come first.
 */
export function findPages(pages: readonly PageWords[], search: string): FoundPage[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return pages
    .flatMap((page) => {
      const [title, text] = [page.title.toLowerCase(), page.text.toLowerCase()]
      if (!words.every((word) => title.includes(word) || text.includes(word))) return []
      return [{ page, inTitle: words.filter((word) => title.includes(word)).length }]
    })
    .sort((a, b) => b.inTitle - a.inTitle)
    .map(({ page }) => ({ name: page.name, title: page.title, excerpt: excerptOf(page, words) }))
}

function excerptOf({ lead, text }: PageWords, words: readonly string[]): string {
  const at = words.map((word) => text.toLowerCase().indexOf(word)).find((place) => place >= 0)
  if (at === undefined) return lead
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - AROUND)) + 1)
  const to = text.indexOf(' ', Math.min(text.length, at + AROUND))
  return `${from > 0 ? '… ' : ''}${to < 0 ? text.slice(from) : `${text.slice(from, to)} …`}`
}
