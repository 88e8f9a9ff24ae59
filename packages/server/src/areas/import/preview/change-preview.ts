import type { FieldErrors } from '@backstock/contract/answer.ts'
import { columnCalled, DEFAULT_FIELDS, fieldFilledBy } from '@backstock/contract/csv-columns.ts'
import { BYTE_ENCODINGS } from '@backstock/contract/csv-form.ts'
import { IN_FUTURE, isInFuture } from '@backstock/contract/future-day.ts'
import type { PreviewChanges } from '@backstock/contract/import-preview.ts'
import { dollarCalled } from '@backstock/contract/import-prices.ts'
import { CURRENCY, MAX_PRICE, parseCurrencyUnits, toCurrencyUnits } from '@backstock/contract/money.ts'
import { plainName, textProblem } from '@backstock/contract/plain-text.ts'
import { NO_CURRENCY, NO_FX_RATE, PURCHASE_CURRENCIES, parseFxRate } from '@backstock/contract/purchase-currency.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'
import { whyNoPrice } from '@backstock/contract/why-no-price.ts'
import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { PreviewSettings } from '../../../db/preview-columns.ts'
import type { Tables } from '../../../db/tables.ts'
import { conflict, invalid, missing } from '../../../http/refusal.ts'
import { zip } from '../../../lists.ts'
import { todayOf } from '../../company.ts'
import { meaningKey } from '../interpret/translation.ts'
import { type Memory, memoryOf } from './memory.ts'
import { isByteEncoding, recodedCells, recoding } from './recoded.ts'
import { currencySaid, guessed, queuePlan } from './stage-preview.ts'
import { supplierName } from './supplier-names.ts'

type Import = Selectable<Tables['import']>
export type OpenPreview = Import & { preview: PreviewSettings; header: string[] }

/** Locks a person's own preview. Throws 404 if there is none, 409 if its import has been started. */
export async function lockPreview(tx: Tx, userId: number, id: number): Promise<OpenPreview> {
  const found = await tx
    .selectFrom('import')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('preview', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found?.preview || !found.header) throw missing(`Preview #${id}`)
  if (found.state !== 'previewing' && found.state !== 'previewed')
    throw conflict('This preview has been imported already.')
  return { ...found, preview: found.preview, header: found.header }
}

export const whose = ({ supplier_id, user_id }: Pick<Import, 'supplier_id' | 'user_id'>) => ({
  supplierId: supplier_id,
  userId: user_id,
})

const PRECEDES = 'Another column has this meaning already.'
/** The most meanings of one file, with the remembered ones. */
const MAX_MEANINGS = 5000

/** Changes how a preview reads its file, and queues a new plan. Throws 404, 409, or 422 under the fields. */
export async function changePreview(tx: Tx, userId: number, id: number, changes: PreviewChanges): Promise<void> {
  const open = await lockPreview(tx, userId, id)
  const settings = structuredClone(open.preview)
  const planNo = open.plan_no + 1
  const errors: FieldErrors = {}
  if (changes.encoding !== undefined && changes.encoding !== settings.encoding)
    await recode(tx, open, settings, changes.encoding)
  const supplierId = changes.supplier_id === undefined ? open.supplier_id : changes.supplier_id
  if (supplierId !== open.supplier_id) await changeSupplier(tx, open, settings, supplierId)
  if (changes.mapping) mapColumns(open.header, settings, changes.mapping, errors)
  if (changes.mapping || open.preview.encoding !== settings.encoding) {
    const said = currencySaid(open.header, settings.columns)
    if (said !== undefined) settings.defaults.purchase_currency ??= said
  }
  if (changes.decimal) settings.decimal = changes.decimal
  if (changes.dates) settings.dates = changes.dates
  if (changes.dollar) {
    settings.dollar = changes.dollar
    delete settings.rememberedDollar
  }
  if (changes.several) settings.several = changes.several
  const today = await todayOf(tx)
  for (const field of DEFAULT_FIELDS) {
    const value = changes.defaults?.[field]
    if (value === undefined) continue
    const plain = plainName(value ?? '')
    const isUnknown = field === 'purchase_currency' && plain !== '' && !Object.hasOwn(PURCHASE_CURRENCIES, plain)
    const price = field === 'purchase_price' ? parseCurrencyUnits(plain) : null
    const isNoPrice = field === 'purchase_price' && plain !== '' && (price === null || price > MAX_PRICE)
    const isLater = field === 'purchase_date' && isCalendarDate(plain) && isInFuture(plain, today)
    const problem =
      textProblem(plain) ?? (isUnknown ? NO_CURRENCY : isNoPrice ? whyNoPrice(plain) : isLater ? IN_FUTURE : null)
    if (problem) errors[`defaults.${field}`] = problem
    delete settings.rememberedDefaults?.[field]
    if (plain === '') delete settings.defaults[field]
    else settings.defaults[field] = price === null ? plain : toCurrencyUnits(price)
  }
  setRates(settings, changes.rates ?? [], errors)
  setMeanings(settings, changes.values ?? [], errors)
  if (changes.cells) await mendCells(tx, open, changes.cells, planNo, errors)
  if (Object.keys(errors).length) throw invalid(errors)
  await tx
    .updateTable('import')
    .set({
      state: 'previewing',
      error: null,
      header: JSON.stringify(open.header),
      preview: JSON.stringify(settings),
      supplier_id: supplierId,
      update_existing: changes.update_existing ?? open.update_existing,
      plan: null,
      models: null,
      plan_no: planNo,
      touched_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
  await queuePlan(tx, { import_id: id, plan_no: planNo })
}

/**
 * Changes the encoding of a preview. Header, titles and samples are read again now, the rows by the next plan. Columns
 * for which nobody has chosen a field are recognised again.
 */
async function recode(tx: Tx, open: OpenPreview, settings: PreviewSettings, encoding: string): Promise<void> {
  const { encoding: now } = settings
  if (now === null) throw invalid({ encoding: 'An Excel file has no encoding to choose.' })
  if (!isByteEncoding(encoding) || !isByteEncoding(now))
    throw invalid({ encoding: `Must be one of ${BYTE_ENCODINGS.join(', ')}. For another one send the file again.` })
  await sql`update import_part set encoding = ${now} where import_id = ${open.id} and encoding is null`.execute(tx)
  const recoded = recoding(now, encoding)
  open.header = open.header.map(recoded)
  settings.titles = settings.titles.map(recoded)
  settings.top = settings.top.map(({ row, text }) => ({ row, text: recoded(text) }))
  for (const column of settings.columns) column.samples = column.samples.map(recoded)
  settings.encoding = encoding
  settings.encoding_guessed = false
  await guessAgain(tx, open, settings, await memoryOf(tx, whose(open)))
}

async function guessAgain(tx: Tx, open: OpenPreview, settings: PreviewSettings, memory: Memory): Promise<void> {
  const first = await tx
    .selectFrom('import_part')
    .select(['lines', 'cells', 'encoding', 'mended'])
    .where('import_id', '=', open.id)
    .where('part', '=', 0)
    .executeTakeFirst()
  const cells = first ? recodedCells(first, settings.encoding) : []
  const taken = new Set(settings.columns.flatMap(({ how, field }) => (how === 'chosen' ? fieldFilledBy(field) : [])))
  for (const [column, { field, how, last }] of zip(settings.columns, guessed(open.header, cells, memory))) {
    column.last = last
    if (column.how === 'chosen') continue
    const isTaken = field !== null && field !== 'further' && taken.has(fieldFilledBy(field))
    Object.assign(column, isTaken ? { field: 'further', how: 'none' } : { field, how })
  }
}

/**
 * Changes the supplier of a preview. Columns for which nobody has chosen a field are recognised again with the memory
 * of the new supplier.
 */
async function changeSupplier(
  tx: Tx,
  open: OpenPreview,
  settings: PreviewSettings,
  supplierId: number | null,
): Promise<void> {
  const before = open.supplier_id === null ? undefined : await supplierName(tx, open.supplier_id)
  const name = supplierId === null ? undefined : await supplierName(tx, supplierId)
  const memory = await memoryOf(tx, { supplierId, userId: open.user_id })
  await guessAgain(tx, open, settings, memory)
  const { supplier, ...defaults } = settings.defaults
  // The memory of the previous supplier does not hold for the new one.
  const remembered = (await memoryOf(tx, whose(open))).defaults
  for (const field of DEFAULT_FIELDS)
    if (field !== 'supplier' && defaults[field] === remembered[field]) delete defaults[field]
  settings.rememberedDefaults = memory.rememberedDefaults
  const own = Object.entries(settings.rates ?? {}).filter(([one]) => !settings.rememberedRates?.[one])
  const rates = { ...memory.rates, ...Object.fromEntries(own) }
  settings.rates = rates
  settings.rememberedRates = Object.fromEntries(
    Object.entries(memory.rememberedRates).filter(([one]) => rates[one] === memory.rates[one]),
  )
  if (settings.dollar === undefined || settings.rememberedDollar) {
    delete settings.dollar
    delete settings.rememberedDollar
    if (!dollarCalled(currencySaid(open.header, settings.columns))) Object.assign(settings, memory.dollar)
  }
  const others = supplier === undefined || supplier === before ? name : supplier
  settings.defaults = { ...memory.defaults, ...defaults, ...(others !== undefined && { supplier: others }) }
  const chosen = settings.meanings.filter(({ isChosen }) => isChosen)
  const keys = new Set(chosen.map(({ field, seen }) => meaningKey(field, seen)))
  settings.meanings = [...chosen, ...memory.meanings.filter(({ field, seen }) => !keys.has(meaningKey(field, seen)))]
}

/** Gives fields to columns. If another column had the field, that column loses it. */
function mapColumns(
  header: readonly string[],
  { columns }: PreviewSettings,
  mapping: NonNullable<PreviewChanges['mapping']>,
  errors: FieldErrors,
): void {
  const given = new Set<string>()
  for (const [n, { column, field }] of mapping.entries()) {
    const under = `mapping.${n}`
    const name = header[column]
    const mapped = columns[column]
    if (name === undefined || !mapped) errors[`${under}.column`] = 'There is no such column.'
    else if (field === 'further') {
      if (name === '') errors[`${under}.field`] = 'This column has no name under which it could be kept.'
      // A column of ours has this name. An export would write the further column under the same name.
      else if (columnCalled(name) === name) errors[`${under}.field`] = 'A further column cannot have this name.'
      else if (columns.some((one, other) => other !== column && one.field === 'further' && header[other] === name))
        errors[`${under}.field`] = `The column ${name} is there twice.`
    } else if (field !== null) {
      const filled = fieldFilledBy(field)
      if (given.has(filled)) errors[`${under}.field`] = PRECEDES
      given.add(filled)
      for (const other of columns)
        if (fieldFilledBy(other.field) === filled) Object.assign(other, { field: null, how: 'chosen' })
    }
    if (mapped) Object.assign(mapped, { field, how: 'chosen' })
  }
}

function setRates(settings: PreviewSettings, rates: NonNullable<PreviewChanges['rates']>, errors: FieldErrors): void {
  settings.rates ??= {}
  for (const [n, { currency, rate }] of rates.entries()) {
    const number = rate === null ? null : parseFxRate(rate)
    if (currency === CURRENCY || !Object.hasOwn(PURCHASE_CURRENCIES, currency))
      errors[`rates.${n}.currency`] = NO_CURRENCY
    else if (rate !== null && number === null) errors[`rates.${n}.rate`] = NO_FX_RATE
    else {
      settings.rates[currency] = number === null ? null : String(number)
      delete settings.rememberedRates?.[currency]
    }
  }
}

function setMeanings(
  settings: PreviewSettings,
  values: NonNullable<PreviewChanges['values']>,
  errors: FieldErrors,
): void {
  const meanings = new Map(settings.meanings.map((one) => [meaningKey(one.field, one.seen), one]))
  for (const [n, { field, seen, means }] of values.entries()) {
    const plain = means === null ? null : plainName(means)
    const problem = textProblem(seen) ?? textProblem(plain ?? '') ?? (plain === '' ? 'This field is required.' : null)
    if (problem) errors[`values.${n}.means`] = problem
    meanings.set(meaningKey(field, seen), { field, seen, means: plain, isChosen: true })
  }
  if (meanings.size > MAX_MEANINGS) errors['values'] = `At most ${MAX_MEANINGS.toLocaleString('en')} names.`
  settings.meanings = [...meanings.values()]
}

/**
 * Writes a person's corrections into the cells. The parts with these cells no longer count as planned. The database
 * does the work: a thousand cells may be in as many parts, which do not fit into memory together.
 */
async function mendCells(
  tx: Tx,
  { id, header }: OpenPreview,
  cells: NonNullable<PreviewChanges['cells']>,
  planNo: number,
  errors: FieldErrors,
): Promise<void> {
  const asked = sql`${cells.map(({ row }) => row)}::int[]`
  const { rows } = await sql<{ line: number }>`
    select line from import_part, unnest(lines) line
    where import_id = ${id} and lines && ${asked} and line = any(${asked})`.execute(tx)
  const lines = new Set(rows.map(({ line }) => line))
  const mended: Record<number, Record<number, string>> = {}
  for (const [n, { row, column, value }] of cells.entries()) {
    const problem = textProblem(value)
    if (!lines.has(row)) errors[`cells.${n}.row`] = 'There is no such row.'
    else if (column >= header.length) errors[`cells.${n}.column`] = 'There is no such column.'
    else if (problem) errors[`cells.${n}.value`] = problem
    else {
      mended[row] ??= {}
      mended[row][column] = value
    }
  }
  if (cells.length === 0 || Object.keys(errors).length) return
  await sql`
    with mended as materialized (
      select line::int, cells, (select max(n::int) from jsonb_object_keys(cells) n) as last
      from jsonb_each(${JSON.stringify(mended)}::jsonb) as m (line, cells))
    update import_part p set plan = null, planned = array[0, 0, 0, 0], plan_no = ${planNo},
      mended = coalesce(p.mended, '{}') || (
        select jsonb_object_agg(format('%s %s', m.line, n), true)
        from mended m, jsonb_object_keys(m.cells) n where m.line = any(p.lines)),
      cells = (
      select jsonb_agg(case when m.line is null then r.cells else (
          select jsonb_agg(coalesce(m.cells -> n::text, r.cells -> n, '""') order by n)
          from generate_series(0, greatest(jsonb_array_length(r.cells) - 1, m.last)) n) end order by r.ord)
      from jsonb_array_elements(p.cells) with ordinality r (cells, ord)
        left join mended m on m.line = p.lines[r.ord::int])
    where p.import_id = ${id} and p.lines && ${asked}`.execute(tx)
}
