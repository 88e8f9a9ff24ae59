import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests that need neither a database nor a browser, for `npm run mutants`. */
export default defineConfig({
  // Stryker tests a copy of the project. Without the alias the copy would import the contract of the original.
  resolve: { alias: { '@backstock/contract': path.resolve(import.meta.dirname, 'packages/contract/src') } },
  // Long enough for a machine that is busy with other programs: a slow test must not count as one that noticed a
  // mutant.
  test: {
    testTimeout: 60_000,
    include: [
      'packages/{contract,web}/src/**/*.test.ts',
      'packages/server/src/areas/import/decide/*.test.ts',
      'packages/server/src/areas/bank-entry/match/*.test.ts',
    ],
  },
})
