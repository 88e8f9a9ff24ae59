import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
import { type Size, sizeOf } from './size.ts'
import { keepRatios, keptRatios, linesOf, nameOf, slipsOf } from './slips.ts'
import { textTable } from './table.ts'
import type { Workload } from './workloads/workload.ts'

// `npm run bench` prints the table. These may follow `--`:
// - S1 S4 …: only these lines. S18 and S21 have tables of their own; S21 takes names of actions: S21 next record.
// - --growth: some workloads at three sizes.
// - --plans: the plans of the statements that run most often.
// - --docs: all of these, written into docs/performance.md.
// - --check: a short run, compared with the ratios of the last release. Exits with 1 if one has become worse.
// - --keep: stores the ratios for --check.

const RESULTS = path.join(import.meta.dirname, 'results')
/** A workload that is only for the growth: it has no requirement at one size. */
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

const workloads = (ids: readonly string[]): readonly Workload[] =>
  ids.length ? [...new Set(ids.map(workload))] : ALL.filter(({ id }) => id !== UNASKED)

/** Measures these workloads. Returns the lines of each. */
async function measured(chosen: readonly Workload[], size: Size): Promise<Map<Workload, Row[]>> {
  const bench = await openBench(size, say)
  const found = new Map<Workload, Row[]>()
  try {
    for (const one of chosen) {
      say(`${one.id} …`)
      const rows = await one.measure(bench)
      found.set(one, rows)
      say(textTable(rows))
    }
  } finally {
    await bench.close()
  }
  return found
}

async function table(ids: readonly string[]): Promise<Row[]> {
  const rows = [...(await measured(workloads(ids), size)).values()].flat()
  rows.sort((a, b) => Number.parseInt(a.id.slice(1), 10) - Number.parseInt(b.id.slice(1), 10))
  print(textTable(rows))
  keep(`${size.rows}.json`, JSON.stringify({ items: size.rows, at: new Date(), results: rows }, null, 2))
  return rows
}

/** The workloads with a ratio or a share, which `--check` compares. */
const COMPARED: readonly string[] = ['S1', 'S2', 'S3', 'S4', 'S20', 'S5', 'S6', 'S7', 'S8', 'S9', 'S10', 'S11', 'S13']
const CHECKED_ITEMS = 50_000

/**
 * Measures, and measures each workload that has become worse a second time. Prints those that are worse in both runs.
 */
async function check(): Promise<void> {
  const kept = keptRatios()
  const size = sizeOf(kept.items)
  const first = await measured(workloads(COMPARED), size)
  const slips = slipsOf(kept, linesOf([...first.values()].flat()))
  const isSlipped = (row: Row) => slips.has(nameOf(row))
  const doubtful = [...first].filter(([, rows]) => rows.some(isSlipped)).map(([one]) => one)
  const again = doubtful.length ? await measured(doubtful, size) : first
  for (const [one, rows] of again) first.set(one, rows)
  const left = [...slipsOf(kept, linesOf([...first.values()].flat()))].filter(([name]) => slips.has(name))
  for (const [, words] of left) print(words)
  print(left.length ? `${left.length} have slipped since ${kept.version}` : `Nothing has slipped since ${kept.version}`)
  process.exitCode = left.length ? 1 : 0
}

async function keepForCheck(): Promise<void> {
  const rows = [...(await measured(workloads(COMPARED), sizeOf(CHECKED_ITEMS))).values()].flat()
  const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'))
  keepRatios({ version, items: CHECKED_ITEMS, day: new Date().toISOString().slice(0, 10), lines: linesOf(rows) })
}

/**
 * Measures the requests with many items. They have a copy of the data of their own, because they leave items in
 * hundreds of batches and sales.
 */
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
else if (asked.includes('--check')) await check()
else if (asked.includes('--keep')) await keepForCheck()
else {
  const isWorkload = (word: string) => /^S\d/.test(word)
  const withScreens = asked.includes(SCREENS)
  const others = asked.filter((word) => word !== REQUESTS && word !== SCREENS && (isWorkload(word) || !withScreens))
  if (asked.length === 0 || others.length > 0) await table(others.map((id) => (id === 'S12' ? 'S11' : id)))
  if (asked.length === 0 || asked.includes(REQUESTS)) await requests()
  if (asked.length === 0 || withScreens) await screens(asked.filter((word) => !isWorkload(word)))
}
