// `npm run timings`: stores the shares of the last whole run of `npm test` as the files' allowances.
import { readFileSync, writeFileSync } from 'node:fs'
import type { RunReport } from '../test/gate/run-report.ts'
import { sharesOf, type Timings } from '../test/gate/timings.ts'

const { files }: RunReport = JSON.parse(readFileSync('test-results/first.json', 'utf8'))
const { budgetSeconds }: Timings = JSON.parse(readFileSync('test-timings.json', 'utf8'))
const timings: Timings = { budgetSeconds, shares: sharesOf(files) }
writeFileSync('test-timings.json', `${JSON.stringify(timings, null, 2)}\n`)
