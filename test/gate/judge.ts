import type { FileReport, RunReport, TestError } from './run-report.ts'

/** A file that failed before by chance and is not mended yet. `test/excused.json` lists these. */
export type Excused = { file: string; since: string; why: string }

/** If more files fail than this, it is not by chance. */
export const MOST_FILES = 6

/**
 * The projects whose results may depend on other work of the machine. All others check values: money, data, access,
 * rules.
 */
const MAY_DEPEND_ON_THE_MACHINE = new Set(['journeys', 'speed', 'measured'])

/** Judges a run of all tests: it is green, or red at once, or its failed files must pass alone in another run. */
export function judge(
  { files, outside }: RunReport,
  excused: readonly Excused[],
): { verdict: 'green' } | { verdict: 'red'; why: string } | { verdict: 'again'; files: FileReport[] } {
  const failed = files.filter(({ failures }) => failures.length > 0)
  const red = (why: string) => ({ verdict: 'red', why }) as const
  if (outside.length > 0) return red(`it failed outside of the tests: ${outside[0]?.message}`)
  if (failed.length === 0) return { verdict: 'green' }
  if (failed.length > MOST_FILES) return red(`${failed.length} files failed; at most ${MOST_FILES} fail by chance`)
  for (const file of failed) {
    const before = excused.find((one) => one.file === file.file)
    if (before) return red(`${file.file} was excused before, on ${before.since}: mend it (${before.why})`)
    const wrong = file.failures.flatMap(({ errors }) => errors).find((error) => !mayBeChance(file, error))
    if (wrong) return red(`${file.file} failed on a value, which no load of the machine explains`)
  }
  return { verdict: 'again', files: failed }
}

function mayBeChance({ project }: FileReport, error: TestError): boolean {
  if (isOfTime(error, project)) return !showsOtherSum(error)
  return MAY_DEPEND_ON_THE_MACHINE.has(project) && !showsOtherSum(error)
}

/**
 * Whether an error is about time: a limit of Vitest or Playwright, or the figure of a promise (ms or MB) that was
 * exceeded.
 */
const isOfTime = ({ name, message }: TestError, project: string) =>
  name === 'TimeoutError' ||
  /\btimed out\b|\bTimeout:? +\d+ ?ms\b/i.test(message) ||
  (project === 'promises' && /\bexpected [\d.]+ to be less than (?:or equal to )?[\d.]+$/.test(message))

const SUM = /\d[.,]\d\d(?!\d)/

/** Whether an assertion expected one sum of money and found another. */
function showsOtherSum({ message, expected, actual }: TestError): boolean {
  const [wanted, found] = [expected ?? lineAfter('Expected', message), actual ?? lineAfter('Received', message)]
  return SUM.test(wanted) && SUM.test(found)
}

/** The expected or received value in the lines of a message from Playwright. */
const lineAfter = (word: string, message: string) =>
  message
    .split('\n')
    .find((line) => line.trimStart().startsWith(word))
    ?.slice(0, 10_000) ?? ''
