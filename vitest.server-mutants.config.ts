import { defineConfig } from 'vitest/config'

/** Node itself imports the copy of the server that Stryker has changed (see vitest.config.ts). */
const OURS = `^${RegExp.escape(import.meta.dirname)}/(?:packages/(?:contract|server)/src|test)/`

/** The tests of some folders of the server, for `npm run mutants:server`. */
export default defineConfig({
  test: {
    setupFiles: 'test/same-draws.ts',
    server: { deps: { external: [new RegExp(`${OURS}(?!.*\\.test\\.ts$)`)] } },
    isolate: false,
    include: (process.env['MUTANTS_TESTS'] ?? '').split(','),
    globalSetup: 'packages/server/src/testing/cluster.ts',
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
