import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = process.env['BACKSTOCK_API'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { proxy: { '/api': api, '/healthz': api } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // No polyfill and no inlined assets: the pages are served under a policy that allows neither.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The first versions with CSS light-dark(), which would otherwise be rewritten into something that Mantine cannot switch.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
})
