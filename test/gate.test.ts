import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Excused, judge } from './gate/judge.ts'
import type { RunReport, TestError } from './gate/run-report.ts'
import { growth, sharesOf } from './gate/timings.ts'

// Runs the gate (scripts/test.ts) as `npm test` does, on small projects whose tests fail in known ways.

const project = path.resolve(import.meta.dirname, '..')
let folder: string

beforeEach(() => {
  // The folder is inside the project, so that its files can import vitest.
  const results = path.join(project, 'test-results')
  mkdirSync(results, { recursive: true })
  folder = mkdtempSync(path.join(results, 'gate-'))
  mkdirSync(path.join(folder, 'test'))
  const setup = path.join(project, 'test/gate/run-report.ts')
  const projects = ['journeys', 'server'].map((name) => `{ test: { name: '${name}', include: ['${name}/*.case.ts'] } }`)
  write('vitest.config.ts', `export default { test: { globalSetup: ['${setup}'], projects: [${projects}] } }`)
  write('journeys/green.case.ts', given("test('is green', () => undefined)"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}
/** A test file. `isFirst` is true only in the first run of all tests. */
const given = (tests: string) => `
  import { existsSync, writeFileSync } from 'node:fs'
  import { expect, test } from 'vitest'
  const mark = import.meta.filename + '.ran'
  const isFirst = !existsSync(mark)
  writeFileSync(mark, '')
  ${tests}`

function gate(...args: string[]) {
  const { VITEST: _, VITEST_POOL_ID: __, TEST_REPORT: ___, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, [path.join(project, 'scripts/test.ts'), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  const lines = stdout.trimEnd().split('\n')
  return { status, lines, last: lines.at(-1), closing: lines.slice(-12).join('\n') }
}

test('a run without failures is green, and its last line counts', () => {
  expect(gate()).toMatchObject({ status: 0, last: '1 passed, 0 failed, 0 skipped' })
})

test('a run of all tests leaves out those that have another turn, a run of a named file leaves out none', () => {
  const helper = path.join(project, 'packages/server/src/testing/in-turn.ts')
  const text = `
    import { testInTurn } from '${helper}'
    for (const title of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
      testInTurn(title, () => new Promise((end) => setTimeout(end, 400)))`
  write('journeys/turns.case.ts', given(text))
  const counts = /^(\d+) passed, 0 failed, (\d+) skipped$/.exec(gate().last!)!.slice(1).map(Number)
  const [passed, skipped] = counts as [number, number]
  expect([passed + skipped, skipped > 0]).toEqual([9, true])
  expect(gate('journeys/turns')).toMatchObject({ status: 0, last: '8 passed, 0 failed, 0 skipped' })
  // The time of such tests changes from commit to commit, so it does not count for their file.
  const { files } = JSON.parse(readFileSync(path.join(folder, 'test-results/first.json'), 'utf8'))
  expect(files).toMatchObject([{ file: 'journeys/turns.case.ts', ms: expect.toSatisfy((ms: number) => ms < 400) }])
})

test('a file that fails once beside others is excused, and named with its test and message', () => {
  write('journeys/once.case.ts', given("test('comes late', () => expect(isFirst).toBe(false))"))
  // Nobody catches this rejection. It counts as a failure of its file.
  const stray = "test('is left', async () => { if (isFirst) Promise.reject(new Error('stray')); await null })"
  write('journeys/stray.case.ts', given(stray))
  const { status, last, closing } = gate()
  expect({ status, last }).toEqual({ status: 0, last: '3 passed, 0 failed, 0 skipped' })
  expect(closing).toContain('GREEN, BUT 2 file(s) failed beside others:')
  expect(closing).toContain('  journeys/once.case.ts > comes late\n    expected true to be false')
  expect(closing).toMatch(/ {2}journeys\/stray\.case\.ts.*\n {4}stray/)
  const kept = JSON.parse(readFileSync(path.join(folder, 'test-results/needed-again.json'), 'utf8'))
  const comesLate = { file: 'journeys/once.case.ts', failures: [expect.objectContaining({ test: 'comes late' })] }
  expect(kept).toHaveLength(2)
  expect(kept).toMatchObject(expect.arrayContaining([expect.objectContaining(comesLate)]))
})

test('a file that fails always is red, with both messages', () => {
  const text = "test('is broken', () => { throw new Error(isFirst ? 'broken at first' : 'broken again') })"
  write('journeys/always.case.ts', given(text))
  const { status, last, closing } = gate()
  expect({ status, last }).toEqual({ status: 1, last: '1 passed, 1 failed, 0 skipped' })
  expect(closing).toMatch(/Beside others:\n.*\n {4}broken at first\nAlone:\n.*\n {4}broken again\nRED: /)
})

test('a wrong sum is red at once, also on a screen', () => {
  const text = "test('total', () => expect(isFirst ? '€ 1,249.00' : '').toBe('€ 1,294.00'))"
  write('journeys/sum.case.ts', given(text))
  expect(gate()).toMatchObject({ status: 1, closing: expect.stringContaining('sum.case.ts failed on a value') })
})

/** A report of a run in which these files failed, each with its project and one error. */
function runWith(...files: [file: string, project: string, error: TestError][]): RunReport {
  const reports = files.map(([file, project, error]) => ({
    ...{ file, project, ms: 1 },
    failures: [{ test: 'does it', errors: [error] }],
  }))
  return { passed: 1, failed: files.length, skipped: 0, files: reports, outside: [] }
}
const error = (message: string, more: Partial<TestError> = {}): TestError => ({ name: 'Error', message, ...more })
const verdict = (run: RunReport, excused: Excused[] = []) => judge(run, excused).verdict

const SLOW = error('Test timed out in 120000ms.')
const VALUE = error('expected 3 to be 4', { name: 'AssertionError', expected: '4', actual: '3' })
const OTHER_SUM = 'Timed out 60000ms waiting for expect(locator)\nExpected: "€ 1.00"\nReceived: "€ 2.00"'
const NO_SUM = 'Timed out 60000ms waiting for expect(locator)\nExpected: "€ 1.00"\nReceived: <element(s) not found>'

test.each([
  ['journeys', SLOW, 'again'],
  ['journeys', VALUE, 'again'],
  ['journeys', error(OTHER_SUM), 'red'],
  ['journeys', error(NO_SUM), 'again'],
  ['journeys', { ...VALUE, expected: '10.00', actual: '9.99' }, 'red'],
  ['measured', VALUE, 'again'],
  ['server', SLOW, 'again'],
  ['server', error('locator.click: Timeout 60000ms exceeded.'), 'again'],
  ['promises', error('GET /: expected 312.5 to be less than 250'), 'again'],
  ['server', error('expected 312 to be less than 250'), 'red'],
  ['server', VALUE, 'red'],
  ['contract', VALUE, 'red'],
  ['promises', VALUE, 'red'],
])('a file of %s that failed with %j: %s', (name, failed, expected) => {
  expect(verdict(runWith(['a.test.ts', name, failed]))).toBe(expected)
})

test('many files, a file that was excused before, and an error of no file are red', () => {
  const files = Array.from({ length: 7 }, (_, n): [string, string, TestError] => [`${n}.test.ts`, 'journeys', SLOW])
  expect(verdict(runWith(...files.slice(1)))).toBe('again')
  expect(verdict(runWith(...files))).toBe('red')
  const excused = [{ file: '0.test.ts', since: '2026-01-31', why: 'a toast comes late' }]
  expect(judge(runWith(...files.slice(0, 1)), excused)).toEqual({
    verdict: 'red',
    why: '0.test.ts was excused before, on 2026-01-31: mend it (a toast comes late)',
  })
  expect(verdict(runWith(...files.slice(1, 2)), excused)).toBe('again')
  expect(verdict({ ...runWith(), outside: [error('stray')] })).toBe('red')
  expect(verdict(runWith())).toBe('green')
})

test('a file whose share has grown by half is named, and a run over its budget', () => {
  const file = (name: string, ms: number) => ({ file: name, project: 'server', ms, failures: [] })
  const [before, after] = [
    [file('a', 900), file('b', 100)],
    [file('a', 800), file('b', 200)],
  ]
  const kept = { budgetSeconds: 400, shares: sharesOf(before) }
  expect(kept.shares).toEqual({ a: 90, b: 10 })
  expect(growth(before, 400, 1, kept)).toEqual([])
  expect(growth(after, 700, 2, kept)).toEqual([
    'MORE TIME THAN BEFORE:',
    '  b: 20% of the time of all tests; it was 10%',
  ])
  expect(growth(before, 900, 2, kept).at(-1)).toBe(
    '  The run took 900 s; its budget is 800 s on a machine as slow as this.',
  )
})
