import type { ImportPreview, PreviewRow } from '@backstock/contract/import-preview.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PreviewForm, previewed, replanned } from '../../packages/server/src/testing/preview-upload.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'
import { SHEET } from './supplier-book.ts'
import { type Meant, type Phone, type SupplierFile, supplierFile } from './supplier-files.ts'

// Promise B17 of docs/promises.md: a supplier's file is read as its maker meant it, or the preview says that it is in
// doubt. SEED=… repeats a run.
const files = turns(20, 2000)

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

const rowsOf = async (id: number): Promise<PreviewRow[]> =>
  (await t.staff.get(`/api/stock/import/preview/${id}/rows?per_page=100`)).body.data

/** The difference between a row's preview and what its maker meant; null if both agree. */
function differs(
  meant: Meant,
  { kind, becomes, errors, id }: PreviewRow,
  known: ReadonlyMap<string, number>,
): string | null {
  if (kind === 'failed') return meant.kind === 'phone' && !meant.mayFail ? `lost: ${JSON.stringify(errors)}` : null
  if (meant.kind === 'none') return `made a phone of ${meant.what}`
  if (kind === 'updated' || kind === 'unchanged')
    return id === known.get(keyOf(meant.phone)) ? null : `changes item ${id} and not ${known.get(keyOf(meant.phone))}`
  if (known.size > 0) return 'is new, and the shop has it'
  if (meant.kind === 'broken' || !becomes) return 'made a phone of what cannot be read'
  const wrong = Object.entries(meant.phone).filter(
    ([field, value]) => value !== becomes[field as keyof typeof becomes] && !isUnknown(field, value),
  )
  return wrong.length === 0 ? null : `${JSON.stringify(becomes)} and not ${JSON.stringify(Object.fromEntries(wrong))}`
}
const keyOf = ({ imei, serial_number }: Pick<Phone, 'imei' | 'serial_number'>) => `${imei ?? ''} ${serial_number ?? ''}`
const isUnknown = (field: string, value: unknown) =>
  value === null && (field === 'network_locked' || field === 'functional' || field === 'purchase_date')

const isAsked = ({ kind, errors }: PreviewRow) =>
  kind === 'failed' &&
  Object.values(errors).every((message) =>
    / choose how (?:dates|amounts) are written\.$|^This field is required: how many [A-Z]{3} one EUR was\.$/.test(
      message,
    ),
  )

type Looked = { preview: ImportPreview; known: Known; mayAsk: boolean }

async function check({ csv, rows, blanks }: SupplierFile, { preview, known, mayAsk }: Looked): Promise<void> {
  const plan = await rowsOf(preview.import_id)
  const planned = new Map(plan.map((row) => [row.row, row]))
  const problems = [...rows].flatMap(([line, meant]) => {
    const row = planned.get(line)
    if (!row) return `row ${line} is not told`
    const problem = mayAsk && isAsked(row) ? null : differs(meant, row, known)
    return problem === null ? [] : `row ${line}: ${problem}`
  })
  const extra = plan.filter((row) => !rows.has(row.row)).map((row) => `row ${row.row} is nothing, and ${row.kind}`)
  expect([...problems, ...extra], csv).toEqual([])
  const told = preview.notes.find(({ kind }) => kind === 'blank_locked' || kind === 'blank_unlocked')
  const counted = told?.kind === 'blank_locked' ? ['new', 'updated', 'unchanged'] : ['new']
  const blank = plan.filter(({ kind, row }) => counted.includes(kind) && blanks.has(row)).length
  expect([told?.count ?? 0, 'empty cells told'], csv).toEqual([blank, 'empty cells told'])
}

type Known = ReadonlyMap<string, number>

/** Creates the items that the file changes, and returns them by their identifiers. */
async function inStock({ isUpdate, rows }: SupplierFile): Promise<Known> {
  const phones = isUpdate ? [...rows.values()].flatMap((meant) => (meant.kind === 'none' ? [] : meant.phone)) : []
  if (phones.length === 0) return new Map()
  const { rows: made } = await t.db.pool.query<{ id: number; imei: string | null; serial_number: string | null }>(
    `insert into stock (actual_product_id, imei, serial_number, purchase_price, status)
     select $1, imei, serial_number, 100, 'In Stock' from unnest($2::text[], $3::text[]) as n (imei, serial_number)
     where imei is not null or serial_number is not null returning id, imei, serial_number`,
    [t.shop.product, phones.map(({ imei }) => imei), phones.map(({ serial_number }) => serial_number)],
  )
  return new Map(made.map((item) => [keyOf(item), item.id]))
}

/** Uploads a file as its maker sends it. For a file without a header, a person says so and names the columns. */
async function opened(file: SupplierFile): Promise<ImportPreview> {
  const { csv, bytes, book, encoding, headerRow, fields, isUpdate } = file
  const form: PreviewForm = {
    ...(book ? { csv: book.xlsx, name: 'stock.xlsx' } : { csv: bytes }),
    ...(book?.leavesOutHidden && { leaves_out_hidden: 'true' }),
    ...(isUpdate && { update_existing: 'true' }),
  }
  let preview: ImportPreview = await previewed(t, t.staff, form)
  if (book) {
    expect(preview.sheet, csv).toBe(SHEET)
    const told = Object.fromEntries(preview.notes.map(({ kind, count }) => [kind, count]))
    expect(told, csv).toMatchObject(book.notes)
  }
  if (!book && preview.encoding !== encoding && /[^\p{ASCII}]/u.test(csv)) {
    // The file's letters are valid in two encodings, and the preview has said that it guessed.
    expect([preview.encoding_guessed, encoding], csv).toEqual([true, expect.stringContaining('windows')])
    preview = await replanned(t, t.staff, preview.import_id, { encoding })
  }
  if (headerRow !== null) {
    expect(preview.header_row, csv).toBe(headerRow)
    return recognised(file, preview)
  }
  expect(preview.header_row, csv).toBeNull()
  const { import_id, columns } = preview
  // IMEIs are recognised without a name for their column.
  const mapping = columns.flatMap(({ column, field }) => (field === 'imei' ? [] : { column, field: fields[column] }))
  return replanned(t, t.staff, import_id, { mapping })
}

/**
 * Chooses the fields of columns that the preview has not recognised. The preview must have said so, and may do so only
 * because of doubtful cells.
 */
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
  let books = 0
  await fc.assert(
    fc.asyncProperty(supplierFile(days[0].today), async (file) => {
      const known = await inStock(file)
      const preview = await opened(file)
      await check(file, { preview, known, mayAsk: true })
      const foreign = preview.currencies.map(({ currency }) => currency)
      expect([[], [file.currency]], file.csv).toContainEqual(foreign)
      if (preview.asked.length + foreign.length > 0) {
        const { dates, decimal } = file
        const said = {
          ...(preview.asked.includes('dates') && { dates }),
          ...(preview.asked.includes('decimal') && { decimal }),
          rates: foreign.map((currency) => ({ currency, rate: '4.25' })),
        }
        let again: ImportPreview = await replanned(t, t.staff, preview.import_id, said)
        // Once the only amount can be read, the preview asks for the rate of its currency.
        const rates = again.currencies.map(({ currency }) => ({ currency, rate: '4.25' }))
        if (rates.length > foreign.length) again = await replanned(t, t.staff, preview.import_id, { rates })
        expect(again.asked).toEqual([])
        await check(file, { preview: again, known, mayAsk: false })
        asked++
      }
      await t.db.pool.query('delete from stock where id = any($1)', [[...known.values()]])
      phones += file.rows.size
      books += Number(file.book !== null)
    }),
    { numRuns: files, endOnFailure: true },
  )
  reached(
    'B17',
    `${phones.toLocaleString('en')} rows of ${files} files, ${books} of them workbooks, ${asked} with a question: as meant`,
    'as meant, or said',
  )
})
