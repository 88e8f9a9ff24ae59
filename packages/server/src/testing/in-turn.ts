import { createHash } from 'node:crypto'
import { type TestFunction, type TestOptions, test } from 'vitest'
import { SEED } from './chance.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Whether the test takes turns with others, so that the time of its file changes from commit to commit. */
    inTurn?: boolean
  }
}

/** `npm test` without names of files sets it. All other commands run every test that they are asked for. */
const areDrawn = process.env['IN_TURN'] === '1'

const SETS = 6

/**
 * Whether this run tests the subject. A daily run tests one of six sets of subjects, which its commit's seed chooses.
 * The name alone says in which set a subject is.
 */
export function isItsTurn(name: string): boolean {
  return !areDrawn || createHash('sha1').update(name).digest().readUInt32BE() % SETS === SEED % SETS
}

/** The option of a test that takes turns, also if only some of its subjects do. */
export const IN_TURN: TestOptions = { meta: { inTurn: true } }

/** A test that a daily run makes in one of six commits. CONTRIBUTING.md says which tests may take turns. */
export function testInTurn(title: string, ...rest: [TestFunction] | [TestOptions, TestFunction]): void {
  const [options, body] = rest.length === 2 ? rest : [{}, rest[0]]
  test.runIf(isItsTurn(title))(title, { ...options, ...IN_TURN }, body)
}
