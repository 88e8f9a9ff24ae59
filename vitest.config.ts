import { readFileSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { seedOfRun } from './test/seed-of-run.ts'

const MINUTE = 60_000

/** Guards against hanging, never promises: far longer than the guarded work takes on a busy machine. */
const limits = (ms: number) => ({ testTimeout: ms, hookTimeout: ms })

/** Each project has them. */
const setupFiles = 'test/same-draws.ts'

/** A group must be named: with one worker vitest runs files of the unnamed group (0) after all others. */
const FIRST = { groupOrder: 1 }

const MEASURED = ['load*', 'faults-health', 'files'].map((name) => `test/promises/${name}.test.ts`)
/** In full they have the machine for themselves; the few turns of every day bear company. */
const isFull = process.env['PROMISES'] === 'full'
const ofPromises = (isFull ? 60 : 5) * MINUTE

// For all processes of this run.
process.env['SEED'] ??= String(seedOfRun({ isDrawn: isFull }))

// Some two hundred processes load the same libraries: they are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/compiled')

/** A folder in memory with room for the databases and browsers of a run, from which programs may run. */
function roomInMemory(): string | undefined {
  const folder = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(folder)
    const mounted = readFileSync('/proc/mounts', 'utf8').split('\n')
    const isPlain = mounted.some((line) => line.split(' ')[1] === folder && !/\bnoexec\b/.test(line))
    return isPlain && bavail * bsize > 6e9 ? folder : undefined
  } catch {
    return undefined
  }
}
// Files of tests outlive nothing: a quarter of their time was the disk's.
const memory = roomInMemory()
if (memory) process.env['TMPDIR'] ??= memory

export default defineConfig({
  test: {
    // A process for each file: a crash or a leak in one leaves the others alone. If `isolate` is false, successive
    // files of one process share their imports.
    pool: 'forks',
    // Four at once also on two cores: they wait for a database, a browser or a time limit for half of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // A process with a browser and a server has much to end.
    teardownTimeout: MINUTE,
    // For all projects: one table of the promises' figures, and after it the failures.
    globalSetup: ['test/gate/run-report.ts', 'test/promises/figures.ts'],
    projects: [
      {
        test: {
          name: 'contract',
          setupFiles,
          isolate: false,
          sequence: FIRST,
          include: ['packages/contract/src/**/*.test.ts'],
          ...limits(2 * MINUTE),
        },
      },
      {
        test: {
          name: 'web',
          setupFiles,
          sequence: FIRST,
          include: ['packages/web/src/**/*.test.{ts,tsx}'],
          ...limits(2 * MINUTE),
        },
      },
      {
        test: {
          name: 'server',
          setupFiles,
          isolate: false,
          sequence: FIRST,
          include: ['packages/server/src/**/*.test.ts'],
          globalSetup: 'packages/server/src/testing/cluster.ts',
          // A second, as vitest has it, is little on a busy machine.
          expect: { poll: { timeout: MINUTE } },
          ...limits((isFull ? 10 : 2) * MINUTE),
        },
      },
      { test: { name: 'house', setupFiles, include: ['test/*.test.ts'], sequence: FIRST, ...limits(2 * MINUTE) } },
      {
        test: {
          name: 'promises',
          setupFiles,
          isolate: false,
          sequence: FIRST,
          include: ['test/promises/**/*.test.ts'],
          exclude: MEASURED,
          globalSetup: 'packages/server/src/testing/cluster.ts',
          ...limits(ofPromises),
        },
      },
      {
        test: {
          name: 'journeys',
          setupFiles,
          isolate: false,
          include: ['test/journeys/**/*.test.ts'],
          exclude: ['test/journeys/speed.test.ts'],
          globalSetup: 'packages/server/src/testing/cluster.ts',
          // After the others: their browsers take all that there is.
          sequence: { groupOrder: 2 },
          ...limits(5 * MINUTE),
        },
      },
      {
        test: {
          name: 'speed',
          setupFiles,
          include: ['test/journeys/speed.test.ts'],
          globalSetup: 'packages/server/src/testing/cluster.ts',
          // Alone: it measures.
          sequence: { groupOrder: 3 },
          fileParallelism: false,
          ...limits(5 * MINUTE),
        },
      },
      {
        test: {
          name: 'measured',
          setupFiles,
          include: MEASURED,
          globalSetup: 'packages/server/src/testing/cluster.ts',
          // The waiting times of sixty people, answers to a thousand questions a second, and the growth of a process.
          sequence: isFull ? { groupOrder: 3 } : FIRST,
          ...(isFull && { fileParallelism: false }),
          ...limits(ofPromises),
        },
      },
      {
        test: {
          name: 'cluster',
          setupFiles,
          include: ['test/cluster/**/*.test.ts'],
          // Mostly it waits: first of the journeys, in one of their turns.
          sequence: { groupOrder: 2 },
          ...limits(5 * MINUTE),
        },
      },
      // Not of every day: it builds and runs containers (`npm run test:failover`).
      ...(process.env['FAILOVER']
        ? [{ test: { name: 'failover', setupFiles, include: ['test/failover/**/*.test.ts'] } }]
        : []),
    ],
  },
})
