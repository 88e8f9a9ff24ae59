import { violationsIn } from '../packages/server/src/invariants/check.ts'
import { openData } from './database.ts'
import { sizeOf } from './size.ts'

/** `node bench/check.ts` checks that the generated data keep all rules that the server keeps. */
const database = await openData(sizeOf(Number(process.env['BENCH_ROWS'] || 10_000)), console.log)
const violations = await violationsIn(database.connection).finally(() => database.drop())
for (const { invariant, what } of violations.slice(0, 20)) console.log(`Broken rule: ${invariant}: ${what}`)
console.log(violations.length ? `${violations.length} violations` : 'All rules hold')
process.exitCode = violations.length ? 1 : 0
