import { readFileSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { seedOfRun } from './test/seed-of-run.ts'

const MINUTE = 60_000

/**
 * Limits that stop a test that hangs. They are no promises: they are far longer than the tests take on a busy machine.
 */
const limits = (ms: number) => ({ testTimeout: ms, hookTimeout: ms })

/** A setup file that each project needs. */
const setupFiles = 'test/same-draws.ts'

/** A group needs a number: with one worker vitest runs files of the default group (0) after all others. */
const FIRST = { groupOrder: 1 }

/**
 * Node itself imports our code, except the tests and the screens. It strips the types, and keeps the compiled code for
 * the next process. Vite would transform each file for each project, and each process would compile it again.
 */
const OURS = `^${RegExp.escape(import.meta.dirname)}/(?:packages/(?:contract|server)/src|test|bench|scripts)/`
const server = { deps: { external: [new RegExp(`${OURS}(?!.*\\.test\\.ts$)`)] } }

const MEASURED = ['load*', 'faults-health', 'files'].map((name) => `test/promises/${name}.test.ts`)
/**
 * In the full run the promises have the machine to themselves. On the daily run they are short and run beside other
 * tests.
 */
const isFull = process.env['PROMISES'] === 'full'
const ofPromises = (isFull ? 60 : 5) * MINUTE

// All processes of this run read the seed from here.
process.env['SEED'] ??= String(seedOfRun({ isDrawn: isFull }))

// About two hundred processes load the same libraries. With this cache Node compiles them once.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/compiled')

/**
 * A folder in memory with room for the databases and browsers of a run. Programs must be able to run from it. Undefined
 * if there is none.
 */
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
// No file of the tests must survive the run, so they go into memory: on a disk the tests took a third longer.
const memory = roomInMemory()
if (memory) process.env['TMPDIR'] ??= memory

export default defineConfig({
  test: {
    // Each file has a process, so that a crash or a leak in one leaves the others alone. If `isolate` is false,
    // successive files of one process share their imports.
    pool: 'forks',
    // Four files at once even on two cores, because they wait for a database, a browser or a time limit half of the
    // time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // A process with a browser and a server takes long to end.
    teardownTimeout: MINUTE,
    // For all projects: a table with the figures of the promises, and then the list of failed tests.
    globalSetup: ['test/gate/run-report.ts', 'test/promises/figures.ts'],
    projects: [
      {
        test: {
          name: 'contract',
          setupFiles,
          server,
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
          server,
          isolate: false,
          sequence: FIRST,
          include: ['packages/server/src/**/*.test.ts'],
          globalSetup: 'packages/server/src/testing/cluster.ts',
          // Vitest's default of one second is too short on a busy machine.
          expect: { poll: { timeout: MINUTE } },
          ...limits((isFull ? 10 : 2) * MINUTE),
          // The first hook that needs the sample shop fills it for the whole run.
          hookTimeout: (isFull ? 10 : 5) * MINUTE,
        },
      },
      {
        test: {
          name: 'house',
          setupFiles,
          server,
          include: ['test/*.test.ts'],
          sequence: FIRST,
          ...limits(2 * MINUTE),
        },
      },
      {
        test: {
          name: 'promises',
          setupFiles,
          server,
          isolate: false,
          sequence: FIRST,
          include: ['test/promises/**/*.test.ts'],
          exclude: MEASURED,
          globalSetup: 'packages/server/src/testing/cluster.ts',
          expect: { poll: { timeout: (isFull ? 10 : 1) * MINUTE } },
          ...limits(ofPromises),
        },
      },
      {
        test: {
          name: 'journeys',
          setupFiles,
          server,
          isolate: false,
          include: ['test/journeys/**/*.test.ts'],
          exclude: ['test/journeys/speed.test.ts'],
          globalSetup: 'packages/server/src/testing/cluster.ts',
          // Journeys run after the others, because their browsers use the whole processor.
          sequence: { groupOrder: 2 },
          ...limits(5 * MINUTE),
        },
      },
      {
        test: {
          name: 'speed',
          setupFiles,
          server,
          include: ['test/journeys/speed.test.ts'],
          globalSetup: 'packages/server/src/testing/cluster.ts',
          // Alone, because it measures times.
          sequence: { groupOrder: 3 },
          fileParallelism: false,
          ...limits(5 * MINUTE),
        },
      },
      {
        test: {
          name: 'measured',
          setupFiles,
          server,
          include: MEASURED,
          globalSetup: 'packages/server/src/testing/cluster.ts',
          // These tests measure the waiting times of sixty people, the answers to a thousand requests a second, and the
          // growth of a process.
          sequence: isFull ? { groupOrder: 3 } : FIRST,
          ...(isFull && { fileParallelism: false }),
          ...limits(ofPromises),
        },
      },
      {
        test: {
          name: 'cluster',
          setupFiles,
          server,
          include: ['test/cluster/**/*.test.ts'],
          // It mostly waits, so it runs beside the journeys.
          sequence: { groupOrder: 2 },
          ...limits(5 * MINUTE),
        },
      },
      // Not in the daily run, because it builds and runs containers (`npm run test:failover`).
      ...(process.env['FAILOVER']
        ? [{ test: { name: 'failover', setupFiles, include: ['test/failover/**/*.test.ts'] } }]
        : []),
    ],
  },
})
