import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { TestCase, TestModule, TestProject } from 'vitest/node'

/** An error of a test. `expected` and `actual` are the texts that the assertion compared. */
export type TestError = { name: string; message: string; expected?: string; actual?: string }
export type Failure = { test: string; errors: TestError[] }
/**
 * The result of a test file. `ms` is the time of its tests and hooks, while other files run beside it. Tests that take
 * turns are left out of it, because not every run has them.
 */
export type FileReport = { file: string; project: string; ms: number; failures: Failure[] }
/** The result of a run of vitest. `outside` are errors that belong to no test and no file. */
export type RunReport = {
  passed: number
  failed: number
  skipped: number
  files: FileReport[]
  outside: TestError[]
}

const HOOKS = 'before or after its tests'
/** How much of an error is printed: its beginning names the expected value. */
const LONGEST = 300

/**
 * A global setup of vitest. It writes the report of the run into the file that `TEST_REPORT` names, if it is set. The
 * last lines of the output are the names of the failed tests, with the seed that repeats all draws.
 */
export default function setup({ vitest }: TestProject): () => void {
  const seed = `SEED=${process.env['SEED']}`
  process.stdout.write(`Draws go by ${seed}.\n`)
  return () => {
    const modules = vitest.state.getTestModules()
    const report = reportOf(modules, vitest.state.getUnhandledErrors())
    const to = process.env['TEST_REPORT']
    if (to) writeFileSync(to, JSON.stringify(report))
    const lines = [
      ...report.files.flatMap(({ file, failures }) => failures.flatMap((failure) => linesOf(file, failure))),
      ...report.outside.flatMap((error) => linesOf('outside of the tests', { test: '', errors: [error] })),
    ]
    if (lines.length > 0)
      process.stdout.write(
        `\n${lines.length / 2} failed:\n${lines.join('\n')}\nWith ${seed} before the command all draws come again.\n`,
      )
  }
}

function reportOf(modules: readonly TestModule[], unhandled: readonly unknown[]): RunReport {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const count = (state: ReturnType<TestCase['result']>['state']) =>
    tests.filter((test) => test.result().state === state).length
  const homeless = unhandled.filter((error) => !modules.some((module) => isOf(module, error)))
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    files: modules.map((module) => fileReport(module, unhandled)),
    outside: homeless.map(errorOf),
  }
}

function fileReport(module: TestModule, unhandled: readonly unknown[]): FileReport {
  const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0)
  const failed = [...module.children.allTests('failed')]
  const own = [...module.errors(), ...unhandled.filter((error) => isOf(module, error))]
  const failures = [
    ...(own.length > 0 ? [{ test: HOOKS, errors: own.map(errorOf) }] : []),
    ...suites.map((suite) => ({ test: suite.fullName, errors: suite.errors().map(errorOf) })),
    ...failed.map((test) => ({ test: test.fullName, errors: (test.result().errors ?? []).map(errorOf) })),
  ]
  const inTurn = [...module.children.allTests()].filter((test) => test.meta().inTurn)
  const ofTurns = inTurn.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)
  return {
    file: module.relativeModuleId,
    project: module.project.name,
    ms: Math.round(module.diagnostic().duration - ofTurns),
    failures,
  }
}

/** Whether an uncaught error belongs to this file. The error carries the path of the file whose tests its process ran. */
const isOf = (module: TestModule, error: unknown) => textIn(error, 'VITEST_TEST_PATH') === module.moduleId

function errorOf(error: unknown): TestError {
  const [expected, actual] = [textIn(error, 'expected'), textIn(error, 'actual')]
  return {
    name: textIn(error, 'name') ?? 'Error',
    message: stripVTControlCharacters(textIn(error, 'message') ?? String(error)),
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  }
}

function textIn(error: unknown, field: string): string | undefined {
  if (!(error instanceof Object) || !(field in error)) return undefined
  const value: unknown = Reflect.get(error, field)
  return value === undefined ? undefined : String(value)
}

/** Two lines of text: the name of the test, and the beginning of its first error. */
export function linesOf(file: string, { test, errors }: Failure): string[] {
  const line = (errors[0]?.message ?? '').replaceAll(/\s+/g, ' ').trim()
  return [`  ${file}${test && ` > ${test}`}`, `    ${line.length > LONGEST ? `${line.slice(0, LONGEST)} ...` : line}`]
}
