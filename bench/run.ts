import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ALL, workload } from './all-workloads.ts'
import { openBench } from './bench.ts'
import { writeGrowth, writePlans, writeRequests, writeScreens, writeTable } from './docs.ts'
import { growthPlot, growthTable, measureGrowth } from './growth.ts'
import { mostUsed, plansText } from './plans.ts'
import { measureRequests, type RequestGrowth, requestsTable } from './request-growth.ts'
import type { Row } from './row.ts'
import { measureScreens } from './screens/measure-screens.ts'
import { screensTable } from './screens/screens-table.ts'
import { sizeOf } from './size.ts'
import { textTable } from './table.ts'

// npm run bench [-- S1 S4 …]: the table, or some of its lines; S18 and S21 have tables of their own, and S21 takes the
// names of actions: S21 next record.                              -- --growth: at three sizes.
// -- --plans: the plans of the statements most used.              -- --docs: all of these, into docs/performance.md.

const RESULTS = path.join(import.meta.dirname, 'results')
/** Only for the growth: nothing is asked of it at one size. */
const UNASKED = 'S4w'
const REQUESTS = 'S18'
const SCREENS = 'S21'
const say = (line: string) => void process.stderr.write(`${line}\n`)
const print = (text: string) => void process.stdout.write(`\n${text}\n`)

function keep(name: string, text: string): void {
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(path.join(RESULTS, name), text)
  say(`Kept in bench/results/${name}`)
}

async function table(ids: readonly string[]): Promise<Row[]> {
  const chosen = ids.length ? [...new Set(ids.map(workload))] : ALL.filter(({ id }) => id !== UNASKED)
  const bench = await openBench(size, say)
  const rows: Row[] = []
  try {
    for (const one of chosen) {
      say(`${one.id} …`)
      const measured = await one.measure(bench)
      rows.push(...measured)
      say(textTable(measured))
    }
  } finally {
    await bench.close()
  }
  rows.sort((a, b) => Number.parseInt(a.id.slice(1), 10) - Number.parseInt(b.id.slice(1), 10))
  print(textTable(rows))
  keep(`${size.rows}.json`, JSON.stringify({ items: size.rows, at: new Date(), results: rows }, null, 2))
  return rows
}

/** On data of its own: items in hundreds of batches and sales are another shop. */
async function requests(): Promise<RequestGrowth[]> {
  const bench = await openBench(size, say)
  const found = await measureRequests(bench).finally(bench.close)
  print(requestsTable(found))
  keep('requests.json', JSON.stringify(found, null, 2))
  return found
}

async function screens(names: readonly string[]) {
  const bench = await openBench(size, say)
  const found = await measureScreens(bench, names).finally(bench.close)
  print(screensTable(found))
  keep('screens.json', JSON.stringify({ items: size.rows, at: new Date(), results: found }, null, 2))
  return found
}

async function growth() {
  const found = await measureGrowth(say)
  print(growthTable(found))
  keep('growth.json', JSON.stringify(found, null, 2))
  keep('growth.svg', growthPlot(found))
  return found
}

async function plans() {
  const found = await mostUsed(size, say)
  print(plansText(found))
  return found
}

const asked = process.argv.slice(2)
const size = sizeOf(Number(process.env['BENCH_ROWS'] || 1_000_000))
if (asked.includes('--docs')) {
  writeTable(await table([]), size.rows)
  writeRequests(await requests(), size.rows)
  writeScreens(await screens([]), size.rows)
  writeGrowth(await growth())
  writePlans(await plans(), size.rows)
} else if (asked.includes('--growth')) await growth()
else if (asked.includes('--plans')) await plans()
else {
  const isWorkload = (word: string) => /^S\d/.test(word)
  const withScreens = asked.includes(SCREENS)
  const others = asked.filter((word) => word !== REQUESTS && word !== SCREENS && (isWorkload(word) || !withScreens))
  if (asked.length === 0 || others.length > 0) await table(others.map((id) => (id === 'S12' ? 'S11' : id)))
  if (asked.length === 0 || asked.includes(REQUESTS)) await requests()
  if (asked.length === 0 || withScreens) await screens(asked.filter((word) => !isWorkload(word)))
}
