// `npm test` runs all tests once. If only few files failed, and in a way that a busy machine explains, each runs again,
// alone, in a new process, three times. CONTRIBUTING.md says what to do if a file was excused in this way.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { slowness } from '../packages/server/src/testing/allowed.ts'
import { type Excused, judge } from '../test/gate/judge.ts'
import { type FileReport, linesOf, type RunReport } from '../test/gate/run-report.ts'
import { growth, type Timings } from '../test/gate/timings.ts'

const TIMES = 3
const VITEST = path.resolve(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
const RESULTS = 'test-results'

/** A run of all tests leaves out those whose turn it is not (`testing/in-turn.ts`). */
const inTurn = { IN_TURN: process.argv.length > 2 ? '' : '1' }

/** Runs vitest in a process of its own. `report` is undefined if the process ended without writing one. */
function run(name: string, args: readonly string[]): { isGreen: boolean; report: RunReport | undefined } {
  const file = `${RESULTS}/${name}.json`
  rmSync(file, { force: true })
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, TEST_REPORT: file, ...inTurn },
  })
  const report: RunReport | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  return { isGreen: status === 0, report }
}

function end(code: 0 | 1, lines: readonly string[], { passed, failed, skipped }: Omit<RunReport, 'files' | 'outside'>) {
  process.stdout.write(
    `\n${lines.map((line) => `${line}\n`).join('')}${passed} passed, ${failed} failed, ${skipped} skipped\n`,
  )
  process.exit(code)
}

const failuresOf = ({ file, failures }: FileReport) => failures.flatMap((failure) => linesOf(file, failure))
const kept = <Value>(file: string, otherwise: Value): Value =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise

mkdirSync(RESULTS, { recursive: true })
rmSync(`${RESULTS}/needed-again.json`, { force: true })
const args = process.argv.slice(2)
const slownessBefore = slowness()
const began = performance.now()
const { isGreen, report } = run('first', args)
const seconds = (performance.now() - began) / 1000
if (!report) end(1, ['RED: the run ended without a report'], { passed: 0, failed: 1, skipped: 0 })
else {
  const timings = kept<Timings | undefined>('test-timings.json', undefined)
  const slower = Math.max(slownessBefore, slowness())
  const closing = timings && args.length === 0 ? growth(report.files, seconds, slower, timings) : []
  const judged = judge(report, kept<Excused[]>('test/excused.json', []))
  const first = report.files.flatMap(failuresOf)
  if (judged.verdict === 'red') end(1, [...first, `RED: ${judged.why}`, ...closing], report)
  if (judged.verdict === 'green' && !isGreen) end(1, ['RED: it failed outside of the tests', ...closing], report)
  if (judged.verdict === 'again') {
    for (const { file, project, failures } of judged.files)
      for (let time = 1; time <= TIMES; time++) {
        const again = run(`again-${time}`, [file, '--project', project, '--maxWorkers=1'])
        if (again.isGreen) continue
        const beside = failures.flatMap((failure) => linesOf(file, failure))
        const alone = again.report?.files.flatMap(failuresOf) ?? []
        const why = `RED: ${file} failed beside others, and again alone (${time} of ${TIMES})`
        end(1, ['Beside others:', ...beside, 'Alone:', ...alone, why, ...closing], report)
      }
    writeFileSync(`${RESULTS}/needed-again.json`, JSON.stringify(judged.files, null, 2))
    const head = `GREEN, BUT ${judged.files.length} file(s) failed beside others:`
    const passed = { passed: report.passed + report.failed, failed: 0, skipped: report.skipped }
    end(0, [head, ...judged.files.flatMap(failuresOf), ...closing], passed)
  }
  end(0, closing, report)
}
