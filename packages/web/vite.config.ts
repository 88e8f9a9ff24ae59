import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadFont],
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
  },
})
