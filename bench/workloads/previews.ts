import { setTimeout as sleep } from 'node:timers/promises'
import { xlsxOf } from '../../packages/server/src/testing/xlsx.ts'
import type { Bench } from '../bench.ts'
import { median } from '../measure.ts'
import { ms, type Row, times } from '../row.ts'
import { newItems } from './csv.ts'
import { importFile } from './files.ts'
import type { Workload } from './workload.ts'

const ROUNDS = 3
/** The requirement: the time of a preview, as a part of the import's time. */
const ASKED = 0.5

async function post(bench: Bench, path: string, body?: FormData): Promise<number> {
  const { target, sessions } = bench.sides.server
  const { cookie, csrf } = sessions[0]!
  const headers = { cookie, 'x-xsrf-token': csrf }
  const response = await fetch(`${target}/api/stock/import/${path}`, { method: 'POST', headers, body: body ?? null })
  const answer = (await response.json()) as { data: { import_id: number } }
  if (!response.ok) throw new Error(`${path} was refused: ${JSON.stringify(answer)}`)
  return answer.data.import_id
}

/** Runs `work`, and waits until its import has this state. Returns the import, and the time in seconds. */
async function until(
  bench: Bench,
  wanted: string,
  work: () => Promise<number>,
): Promise<{ id: number; seconds: number }> {
  const started = performance.now()
  const id = await work()
  for (;;) {
    const { rows } = await bench.db.query<{ state: string; failed: number }>(
      'select coalesce(undo, state) as state, failed from import where id = $1',
      [id],
    )
    const { state, failed } = rows[0]!
    if (state === 'failed' || failed > 0) throw new Error(`The import is ${state}, ${failed} rows failed`)
    if (state === wanted) return { id, seconds: (performance.now() - started) / 1000 }
    await sleep(25)
  }
}

/** Uploads a file for a preview as the screens do, and waits until its plan is made. */
export function previewFile(
  bench: Bench,
  file: string | Buffer,
  name: string,
): Promise<{ id: number; seconds: number }> {
  const form = new FormData()
  form.set('csv', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), name)
  return until(bench, 'previewed', () => post(bench, 'preview', form))
}

export const commitPreview = (bench: Bench, id: number) =>
  until(bench, 'done', () => post(bench, `preview/${id}/commit`))
export const undoImport = (bench: Bench, id: number) => until(bench, 'undone', () => post(bench, `history/${id}/undo`))

/** A workbook with the rows of a CSV file. */
export const workbookOf = (csv: string) =>
  xlsxOf(
    csv
      .trim()
      .split('\n')
      .map((line) => line.split(',')),
  )

/** The preview of a file, its import and the undo of this import, beside an import without a preview. */
export const previews: Workload = {
  id: 'S19',
  async measure(bench) {
    const rows = bench.size.importRows
    const file = async (count = rows) => (await newItems(bench, count)).csv()
    // These are not counted, because they compile code.
    await importFile(bench, await file(1000), false)
    await undoImport(bench, (await commitPreview(bench, (await previewFile(bench, await file(1000), 'a.csv')).id)).id)
    const took: Record<'import' | 'plan' | 'workbook' | 'commit' | 'undo', number[]> = {
      ...{ import: [], plan: [], workbook: [], commit: [], undo: [] },
    }
    for (let round = 0; round < ROUNDS; round++) {
      took.import.push(await importFile(bench, await file(), false))
      const csv = await file()
      took.workbook.push((await previewFile(bench, workbookOf(csv), 'delivery.xlsx')).seconds)
      const planned = await previewFile(bench, csv, 'delivery.csv')
      took.plan.push(planned.seconds)
      took.commit.push((await commitPreview(bench, planned.id)).seconds)
      took.undo.push((await undoImport(bench, planned.id)).seconds)
    }
    const alone = median(took.import) * 1000
    const row = (title: string, seconds: readonly number[], asked?: number): Row => {
      const time = median(seconds) * 1000
      return {
        ...{ id: 'S19', title, p50: ms(time), limit: ms(alone), ratio: time / alone },
        ...(asked !== undefined && { ratioAsked: times(asked), met: time / alone <= asked }),
        figures: { ms: time, importMs: alone },
      }
    }
    return [
      row(`Preview of ${rows.toLocaleString('en')} new rows, beside their import without one`, took.plan, ASKED),
      row('The same from an Excel workbook', took.workbook),
      row('Its import', took.commit),
      row('Undo of it', took.undo, ASKED),
    ]
  },
}
