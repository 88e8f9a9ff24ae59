import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { workload } from './all-workloads.ts'
import { openBench } from './bench.ts'
import { median } from './measure.ts'
import type { Size } from './size.ts'

/** A statement of the server, how often it ran in the mix below, its total time, and one of its plans. */
export type Plan = { statement: string; calls: number; ms: number; plan: string }

/** A mix of workloads like a part of a working day: the number of operations of each. */
const DAY = { S1: 36, S2: 9, S3: 3, S4: 15, S5: 12, S6: 6, S7: 24, S8: 15, S9: 12, S10: 6 }
const MOST_USED = 10
/** With these settings PostgreSQL logs the plan and the time of each statement. */
const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_parameter_max_length': '0',
}

/** Runs the mix on the real server. Returns the ten statements that ran most often. */
export async function mostUsed(size: Size, say: (line: string) => void): Promise<Plan[]> {
  const bench = await openBench(size, say, SETTINGS)
  try {
    const from = sizeOfFile(bench.database.logFile)
    for (const [id, times] of Object.entries(DAY)) {
      const operations = workload(id).operations!(bench, 'server', times)
      const repeated = Array.from({ length: times }, (_, n) => operations[n % operations.length]!)
      await bench.load.run({ ...bench.sides.server, operations: repeated, clients: 1 })
    }
    return ranked(readFrom(bench.database.logFile, from), String(bench.database.connection.database))
  } finally {
    await bench.close()
  }
}

function sizeOfFile(file: string): number {
  const handle = openSync(file, 'r')
  const { size } = fstatSync(handle)
  closeSync(handle)
  return size
}

function readFrom(file: string, start: number): string {
  const handle = openSync(file, 'r')
  const content = Buffer.alloc(fstatSync(handle).size - start)
  readSync(handle, content, 0, content.length, start)
  closeSync(handle)
  return content.toString('utf8')
}

/** Reads PostgreSQL's log. An entry begins with the name of the database, and its further lines with a tab. */
function ranked(log: string, database: string): Plan[] {
  const byStatement = new Map<string, { ms: number; plan: string }[]>()
  const entry = new RegExp(`^${database} LOG: +duration: ([\\d.]+) ms +plan:\\n((?:\\t.*\\n?)+)`, 'gm')
  for (const [, duration, text] of log.matchAll(entry)) {
    const lines = text!.split('\n').map((line) => line.replace(/^\t/, ''))
    const start = lines.findIndex((line) => /\(cost=\d/.test(line))
    const statement = lines.slice(0, start).join(' ').replace('Query Text:', '').replace(/\s+/g, ' ').trim()
    // Skip entries without a text (SQL functions that the planner evaluates), and those of the job queue, which asks
    // all the time.
    if (statement === '' || /graphile_worker|"?worker"?\b/.test(statement)) continue
    const plan = lines.slice(start).join('\n').trimEnd()
    byStatement.set(statement, [...(byStatement.get(statement) ?? []), { ms: Number(duration), plan }])
  }
  return [...byStatement]
    .map(([statement, runs]) => {
      const ms = median(runs.map((run) => run.ms))
      return { statement, calls: runs.length, ms, plan: runs.find((run) => run.ms === ms)!.plan }
    })
    .sort((a, b) => b.calls - a.calls || b.ms - a.ms)
    .slice(0, MOST_USED)
}

export function plansText(plans: readonly Plan[]): string {
  return plans
    .map(
      ({ statement, calls, ms, plan }, n) =>
        `### ${n + 1}. ${calls} times, ${ms.toFixed(2)} ms\n\n\`\`\`sql\n${statement}\n\`\`\`\n\n\`\`\`text\n${plan}\n\`\`\``,
    )
    .join('\n\n')
}
