import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { manual } from './manual.ts'

const project = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'))

const api = process.env['BACKSTOCK_API'] ?? 'http://127.0.0.1:3000'

/**
 * Loads the font together with the scripts, so that it is there before the first word. Text drawn in another font first
 * would move.
 */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml(_, { bundle }) {
    if (!bundle) return []
    const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal-[^/]+\.woff2$/.test(file))
    if (!font) throw new Error('The font is not among the files that were built.')
    return [
      { tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` } },
    ]
  },
}

/** A pattern of the files of our own packages with these names, without their endings. Throws if a file is missing. */
function ours(...names: string[]): RegExp {
  const places = ['src', '../contract/src'].map((place) => path.join(import.meta.dirname, place))
  for (const name of names)
    if (
      !places.some((place) => existsSync(path.join(place, `${name}.ts`)) || existsSync(path.join(place, `${name}.tsx`)))
    )
      throw new Error(`There is no file ${name} for the code that shares a file.`)
  return new RegExp(`packages/(?:web|contract)/src/(?:${names.join('|')})\\.tsx?$`)
}

/**
 * Groups put the code that several screens share into few files. Without them every part that two screens share would
 * be a file of its own: 85 files for the stock list. A group takes the dependencies of its files with it, unless an
 * earlier group has them.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  // The libraries that every page needs. Their file stays in the browser's cache when only our code changes.
  { name: 'vendor', test: /node_modules.*js$/, tags: ['$initial'], priority: 5 },
  // The start of the application, which even the login needs.
  { name: 'base', test: ours('main', 'areas/auth/login-page', 'shell/error-page'), priority: 4 },
  // The frame of every screen, the first screen, and small parts that most other screens need or that read ahead of them.
  {
    name: 'first',
    test: ours(
      'shell/shell',
      'areas/stock/list-page',
      'areas/basket/basket-menu',
      'crud/list-page',
      'crud/list-read',
      'areas/sale/draft/items-source',
      'ui/fields/date-format',
      'sale-status',
      'payment-state',
    ),
    priority: 3,
  },
  { name: 'dialogs', test: ours('ui/feedback/dialogs'), priority: 2 },
  // Parts that at least two screens share, but not the large ones that few screens need: dates, uploads, number inputs,
  // prices of files, and the addresses of e-invoices. The form of a claim would bring the dates with it.
  {
    name: 'forms',
    test: /^(?!.*(?:stock-form|claim-form|date-field|mantine\/dates|dayjs|batch-form|NumberInput|number-format|file-|dropzone|import-prices|electronic-address|e-invoice-fields))/,
    minShareCount: 2,
    priority: 1,
  },
]

/**
 * Names the first screen's files in the tag of start.js, which asks for them at once, and not when the other scripts
 * have run.
 */
const preloadFirst: Plugin = {
  name: 'preload-first',
  transformIndexHtml(html, { bundle }) {
    if (!bundle) return html
    const first = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'first')
    if (first?.type !== 'chunk') throw new Error('The first screen is not among the files that were built.')
    const files = [first.fileName, ...(first.viteMetadata?.importedCss ?? [])].map((file) => `/${file}`)
    return html.replace('src="/start.js"', `$& data-first="${files.join(' ')}"`)
  },
}

const PACKERS = { br: promisify(brotliCompress), gz: promisify(gzip) }

/** Compresses the files as far as possible, once at the build and not for each visitor. */
const pack: Plugin = {
  name: 'pack',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.values(bundle).filter(({ fileName }) => /\.(js|css|wasm)$/.test(fileName))
    await Promise.all(
      texts.flatMap((file) =>
        Object.entries(PACKERS).map(async ([ending, packed]) =>
          writeFile(
            path.join(dir, `${file.fileName}.${ending}`),
            await packed(file.type === 'chunk' ? file.code : file.source),
          ),
        ),
      ),
    )
  },
}

export default defineConfig({
  root: import.meta.dirname,
  // `src/shell/version.ts` reads it.
  define: { BACKSTOCK_VERSION: JSON.stringify(project.version) },
  plugins: [manual, react(), preloadFont, preloadFirst, pack],
  server: { proxy: { '/api': api, '/healthz': api } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The pages' content security policy allows neither inline scripts nor data: addresses, so there is no polyfill and
    // no inlined asset.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The first versions that know CSS light-dark(). For older ones Vite would rewrite it into CSS with which Mantine
    // cannot switch themes.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
