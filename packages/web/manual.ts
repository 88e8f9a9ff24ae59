import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Marked } from 'marked'
import type { Plugin } from 'vite'

export type Section = { id: string; title: string }

/** A page of the manual, made from its Markdown. */
export type ManualSource = {
  title: string
  /**
   * The HTML below the title. `PICTURE` + number + `PICTURE` stands for a picture's address; the number is its place in
   * `pictures`.
   */
  html: string
  sections: Section[]
  /** Paths of the pictures as the page writes them: relative to the page. */
  pictures: string[]
  links: string[]
  /** The words without tags; `lead` has those of the first paragraph. */
  text: string
  lead: string
}

const PICTURE = '\u0001'
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
/** The words of HTML from Markdown. A tag inside a word, such as one for bold letters, does not split the word. */
const wordsOf = (html: string) =>
  Object.entries(ENTITIES)
    .reduceRight(
      (text, [character, entity]) => text.replaceAll(entity, character),
      html.replace(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '),
    )
    .replace(/\s+/g, ' ')
    .trim()

/** The anchor of a heading: #undo-an-import for 'Undo an import'. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/**
 * Reads a page of the manual. HTML in the Markdown is shown as text. A link that leads neither to a page of the manual
 * nor to https becomes plain words. `attributesOf` returns further attributes of a picture's tag, such as its size, or
 * null if the picture is missing: then the page shows only its alternative text.
 */
export function readManualPage(
  markdown: string,
  attributesOf: (picture: string) => string | null = () => '',
): ManualSource {
  const page: ManualSource = { title: '', html: '', sections: [], pictures: [], links: [], text: '', lead: '' }
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens)
        const title = wordsOf(inner)
        if (depth === 1) {
          page.title = title
          return ''
        }
        if (depth === 2) page.sections.push({ id: anchorOf(title), title })
        return `<h${depth} id="${anchorOf(title)}">${inner}</h${depth}>\n`
      },
      paragraph({ tokens }) {
        const inner = this.parser.parseInline(tokens)
        page.lead ||= wordsOf(inner)
        return `<p>${inner}</p>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        page.links.push(href)
        const [, name, anchor] = /^(?:([a-z-]+)\.md)?(#[a-z0-9-]+)?$/.exec(href) ?? []
        if (name || anchor) return `<a href="${name ? `/admin/help/${name}` : ''}${anchor ?? ''}">${inner}</a>`
        return href.startsWith('https://') ? `<a href="${escaped(href)}" rel="noreferrer">${inner}</a>` : inner
      },
      image({ href, text }) {
        const attributes = attributesOf(href)
        if (attributes === null) return `<em>${escaped(text)}</em>`
        const number = page.pictures.push(href) - 1
        return `<img src="${PICTURE}${number}${PICTURE}" alt="${escaped(text)}" loading="lazy"${attributes}>`
      },
    },
  })
  page.html = marked.parse(markdown, { async: false })
  page.text = wordsOf(page.html)
  return page
}

/** The size of a picture as attributes of its tag. With them the text below does not move when the picture arrives. */
function sizeOf(png: string): string {
  const head = readFileSync(png).subarray(16, 24)
  return ` width="${head.readUInt32BE(0)}" height="${head.readUInt32BE(4)}"`
}

/**
 * A Vite plugin that makes modules of the manual's pages: `page.md` exports the HTML for the screen, `page.md?words`
 * the text for the search.
 */
export const manual: Plugin = {
  name: 'manual',
  enforce: 'pre',
  transform(markdown, id) {
    const [file = '', query] = id.split('?')
    if (!file.endsWith('.md')) return null
    const page = readManualPage(markdown, (picture) => {
      const png = path.resolve(path.dirname(file), picture)
      // The picture may be missing: `npm run screenshots` takes it, and needs the built screens first.
      return existsSync(png) ? sizeOf(png) : null
    })
    const { title, sections, text, lead } = page
    if (query === 'words')
      return {
        code: `export default ${JSON.stringify({ name: path.basename(file, '.md'), title, lead, text })}`,
        map: null,
      }
    const imports = page.pictures.map((picture, n) => `import picture${n} from ${JSON.stringify(`./${picture}`)}\n`)
    const html = page.html
      .split(PICTURE)
      .map((part, n) => (n % 2 ? `picture${part}` : JSON.stringify(part)))
      .join(' + ')
    return {
      code: `${imports.join('')}export default { title: ${JSON.stringify(title)}, sections: ${JSON.stringify(sections)}, html: ${html} }`,
      map: null,
    }
  },
}
