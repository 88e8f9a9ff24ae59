/** A page, as packages/web/manual.ts makes it. */
export type ManualPage = {
  title: string
  /** All below the title, made of our own Markdown when the screens are built. */
  html: string
  sections: { id: string; title: string }[]
}

const FOLDER = '../../../../../docs/manual'
const pages = import.meta.glob<ManualPage>('../../../../../docs/manual/*.md', { import: 'default' })

/** A page of the manual by the name of its file; null if there is none. */
export async function readPage(name: string): Promise<ManualPage | null> {
  const path = `${FOLDER}/${name}.md`
  return Object.hasOwn(pages, path) ? ((await pages[path]?.()) ?? null) : null
}
