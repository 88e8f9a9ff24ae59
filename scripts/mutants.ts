import { globSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Stryker } from '@stryker-mutator/core'

/**
 * Breaks the pure modules in every way that Stryker knows, one at a time, and lists the mutants that no test notices.
 * `npm run mutants -- money imei` takes only the files whose path contains one of these words. With `--static` it also
 * breaks code that runs once, when a file is loaded. docs/mutants.md has the results.
 */
const MODULES: Record<string, string[]> = {
  'sale totals': ['packages/contract/src/sale-total.ts'],
  contract: ['packages/contract/src/*.ts'],
  'web’s client': ['client', 'csrf', 'error', 'toast'].map((name) => `packages/web/src/api/${name}.ts`),
  'sale draft': ['figures', 'lines', 'send', 'tax'].map((name) => `packages/web/src/areas/sale/draft/${name}.ts`),
  'sale corrections and papers': ['correct/lines', 'sale-papers'].map(
    (name) => `packages/web/src/areas/sale/${name}.ts`,
  ),
  'preview’s changes and words': ['changes', 'words'].map((name) => `packages/web/src/areas/import/preview/${name}.ts`),
  'scan queue': ['packages/web/src/areas/scan/scan-queue.ts'],
  'bank entries’ matches': ['named-numbers', 'propose', 'same-name'].map(
    (name) => `packages/server/src/areas/bank-entry/match/${name}.ts`,
  ),
  'list state': ['packages/web/src/crud/list-state.ts'],
  'import’s decisions': ['packages/server/src/areas/import/decide/*.ts'],
  'import’s news': ['packages/web/src/areas/import/import-status.ts'],
}
/** The requirement for each module: tests notice at least this percentage of its mutants. */
const ASKED = 85

for (const pattern of Object.values(MODULES).flat())
  if (globSync(pattern).length === 0) throw new Error(`${pattern} is no file any more: mend MODULES.`)

os.setPriority(10)
const isStatic = process.argv.includes('--static')
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isWanted = (file: string) => words.length === 0 || words.some((word) => file.includes(word))
const found = await new Stryker({
  mutate: globSync(Object.values(MODULES).flat()).filter((file) => isWanted(file) && !file.endsWith('.test.ts')),
  testRunner: 'vitest',
  // Stryker can only read tsconfig files with TypeScript below 7, and the tests need none.
  tsconfigFile: 'none',
  vitest: { configFile: 'vitest.mutants.config.ts' },
  coverageAnalysis: 'perTest',
  // For each mutant of code that runs once, the file must be loaded again. That would take most of the time.
  ignoreStatic: !isStatic,
  concurrency: 1,
  ignorePatterns: ['data', 'dist', 'docs', 'bench', '/test'],
  reporters: ['progress-append-only'],
  allowEmpty: true,
}).runMutationTest()

const NOTICED = ['Killed', 'Timeout', 'RuntimeError']
/** The name of a file's module. Each file of the contract is a module of its own. */
function moduleOf(file: string): string | undefined {
  const found = Object.keys(MODULES).find((name) => MODULES[name]!.some((pattern) => path.matchesGlob(file, pattern)))
  return found === 'contract' ? `contract: \`${path.basename(file, '.ts')}\`` : found
}
const mutants = found
  .filter(({ status }) => status !== 'Ignored')
  .map(({ fileName, ...mutant }) => ({ ...mutant, file: path.relative(process.cwd(), fileName) }))
  .map((mutant) => ({ ...mutant, module: moduleOf(mutant.file), isNoticed: NOTICED.includes(mutant.status) }))

console.log('\nNoticed by no test:')
for (const { file, location, status, mutatorName, replacement } of mutants.filter(({ isNoticed }) => !isNoticed))
  console.log(`${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName}: ${replacement ?? ''}`)

console.log('\n| Module | Mutants | Killed | % |\n| --- | ---: | ---: | ---: |')
for (const [module, all] of Map.groupBy(mutants, (mutant) => mutant.module)) {
  const killed = all.filter(({ isNoticed }) => isNoticed).length
  const percent = (100 * killed) / all.length
  if (percent < ASKED) process.exitCode = 1
  console.log(`| ${module} | ${all.length} | ${killed} | ${percent.toFixed(1)} |`)
}
