import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { manual } from './manual.ts'

const project = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'))

const api = process.env['BACKSTOCK_API'] ?? 'http://127.0.0.1:3000'

/** Asks for the font with the scripts, so that it is there before the first word: text set in another would move. */
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

/** These of our files, without their endings, as the test of a group. */
const ours = (...names: string[]) => new RegExp(`packages/(?:web|contract)/src/(?:${names.join('|')})\\.tsx?$`)

/**
 * Few files for each screen: without groups, every part that two screens share is a file of its own, 85 for the
 * stock list. A group includes the dependencies of its files, if they are used and in no group above.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  // The libraries that every page needs: returning visitors have them, even after changes in ours.
  { name: 'vendor', test: /node_modules.*js$/, tags: ['$initial'], priority: 5 },
  // Every page needs it, the login too.
  { name: 'base', test: ours('main', 'areas/auth/login-page', 'shell/error-page'), priority: 4 },
  // The frame of every screen, the first screen, and small parts that most others need.
  {
    name: 'first',
    test: ours(
      'shell/shell',
      'areas/stock/list-page',
      'areas/basket/basket-menu',
      'crud/list-page',
      'crud/list-read',
      'ui/date-format',
      'sale-status',
      'payment-state',
    ),
    priority: 3,
  },
  { name: 'dialogs', test: ours('ui/dialogs'), priority: 2 },
  // Parts that two screens share, without the large ones of a few: dates, uploads and numbers.
  {
    name: 'forms',
    test: /^(?!.*(?:stock-form|date-field|mantine\/dates|dayjs|batch-form|NumberInput|number-format|file-|dropzone))/,
    minShareCount: 2,
    priority: 1,
  },
]

/** Tells start.js which files the first screen needs: asked for with the others, and not once these have run. */
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

/** Packs the served files as tightly as possible, once and not for each visitor. */
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
  // `version.ts` has it.
  define: { BACKSTOCK_VERSION: JSON.stringify(project.version) },
  plugins: [manual, react(), preloadFont, preloadFirst, pack],
  server: { proxy: { '/api': api, '/healthz': api } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // No polyfill and no inlined assets: the pages are served under a policy that allows neither.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The first versions with CSS light-dark(), which would otherwise be rewritten into something that Mantine cannot
    // switch.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
