import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { project } from './database.ts'
import { type Growth, growthPlot, growthTable } from './growth.ts'
import { type Plan, plansText } from './plans.ts'
import { type RequestGrowth, requestsTable } from './request-growth.ts'
import type { Row } from './row.ts'
import type { ScreenTimes } from './screens/measure-screens.ts'
import { screensTable } from './screens/screens-table.ts'
import { markdownTable } from './table.ts'

const PAGE = path.join(project, 'docs/performance.md')
const PLOT = path.join(project, 'docs/pictures/growth.svg')

export const writeTable = (rows: readonly Row[], items: number) =>
  replace('table', `${where(items)}\n\n${markdownTable(rows)}`)
export const writePlans = (plans: readonly Plan[], items: number) =>
  replace('plans', `${where(items)}\n\n${plansText(plans)}`)
export const writeRequests = (found: readonly RequestGrowth[], items: number) =>
  replace('requests', `${where(items)}\n\n${requestsTable(found)}`)
export const writeScreens = (found: readonly ScreenTimes[], items: number) =>
  replace('screens', `${where(items)}\n\n${screensTable(found)}`)
export function writeGrowth(growth: readonly Growth[]): void {
  replace('growth', growthTable(growth))
  writeFileSync(PLOT, growthPlot(growth))
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in the page. */
function replace(name: string, text: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the ${name}`)
  writeFileSync(PAGE, `${page.slice(0, from + start.length)}\n${text}\n${page.slice(to)}`)
}

function where(items: number): string {
  const cores = os.availableParallelism()
  const memory = Math.round(os.totalmem() / 2 ** 30)
  const day = new Date().toISOString().slice(0, 10)
  return `${items.toLocaleString('en')} items; ${cores} cores (${os.cpus()[0]?.model.trim()}), ${memory} GB, Node ${process.versions.node}, PostgreSQL 18; ${day}.`
}
