import { globSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Stryker } from '@stryker-mutator/core'

/**
 * Breaks files of the server in every way that Stryker knows, one at a time, and lists the mutants that no test of
 * their folder notices. The tests use a real database. `npm run mutants:server -- areas/return/receive` takes the
 * files whose path contains this word. `--tests=areas/sale/change` also runs the tests below that folder.
 *
 * Texts, objects and lists stay as they are: stored answers hold them, and they are half of all mutants.
 */
const SERVER = 'packages/server/src'
/** Stryker waits this long for a test that hangs, besides the time that the test took without a mutant. */
const PATIENCE_MS = 60_000

const TESTS = '--tests='
const args = process.argv.slice(2)
const words = args.filter((arg) => !arg.startsWith('--'))
const furtherFolders = args.filter((arg) => arg.startsWith(TESTS)).map((arg) => `${SERVER}/${arg.slice(TESTS.length)}`)
const files = globSync(`${SERVER}/**/*.ts`)
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('/testing/'))
  .filter((file) => words.some((word) => file.includes(word)))
if (files.length === 0) throw new Error('No file of the server has such a path.')
const folders = new Set([...files.map((file) => path.dirname(file)), ...furtherFolders])

os.setPriority(10)
process.env['MUTANTS_TESTS'] = [...folders].map((folder) => `${folder}/**/*.test.ts`).join(',')
const mutants = await new Stryker({
  mutate: files,
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration'] },
  testRunner: 'vitest',
  tsconfigFile: 'none',
  vitest: { configFile: 'vitest.server-mutants.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: PATIENCE_MS,
  ignorePatterns: ['data', 'dist', 'docs', 'bench'],
  reporters: ['progress-append-only'],
}).runMutationTest()

const those = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status))
const unnoticed = those('Survived', 'NoCoverage')
console.log('\nNoticed by no test:')
for (const { fileName, location, status, mutatorName, replacement } of unnoticed) {
  const place = `${path.relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`
  console.log(`${place} ${status} ${mutatorName}: ${replacement ?? ''}`)
}
console.log(`\n${those('Killed', 'Timeout', 'RuntimeError').length} noticed, ${unnoticed.length} not.`)
