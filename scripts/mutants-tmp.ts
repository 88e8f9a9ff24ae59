import os from 'node:os'
import path from 'node:path'
import { Stryker } from '@stryker-mutator/core'

/**
 * Breaks the pure modules in every way that Stryker knows, one at a time, and says which of it no test notices. A path, or a
 * part of one, after the command takes the files that contain it alone: `npm run mutants -- money`.
 */
const MODULES: Record<string, string[]> = {
  contract: [
    ...['attribute-name', 'column-label', 'identifier-cell', 'imei', 'import', 'money', 'plain-text', 'product-name'],
    ...['sale-status', 'stock-status', 'time', 'vat-rate', 'fields', 'page'],
  ].map((name) => `packages/contract/src/${name}.ts`),
  'sale totals': ['packages/contract/src/sale-total.ts'],
  'the web’s client': ['client', 'csrf', 'error', 'toast'].map((name) => `packages/web/src/api/${name}.ts`),
  'sale draft': ['draft-lines', 'send-draft', 'mail-news'].map((name) => `packages/web/src/areas/sale/${name}.ts`),
  'list state': ['packages/web/src/crud/list-state.ts'],
  'import status': ['packages/web/src/areas/import/import-status.ts'],
}
/** Of a hundred mutants of each module so many must be noticed. */
const ASKED = 85

os.setPriority(10)
const wanted = process.argv[2] ?? ''
const found = await new Stryker({
  mutate: Object.values(MODULES)
    .flat()
    .filter((file) => file.includes(wanted)),
  testRunner: 'vitest',
  // Its look into them needs a TypeScript below 7, and the tests none of them.
  tsconfigFile: 'none',
  vitest: { configFile: 'vitest.mutants.config.ts' },
  coverageAnalysis: 'perTest', ignoreStatic: true, tempDirName: '.stryker-tmp/c', timeoutMS: 60000,
  concurrency: 1,
  ignorePatterns: ['data', 'dist', 'docs', 'bench', 'test', '/packages/server'],
  reporters: ['progress-append-only'],
  allowEmpty: true,
}).runMutationTest()

const NOTICED = ['Killed', 'Timeout', 'RuntimeError']
const isNoticed = ({ status }: { status: string }) => NOTICED.includes(status)
const counted = found
  .filter(({ status }) => status !== 'Ignored')
  .map((mutant) => ({ ...mutant, file: path.relative(process.cwd(), mutant.fileName) }))

console.log('\nNoticed by no test:')
for (const { file, location, mutatorName, replacement, status } of counted.filter((mutant) => !isNoticed(mutant)))
  console.log(`${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName}: ${replacement ?? ''}`)

console.log('\n| Module | Mutants | Killed | % |\n| --- | ---: | ---: | ---: |')
for (const [module, files] of Object.entries(MODULES)) {
  const of = counted.filter(({ file }) => files.includes(file))
  if (of.length === 0) continue
  const killed = of.filter(isNoticed).length
  const percent = (100 * killed) / of.length
  if (percent < ASKED) process.exitCode = 1
  console.log(`| ${module} | ${of.length} | ${killed} | ${percent.toFixed(1)} |`)
}
