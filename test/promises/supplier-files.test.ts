import type { ImportPreview, PreviewRow } from '@backstock/contract/import-preview.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { previewed, replanned } from '../../packages/server/src/testing/preview-upload.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'
import { type Meant, type SupplierFile, supplierFile } from './supplier-files.ts'

// Quality, 4, B17: a supplier's file is read as its maker meant it, or the preview says so. SEED=… repeats a run.
const files = turns(20, 2000)

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

const rowsOf = async (id: number): Promise<PreviewRow[]> =>
  (await t.staff.get(`/api/stock/import/preview/${id}/rows?per_page=100`)).body.data

/** What the preview says of a row against what its maker meant; null if both agree. */
function differs(meant: Meant, { kind, becomes, errors }: PreviewRow): string | null {
  if (kind === 'failed') return meant.kind === 'phone' ? `lost: ${JSON.stringify(errors)}` : null
  if (kind !== 'new' || !becomes) return `is ${kind}`
  if (meant.kind !== 'phone') return `made a phone of ${meant.kind === 'none' ? meant.what : 'what cannot be read'}`
  const wrong = Object.entries(meant.phone).filter(
    ([field, value]) => value !== becomes[field as keyof typeof becomes] && !isUnknown(field, value),
  )
  return wrong.length === 0 ? null : `${JSON.stringify(becomes)} and not ${JSON.stringify(Object.fromEntries(wrong))}`
}
const isUnknown = (field: string, value: unknown) =>
  value === null && (field === 'network_locked' || field === 'functional' || field === 'purchase_date')

const isAsked = ({ kind, errors }: PreviewRow) =>
  kind === 'failed' &&
  Object.values(errors).every((message) => / say how (?:dates|amounts) are written\.$/.test(message))

function check({ csv, rows }: SupplierFile, plan: readonly PreviewRow[], mayAsk: boolean): void {
  const planned = new Map(plan.map((row) => [row.row, row]))
  const problems = [...rows].flatMap(([line, meant]) => {
    const row = planned.get(line)
    if (!row) return `row ${line} is not told`
    const problem = mayAsk && isAsked(row) ? null : differs(meant, row)
    return problem === null ? [] : `row ${line}: ${problem}`
  })
  const extra = plan.filter((row) => !rows.has(row.row)).map((row) => `row ${row.row} is nothing, and ${row.kind}`)
  expect([...problems, ...extra], csv).toEqual([])
}

/** The preview with columns chosen that it has not recognised, which it says; only cells in doubt are a reason. */
async function recognised({ csv, flags, hasDoubts }: SupplierFile, preview: ImportPreview): Promise<ImportPreview> {
  const mapping = preview.columns.flatMap(({ column, name, field, how }) => {
    const meant = flags[name]
    return meant !== undefined && field !== meant ? [{ column, field: meant, how }] : []
  })
  if (mapping.length === 0) return preview
  expect([hasDoubts, ...new Set(mapping.map(({ how }) => how))], csv).toEqual([true, 'none'])
  return replanned(t, t.staff, preview.import_id, { mapping: mapping.map(({ column, field }) => ({ column, field })) })
}

test('B17: no phone of a supplier’s file is lost, added or turned round without a word', async () => {
  const { rows: days } = await t.db.pool.query(
    `select (now() at time zone time_zone)::date::text as today from company`,
  )
  let phones = 0
  let asked = 0
  await fc.assert(
    fc.asyncProperty(supplierFile(days[0].today), async (file) => {
      const preview = await recognised(file, await previewed(t, t.staff, { csv: file.csv }))
      check(file, await rowsOf(preview.import_id), true)
      if (preview.asked.length > 0) {
        const { dates, decimal } = file
        const said = {
          ...(preview.asked.includes('dates') && { dates }),
          ...(preview.asked.includes('decimal') && { decimal }),
        }
        const again: ImportPreview = await replanned(t, t.staff, preview.import_id, said)
        expect(again.asked).toEqual([])
        check(file, await rowsOf(preview.import_id), false)
        asked++
      }
      phones += file.rows.size
    }),
    { numRuns: files, endOnFailure: false },
  )
  reached(
    'B17',
    `${phones.toLocaleString('en')} rows of ${files} files, ${asked} with a question: as meant`,
    'as meant, or said',
  )
})
