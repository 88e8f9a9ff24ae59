/** A page of the manual, as packages/web/manual.ts makes it. */
export type ManualPage = {
  title: string
  /** The HTML below the title, made of the project's own Markdown at the build. */
  html: string
  sections: { id: string; title: string }[]
}

const FOLDER = '../../../../../docs/manual'
const pages = import.meta.glob<ManualPage>('../../../../../docs/manual/*.md', { import: 'default' })

/** Loads a page of the manual by the name of its file; null if there is none. */
export async function readPage(name: string): Promise<ManualPage | null> {
  const path = `${FOLDER}/${name}.md`
  return Object.hasOwn(pages, path) ? ((await pages[path]?.()) ?? null) : null
}
