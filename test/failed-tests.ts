import { stripVTControlCharacters } from 'node:util'
import type { TestModule, TestProject } from 'vitest/node'

/** Of an error's text: what was expected stands in its first lines. */
const LONGEST = 300

/**
 * Names each test that failed in the last lines of a run: whoever sees only the end of a log sees what to look at, and
 * the seed with which it happens again.
 */
export default function setup({ vitest }: TestProject): () => void {
  const seed = `SEED=${process.env['SEED']}`
  process.stdout.write(`Draws go by ${seed}.\n`)
  return () => {
    const failed = [
      ...vitest.state.getTestModules().flatMap(failuresOf),
      ...vitest.state.getUnhandledErrors().map((error) => failure('outside of the tests', [error])),
    ]
    if (failed.length > 0)
      process.stdout.write(
        `\n${failed.length} failed:\n${failed.join('\n')}\nWith ${seed} before the command all draws come again.\n`,
      )
  }
}

/** The tests of a file that failed, and what failed before or after them. */
function failuresOf(file: TestModule): string[] {
  const hooks = [...file.children.allSuites()].filter((suite) => suite.errors().length > 0)
  return [
    ...(file.errors().length > 0 ? [failure(file.relativeModuleId, file.errors())] : []),
    ...hooks.map((suite) => failure(`${file.relativeModuleId} > ${suite.fullName}`, suite.errors())),
    ...[...file.children.allTests('failed')].map((test) =>
      failure(`${file.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []),
    ),
  ]
}

function failure(name: string, [error]: readonly unknown[]): string {
  const text = error instanceof Object && 'message' in error ? `${error.message}` : `${error}`
  const line = stripVTControlCharacters(text).replaceAll(/\s+/g, ' ').trim()
  return `  ${name}\n    ${line.length > LONGEST ? `${line.slice(0, LONGEST)} ...` : line}`
}
