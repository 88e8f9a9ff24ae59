import { JOBS } from './jobs.ts'

/** The words of a page of the manual, for lists and for the search. */
export type PageWords = {
  name: string
  title: string
  /** The words of the first paragraph. */
  lead: string
  text: string
}

const all = Object.values(
  import.meta.glob<PageWords>('../../../../../docs/manual/*.md', { eager: true, query: '?words', import: 'default' }),
)
const listed = new Set<string>(JOBS.flatMap(({ pages }) => pages))
const pagesOf = (names: readonly string[]) => names.flatMap((name) => all.find((page) => page.name === name) ?? [])

export type Job = { title: string; pages: PageWords[] }

/** All pages, by job. Pages that JOBS does not name come last. */
export const MANUAL: Job[] = [
  ...JOBS.map(({ title, pages }) => ({ title, pages: pagesOf(pages) })),
  { title: 'More', pages: all.filter(({ name }) => !listed.has(name)) },
].filter(({ pages }) => pages.length > 0)
