// `npm run timings` stores the share that each file had in the time of the last whole run of `npm test`. Later runs are
// compared with these shares.
import { readFileSync, writeFileSync } from 'node:fs'
import type { RunReport } from '../test/gate/run-report.ts'
import { sharesOf, type Timings } from '../test/gate/timings.ts'

const { files }: RunReport = JSON.parse(readFileSync('test-results/first.json', 'utf8'))
const { budgetSeconds }: Timings = JSON.parse(readFileSync('test-timings.json', 'utf8'))
const timings: Timings = { budgetSeconds, shares: sharesOf(files) }
writeFileSync('test-timings.json', `${JSON.stringify(timings, null, 2)}\n`)
