import { DEFAULT_FIELDS, type DefaultField, plainColumnName } from '@backstock/contract/csv-columns.ts'
import { ColumnTarget, NAMED_FIELDS, type PreviewColumn, type Remembered } from '@backstock/contract/import-preview.ts'
import { type Dollar, dollarCalled } from '@backstock/contract/import-prices.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/connect.ts'
import type { Meaning, PlanSummary, PreviewSettings } from '../../../db/preview-columns.ts'
import { meaningKey, plainKey } from '../interpret/translation.ts'

export type Memory = {
  /** The remembered targets of columns, by `plainColumnName`. */
  columns: Map<string, NonNullable<PreviewColumn['last']>>
  defaults: Partial<Record<DefaultField, string>>
  rememberedDefaults: Partial<Record<DefaultField, Remembered>>
  meanings: Meaning[]
  /** The remembered currency of prices with the sign `$` alone. */
  dollar?: { dollar: Dollar; rememberedDollar: Remembered }
  /** The remembered exchange rates, by currency. */
  rates: Record<string, string>
  rememberedRates: Record<string, Remembered>
}
/** The owner of the memory: a supplier, or, for files without a supplier, the person who uploads them. */
export type Whose = { supplierId: number | null; userId: number | null }

/** The most meanings of names that are used for one file. Nobody would look through more. */
const MAX_MEANINGS = 1000
/** The most entries that are read; the last used ones are kept. */
const MAX_ENTRIES = 5000
/**
 * The defaults that are not remembered. They belong to one delivery, and the next file may have items that exist
 * already.
 */
const OF_ONE_FILE = ['supplier', 'purchase_price', 'purchase_date', 'status']
const REMEMBERED_DEFAULTS = DEFAULT_FIELDS.filter((field) => !OF_ONE_FILE.includes(field))

/** The kind of default under which a rate is stored, once for each currency. */
const RATE = 'purchase_fx_rate'

/** The key under which the currency of prices with the sign `$` alone is stored. */
const DOLLAR_SIGN = '$'

type Row = {
  kind: string
  field_of: string
  seen: string
  means: string | null
  by: string | null
  at: string
  since: string
}

/** The memory for a supplier's files; without a supplier, for this person's files. */
export async function memoryOf(db: Db, { supplierId, userId }: Whose): Promise<Memory> {
  const whose = supplierId === null ? sql`r.user_id = ${userId}::int` : sql`r.supplier_id = ${supplierId}::int`
  const { rows } = await sql<Row>`
    select r.kind, r.field_of, r.seen, r.means, u.name as by, r.used_at as at,
      r.said_at as since
    from import_remembered r left join app_user u on u.id = r.said_by
    where ${whose} order by r.used_at desc, r.id desc limit ${MAX_ENTRIES}`.execute(db)
  const memory: Memory = {
    columns: new Map(),
    defaults: {},
    rememberedDefaults: {},
    meanings: [],
    rates: {},
    rememberedRates: {},
  }
  for (const { kind, field_of, seen, means, by, at, since } of rows) {
    const remembered = { by, at }
    if (kind === 'column') {
      const target = ColumnTarget.safeParse(means)
      if (target.success) memory.columns.set(seen, { field: target.data, ...remembered })
    } else if (means !== null && kind === 'default' && field_of === RATE) {
      memory.rates[seen] = means
      memory.rememberedRates[seen] = { by, at: since }
    } else if (kind === 'default' && seen === DOLLAR_SIGN) {
      const dollar = dollarCalled(means ?? undefined)
      if (dollar) memory.dollar = { dollar, rememberedDollar: remembered }
    } else if (means !== null && kind === 'default') {
      const field = REMEMBERED_DEFAULTS.find((one) => one === field_of)
      if (field)
        Object.assign(memory, {
          defaults: { ...memory.defaults, [field]: means },
          rememberedDefaults: { ...memory.rememberedDefaults, [field]: remembered },
        })
    } else if (means !== null) {
      const field = NAMED_FIELDS.find((one) => one === field_of)
      if (field && memory.meanings.length < MAX_MEANINGS) memory.meanings.push({ field, seen, means, remembered })
    }
  }
  return memory
}

type Entry = { kind: string; field: string; name: string; seen: string; means: string | null; isGone: boolean }

/**
 * Stores the choices of a preview whose import starts. An entry that was remembered before, and that no row of the file
 * uses, stays as it is; so does the rate of a currency that no row has. For a supplier, these are the meanings of
 * columns and names, and the values that the file lacks. Without a supplier, only the columns are stored, for this
 * person alone.
 */
export async function remember(
  tx: Tx,
  { supplierId, userId }: Whose,
  header: readonly string[],
  { columns, defaults, meanings, rates = {}, dollar, rememberedDollar }: PreviewSettings,
  plan: Pick<PlanSummary, 'used' | 'currencies' | 'dollars'> | null,
): Promise<void> {
  const entries: Entry[] = columns.flatMap(({ field, how }, n) => {
    const name = header[n] ?? ''
    const seen = plainColumnName(name)
    // Only a person's choices are stored. A target that the column's name or cells give needs no memory.
    const isSaid = seen !== '' && (how === 'chosen' || how === 'remembered')
    return isSaid ? [{ kind: 'column', field: '', name, seen, means: field, isGone: false }] : []
  })
  if (supplierId !== null) {
    const used = new Set(plan?.used)
    const priced = new Set(plan?.currencies?.map(({ currency }) => currency))
    for (const { field, seen, means, remembered } of meanings)
      if (!remembered || used.has(meaningKey(field, seen)))
        entries.push({ kind: 'value', field, name: seen, seen: plainKey(seen), means, isGone: means === null })
    for (const field of REMEMBERED_DEFAULTS) {
      const means = defaults[field] ?? null
      entries.push({ kind: 'default', field, name: '', seen: '', means, isGone: means === null })
    }
    for (const [currency, means] of Object.entries(rates))
      if (means === null || priced.has(currency))
        entries.push({ kind: 'default', field: RATE, name: currency, seen: currency, means, isGone: means === null })
  }
  if (supplierId !== null && dollar !== undefined && (!rememberedDollar || plan?.dollars)) {
    const [name, seen] = [DOLLAR_SIGN, DOLLAR_SIGN]
    entries.push({ kind: 'default', field: 'purchase_currency', name, seen, means: dollar, isGone: false })
  }
  const own = [...new Map(entries.map((entry) => [`${entry.kind} ${entry.field} ${entry.seen}`, entry])).values()]
  const owner = supplierId === null ? userId : null
  const keys = (of: readonly Entry[]) => sql`unnest(
    ${of.map(({ kind }) => kind)}::text[], ${of.map(({ field }) => field)}::text[], ${of.map(({ seen }) => seen)}::text[],
    ${of.map(({ name }) => name)}::text[], ${of.map(({ means }) => means)}::text[])
      as e (kind, field_of, seen, name, means)`
  // The rows are sorted, so that two people who store the same entries cannot block each other.
  await sql`
    insert into import_remembered (supplier_id, user_id, kind, field_of, seen, name, means, said_by)
    select ${supplierId}::int, ${owner}::int, kind, field_of, seen, name, means, ${userId}::int
    from ${keys(own.filter(({ isGone }) => !isGone))} order by kind, field_of, seen
    on conflict (supplier_id, user_id, kind, field_of, seen) do update set means = excluded.means, used_at = now(),
      name = case when excluded.name = excluded.seen then import_remembered.name else excluded.name end,
      said_at = case when import_remembered.means is not distinct from excluded.means
        then import_remembered.said_at else now() end,
      said_by = case when import_remembered.means is not distinct from excluded.means
        then import_remembered.said_by else excluded.said_by end`.execute(tx)
  await sql`
    delete from import_remembered where id in (
      select r.id from import_remembered r join ${keys(own.filter(({ isGone }) => isGone))}
        on r.kind = e.kind and r.field_of = e.field_of and r.seen = e.seen
      where r.supplier_id = ${supplierId}::int order by r.kind, r.field_of, r.seen for update of r)`.execute(tx)
}
