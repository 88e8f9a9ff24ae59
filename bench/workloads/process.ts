import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, logInAll } from '../bench.ts'
import { median } from '../measure.ts'
import { startServer } from '../processes.ts'
import { ms, type Row } from '../row.ts'
import { newItems } from './csv.ts'
import { makeInvoice } from './documents.ts'
import { download, exportAddress, importFile } from './files.ts'
import { commitPreview, previewFile, undoImport, workbookOf } from './previews.ts'
import type { Workload } from './workload.ts'

const MIB = 1024
const IDLE_MS = 3000
const LISTS_MS = 3000

/** The memory of a process in MB. */
const memoryOf = (pid: number) => residentOf(pid) / MIB

/** The memory of a process' children in MB. */
function memoryOfChildren(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + residentOf(Number(child)), 0) / MIB
}

/** The memory of a process in KiB; 0 if it has just ended. */
function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** The highest memory of a process while `work` runs. */
async function mostDuring(pid: number, work: Promise<unknown>, memory = memoryOf): Promise<number> {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, memory(pid))
  }, 20)
  await work.finally(() => clearInterval(timer))
  return most
}

async function previewAndUndo(bench: Bench): Promise<void> {
  const { id } = await previewFile(bench, (await newItems(bench, bench.size.importRows)).csv(), 'delivery.csv')
  await commitPreview(bench, id)
  await undoImport(bench, id)
}

/** Measures a server of its own, so that the work of earlier workloads does not count. */
const memory: Workload = {
  id: 'S15',
  async measure(shared) {
    if (process.platform !== 'linux') return []
    const server = await startServer({ DATABASE_URL: shared.database.url })
    try {
      const sessions = await logInAll(server.target)
      const sides = { ...shared.sides, server: { target: server.target, sessions } }
      const bench: Bench = { ...shared, server, sessions, sides }
      const { pid } = server
      const { rows, importRows } = { rows: shared.size.rows, importRows: shared.size.importRows }
      await sleep(IDLE_MS)
      const idle = memoryOf(pid)
      const importing = await mostDuring(pid, importFile(bench, (await newItems(bench, importRows)).csv(), false))
      const previewing = await mostDuring(pid, previewAndUndo(bench))
      const workbook = workbookOf((await newItems(bench, importRows)).csv())
      const opening = await mostDuring(pid, previewFile(bench, workbook, 'delivery.xlsx'), memoryOfChildren)
      const exporting = await mostDuring(pid, download(exportAddress(server.target), sessions[0]!.cookie))
      const csv = (await newItems(bench, importRows)).csv()
      const lists = { ...sides.server, clients: 16, forMs: LISTS_MS }
      const everything = Promise.all([
        importFile(bench, csv, false),
        download(exportAddress(server.target), sessions[0]!.cookie),
        makeInvoice(bench),
        bench.load.run({ ...lists, operations: [[{ method: 'GET', path: '/api/stock/find?per_page=250' }]] }),
      ])
      const worst = await mostDuring(pid, everything)
      const row = (title: string, most: number, asked: number): Row => ({
        ...{ id: 'S15', title: `Memory ${title}`, p50: `${Math.round(most)} MB`, ratioAsked: `${asked} MB` },
        met: most <= asked,
        figures: { megabytes: most },
      })
      return [
        row('idle, after 16 logins', idle, 200),
        row(`in an import of ${importRows.toLocaleString('en')} rows`, importing, 250),
        row('in a preview of as many, its import, and the undo of that', previewing, 250),
        row('of the process that opens an Excel workbook of as many', opening, 250),
        row(`in an export of ${rows.toLocaleString('en')} rows`, exporting, 250),
        row('at worst: both, an invoice of 1,000 lines and 16 people with pages of 250', worst, 450),
      ]
    } finally {
      await server.stop()
    }
  },
}

const STARTS = 5

/** Measures the time from `npm start` on an existing embedded database until the first page can be read. */
const coldStart: Workload = {
  id: 'S16',
  async measure() {
    const home = mkdtempSync(path.join(os.tmpdir(), 'backstock-bench-start-'))
    chmodSync(home, 0o755) // if this runs as root, PostgreSQL runs as another user, who must get through
    try {
      const took: number[] = []
      for (let start = 0; start <= STARTS; start++) {
        const started = performance.now()
        const server = await startServer({ DATA_DIR: home, DATABASE_URL: '' })
        const ready = await fetch(`${server.target}/readyz`)
        if (!ready.ok) throw new Error('The server is not ready')
        if (start > 0) took.push(performance.now() - started)
        await server.stop()
      }
      const p50 = median(took)
      return [
        {
          ...{ id: 'S16', title: 'Cold start, database initialised', p50: ms(p50), p95: ms(Math.max(...took)) },
          ...{ ratioAsked: '1500 ms', met: p50 <= 1500, figures: { p50 } },
        },
      ]
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
}

export const processes = [memory, coldStart]
