import { defineConfig } from 'vitest/config'

const MINUTE = 60_000

export default defineConfig({
  test: {
    // A process for each file: what crashes or leaks in one leaves the others alone.
    pool: 'forks',
    projects: [
      { test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      { test: { name: 'web', include: ['packages/web/src/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'server',
          include: ['packages/server/src/**/*.test.ts'],
          globalSetup: 'packages/server/src/testing/cluster.ts',
          testTimeout: MINUTE / 2,
          hookTimeout: MINUTE / 2,
        },
      },
      { test: { name: 'house', include: ['test/*.test.ts'], testTimeout: MINUTE / 2 } },
      {
        test: {
          name: 'promises',
          include: ['test/promises/**/*.test.ts'],
          globalSetup: ['packages/server/src/testing/cluster.ts', 'test/promises/figures.ts'],
          testTimeout: MINUTE,
          hookTimeout: MINUTE,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          // Last and one by one: each has a server, a database and a browser of its own, on two cores.
          sequence: { groupOrder: 1 },
          fileParallelism: false,
          testTimeout: 5 * MINUTE,
          hookTimeout: 5 * MINUTE,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts'],
          // Alone: it has three servers and two databases, and measures how soon they are right again.
          sequence: { groupOrder: 2 },
          fileParallelism: false,
          testTimeout: 3 * MINUTE,
          hookTimeout: 3 * MINUTE,
        },
      },
    ],
  },
})
