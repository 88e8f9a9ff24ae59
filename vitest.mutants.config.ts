import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests that need neither a database nor a browser, for `npm run mutants`. */
export default defineConfig({
  // Else the copy that is tested would read the contract of the original.
  resolve: { alias: { '@backstock/contract': path.resolve(import.meta.dirname, 'packages/contract/src') } },
  // Holds under a load of other programs too: slowness must not count as a noticed mutant.
  test: {
    testTimeout: 60_000,
    include: [
      'packages/{contract,web}/src/**/*.test.ts',
      'packages/server/src/areas/import/decide/*.test.ts',
      'packages/server/src/areas/bank-entry/match/*.test.ts',
    ],
  },
})
