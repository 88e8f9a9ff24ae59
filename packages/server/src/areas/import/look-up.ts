import { isWholeImei } from '@backstock/contract/imei.ts'
import { vatDisplayName } from '@backstock/contract/vat-rate.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { at, getFrom, zip } from '../../lists.ts'
import { todayOf } from '../company.ts'
import type { CsvValues } from '../stock/columns.ts'
import { comparable, IDENTIFIER_KINDS, IDENTIFIERS, type IdentifierKind, isImei } from '../stock/identifier-kinds.ts'
import { IS_IMEI } from '../stock/identifiers.ts'
import {
  type Choice,
  type CurrentItem,
  chooseItem,
  type FoundItem,
  type MeantRow,
  meantRow,
  restOf,
} from './decide/choose-item.ts'
import type { Known } from './decide/decide-rows.ts'
import type { KnownProduct, KnownSupplier, NamedRecord } from './decide/decision.ts'
import { type FurtherColumn, furtherColumnErrors, hasFurtherColumns } from './decide/further-columns.ts'
import { type DescribedProduct, productKey } from './read/described-product.ts'
import { mapWithPauses } from './read/map-with-pauses.ts'
import type { ParsedRow } from './read/parse-row.ts'

export type LookUpOptions = {
  /** False: a row fails if the shop still has an item with one of its identifiers. True: the row updates that item. */
  updateExisting: boolean
  /**
   * The partner that pushes the rows; null for a file. New items belong to the partner, and it can change only its own
   * items.
   */
  partnerId: number | null
  /** Further columns that earlier parts of the plan would add to the shop. */
  columnsToCome?: readonly FurtherColumn[]
}
/** Reads the items that rows mean, and returns them by id. */
type ReadItems = (rows: readonly ParsedRow[], choices: readonly Choice[]) => Promise<Map<number, CurrentItem>>

/**
 * Reads everything that `decideRows` needs, and writes nothing. If the caller writes the decisions, it must hold
 * `lockImports`, so that no other import brings further columns meanwhile, and `readItems` must lock the items.
 */
export async function lookUp(
  db: Db,
  parsed: readonly ParsedRow[],
  { updateExisting, partnerId, columnsToCome = [] }: LookUpOptions,
  readItems: ReadItems,
): Promise<{ rows: MeantRow[]; known: Known }> {
  const found = await findItems(db, parsed, updateExisting, partnerId)
  const rows = await withFurtherColumnErrors(db, parsed, partnerId, columnsToCome)
  const choices = zip(rows, found).map(([{ values }, own]) => chooseItem(values, own, updateExisting))
  const items = await readItems(rows, choices)
  const chosen = await mapWithPauses(zip(rows, zip(found, choices)), ([row, [own, choice]]) =>
    meantRow(row, own, choice, items, partnerId),
  )
  const meant = await withHoldersOfRest(db, chosen, partnerId)
  const records = await loadNames(db, meant)
  const described = meant.map(({ product }) => product).filter((product) => product !== null)
  return { rows: meant, known: { ...records, products: await findProducts(db, described), today: await todayOf(db) } }
}

/** For rows that bring an item back, adds the items that have one of its other identifiers by now. */
async function withHoldersOfRest(db: Db, meant: MeantRow[], partnerId: number | null): Promise<MeantRow[]> {
  const keys = meant.flatMap((one, n) => keysOf(restOf(one), n))
  if (keys.length === 0) return meant
  const holders = await itemsByKey(db, keys, false)
  const byRow = Map.groupBy(holders, ([key]) => key.n)
  return meant.map((one, n) => {
    const own = byRow.get(n)?.map(([, holder]) => ({ ...holder, unnamed: partnerId !== null })) ?? []
    return own.length ? { ...one, found: [...one.found, ...own] } : one
  })
}

async function withFurtherColumnErrors(
  db: Db,
  rows: readonly ParsedRow[],
  partnerId: number | null,
  columnsToCome: readonly FurtherColumn[],
): Promise<readonly ParsedRow[]> {
  if (!rows.some(hasFurtherColumns)) return rows
  const known = await db.selectFrom('attribute_name').select(['kind', 'name', 'partner_id']).execute()
  const errorsOf = furtherColumnErrors(rows, [...known, ...columnsToCome], partnerId)
  return rows.map((row) => ({ ...row, errors: { ...errorsOf(row), ...row.errors } }))
}

type Names = CurrentItem['product'] & {
  id: number
  supplier: string | null
  vat: string | null
  grade: string | null
  batch: string | null
}

/** Adds the names of the records that the items refer to. The items may be locked or only read. */
export async function withNames(
  db: Db,
  stock: ReadonlyMap<number, Selectable<Tables['stock']>>,
  batches: ReadonlyMap<number, Selectable<Tables['batch']>>,
): Promise<Map<number, CurrentItem>> {
  const { rows } = await sql<Names>`
    select s.id, m.name as make, p.model, p.capacity, p.capacity_unit, c.name as colour, g.name as category,
      p.display_name, u.company_name as supplier, v.name as vat, q.name as grade, b.name as batch
    from stock s
    join product p on p.id = s.actual_product_id
    join make m on m.id = p.make_id
    join category g on g.id = p.category_id
    left join colour c on c.id = p.colour_id
    left join supplier u on u.id = s.supplier_id
    left join vat v on v.id = s.vat_id
    left join grade q on q.id = s.grade_id
    left join batch b on b.id = s.batch_id
    where s.id = any(${[...stock.keys()]}::int[])`.execute(db)
  return new Map(
    rows.map(({ id, supplier, vat, grade, batch: batchName, ...product }) => {
      const row = getFrom(stock, id)
      return [id, { row, batch: batches.get(row.batch_id ?? 0), product, supplier, vat, grade, batchName }]
    }),
  )
}

/** An identifier of row `n`. `inColumn` is the kind under which an item may have it, if that is another kind. */
type Key = { n: number; kind: IdentifierKind; value: string; inColumn?: 's' }

/**
 * The items that each row's identifiers lead to, in the order of the identifiers: the item that the shop still has, or,
 * with `alsoGone`, the newest one that has left. A partner does not find others' items that have left.
 */
export async function findItems(
  db: Db,
  rows: readonly Pick<ParsedRow, 'values'>[],
  alsoGone: boolean,
  partnerId: number | null,
): Promise<FoundItem[][]> {
  const keys = rows.flatMap(({ values }, n) => keysOf(values, n))
  const byKey = await itemsByKey(db, keys, alsoGone)
  const others = partnerId === null ? undefined : await goneItemsOfOthers(db, [...byKey.values()], partnerId)
  const found: FoundItem[][] = rows.map(() => [])
  for (const key of keys) {
    const item = byKey.get(key)
    const own = at(found, key.n)
    const isKnown = key.inColumn !== undefined && own.some(({ kind }) => kind === key.kind)
    if (item && !others?.has(item.stock_id) && !isKnown) own.push(item)
  }
  return found
}

function keysOf(values: CsvValues, n: number): Key[] {
  return IDENTIFIER_KINDS.flatMap((kind): Key[] => {
    const value = values[IDENTIFIERS[kind].column]
    if (value === undefined) return []
    if (!isImei(kind)) return [{ n, kind, value }]
    // An item that was made long ago may have its IMEI in the field of the serial number.
    const asSerial: Key[] = isWholeImei(value) ? [{ n, kind, value, inColumn: 's' }] : []
    return [{ n, kind, value: comparable(kind, value) }, ...asSerial]
  })
}

async function itemsByKey(db: Db, keys: readonly Key[], alsoGone: boolean): Promise<Map<Key, FoundItem>> {
  if (keys.length === 0) return new Map()
  const isOfImeis = ({ kind, inColumn }: Key) => isImei(kind) && inColumn === undefined
  const [imeis, others] = [keys.filter(isOfImeis), keys.filter((key) => !isOfImeis(key))]
  // The indexes are partial, so the query must repeat their conditions word for word.
  const side = alsoGone ? sql`true` : sql`in_hand`
  const best = sql`order by in_hand desc, stock_id desc limit 1`
  const { rows } = await sql<{ n: number; imei: boolean; stock_id: number; in_hand: boolean }>`
    select k.n::int - 1 as n, true as imei, i.stock_id, i.in_hand
    from unnest(${imeis.map((key) => key.value)}::text[]) with ordinality as k (value, n)
    cross join lateral (select stock_id, in_hand from stock_identifier
      where ${side} and ${IS_IMEI} and left(value, 14) = k.value ${best}) i
    union all
    select k.n::int - 1, false, i.stock_id, i.in_hand
    from unnest(${others.map((key) => key.inColumn ?? key.kind)}::char[], ${others.map((key) => key.value)}::text[])
      with ordinality as k (kind, value, n)
    cross join lateral (select stock_id, in_hand from stock_identifier
      where ${side} and kind <> 'i' and kind = k.kind and upper(value) = upper(k.value) ${best}) i`.execute(db)
  return new Map(
    rows.map(({ n, imei, stock_id, in_hand }) => {
      const key = at(imei ? imeis : others, n)
      return [key, { kind: key.kind, stock_id, in_hand }]
    }),
  )
}

async function goneItemsOfOthers(db: Db, found: readonly FoundItem[], partnerId: number): Promise<Set<number>> {
  const gone = found.flatMap(({ in_hand, stock_id }) => (in_hand ? [] : stock_id))
  const { rows } = await sql<{ id: number }>`
    select id from stock where id = any(${gone}::int[]) and partner_id is distinct from ${partnerId}::int`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

function grouped<Named extends NamedRecord>(entries: Iterable<[string, Named]>): Map<string, Named[]> {
  const groups = new Map<string, Named[]>()
  for (const [key, known] of entries) {
    const group = groups.get(key)
    if (!group) groups.set(key, [known])
    else if (!group.some(({ id }) => id === known.id)) group.push(known)
  }
  return groups
}

/** The suppliers of these names. If several have one name, `Foxway #12` means the one with this number. */
async function suppliersCalled(db: Db, names: readonly string[]): Promise<[string, KnownSupplier][]> {
  const { rows } = await sql<KnownSupplier & { typed: string; by_name: boolean }>`
    with named as (select typed from unnest(${names}::text[]) as n (typed)),
    found as (
      select n.typed, s.id, true as by_name from named n join supplier s on lower(trim(s.company_name)) = lower(n.typed)
      union all
      select n.typed, s.id, false from named n join supplier s on s.id = substring(n.typed from ' #([0-9]{1,9})$')::int
        and lower(trim(s.company_name)) = lower(trim(regexp_replace(n.typed, ' #[0-9]+$', ''))))
    select f.typed, f.by_name, s.id, s.company_name as name, s.default_purchase_treatment as purchase
    from found f join supplier s using (id) order by s.id`.execute(db)
  const named = new Set(rows.flatMap(({ typed, by_name }) => (by_name ? typed : [])))
  return rows.flatMap(({ typed, by_name, ...supplier }) => (by_name || !named.has(typed) ? [[typed, supplier]] : []))
}

/**
 * The suppliers, VAT types and grades that rows name. Suppliers are looked up by name; the other two lists are short
 * and read as a whole.
 */
async function loadNames(db: Db, meant: readonly MeantRow[]): Promise<Pick<Known, 'suppliers' | 'vats' | 'grades'>> {
  const names = [...new Set(meant.flatMap(({ row }) => row.values.supplier ?? []))]
  const suppliers = grouped(await suppliersCalled(db, names))
  const rates = await db.selectFrom('vat').select(['id', 'name', 'rate']).orderBy('id').execute()
  const vats = grouped(
    rates.flatMap(({ id, name, rate }) =>
      [name.trim(), vatDisplayName(name, rate)].map((known): [string, NamedRecord] => [
        known.toLowerCase(),
        { id, name },
      ]),
    ),
  )
  const graded = await db.selectFrom('grade').select(['id', 'name']).orderBy('id').execute()
  const grades = grouped(graded.map((grade) => [grade.name.toLowerCase(), grade]))
  return {
    suppliers: (name) => suppliers.get(name) ?? [],
    vats: (name) => vats.get(name.toLowerCase()) ?? [],
    grades: (name) => grades.get(name.toLowerCase()) ?? [],
  }
}

/** The existing products among those described, by `productKey`. Names match in any case. */
export async function findProducts(db: Db, described: Iterable<DescribedProduct>): Promise<Map<string, KnownProduct>> {
  const wanted = [...new Map([...described].map((product) => [productKey(product), product])).values()]
  if (wanted.length === 0) return new Map()
  // The makes and colours are found first. A single join would read each product of the model in every colour.
  const { rows } = await sql<KnownProduct & { ord: number }>`
    with described as materialized (
      select w.ord, m.id as make_id, lower(w.model) as model, coalesce(w.capacity, 0) as capacity,
        coalesce(w.capacity_unit, '') as capacity_unit, coalesce(c.id, 0) as colour_id
      from jsonb_to_recordset(${JSON.stringify(wanted.map((product, ord) => ({ ...product, ord })))}::jsonb)
        as w (ord int, make text, model text, capacity int, capacity_unit text, colour text)
      join make m on lower(m.name) = lower(w.make)
      left join colour c on lower(c.name) = lower(w.colour)
      where w.colour is null or c.id is not null)
    select w.ord, p.id, p.display_name from described w
    join product p on p.make_id = w.make_id and lower(p.model) = w.model and coalesce(p.capacity, 0) = w.capacity
      and coalesce(p.capacity_unit, '') = w.capacity_unit and coalesce(p.colour_id, 0) = w.colour_id`.execute(db)
  return new Map(rows.map(({ ord, id, display_name }) => [productKey(at(wanted, ord)), { id, display_name }]))
}
