// Runs the tests, or those that arguments for vitest choose, with false clocks: around a new month, a new year, summer
// time and a leap day. Server, PostgreSQL and browser all see the same clock.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

// All of them lie ahead: with a clock that is behind, each of PostgreSQL's timeouts ends with the first one.
const CLOCKS = [
  ['2027-12-31T23:59:30Z', 'UTC'],
  ['2028-01-01T00:00:00Z', 'UTC'],
  // In Auckland it is 00:00 on February 29th.
  ['2028-02-28T11:00:00Z', 'Pacific/Auckland'],
  // In Amsterdam it is 01:59:30, half a minute before summer time begins.
  ['2028-03-26T00:59:30Z', 'Europe/Amsterdam'],
  // In Amsterdam, whose clock the shops go by, May has begun: an invoice of yesterday is of an earlier month.
  ['2028-04-30T22:00:30Z', 'UTC'],
]

/**
 * Tests that wait for PostgreSQL's own timeouts, which never come here: a timer that ends while PostgreSQL waits sees the
 * true time, because faketime fakes nothing inside of a wait. PostgreSQL then waits for the rest up to the false time.
 */
const OF_TIMEOUTS = ['test/promises/load-locks.test.ts']

const library = spawnSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).stdout?.trim()
if (!library) {
  console.error('The tests of clocks need faketime: apt-get install -y faketime')
  process.exit(1)
}
const chosen = process.env.CLOCK
const passOn = path.join(import.meta.dirname, 'pass-on-clock.mjs')

const clocks = chosen?.includes('T') ? [[chosen, 'UTC']] : CLOCKS.filter(([at]) => !chosen || at.startsWith(chosen))

const failed = clocks.filter(([at, TZ]) => {
  console.log(`\nThe clock starts at ${at}, in ${TZ}.`)
  const seconds = (Date.parse(at) - Date.now()) / 1000
  const { status } = spawnSync(
    'vitest',
    ['run', ...process.argv.slice(2), ...OF_TIMEOUTS.map((file) => `--exclude=${file}`)],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TZ,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${passOn}`,
        LD_PRELOAD: library,
        FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
        // The clock for measuring durations stays true.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        // Otherwise waiting with that clock ends at once, again and again, and a browser uses all of the processor.
        FAKETIME_FORCE_MONOTONIC_FIX: '0',
        // PostgreSQL runs as another user, who cannot open faketime's shared memory.
        FAKETIME_DISABLE_SHM: '1',
      },
    },
  )
  return status !== 0
})
if (failed.length > 0) {
  console.error(`Failed with a clock that starts at ${failed.map(([at]) => at).join(', ')}.`)
  process.exit(1)
}
