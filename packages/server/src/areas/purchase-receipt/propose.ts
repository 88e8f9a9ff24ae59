import { languageOfCountry } from '@backstock/contract/invoice-language.ts'
import type { ReceiptProposal, ReceiptProposalQuery } from '@backstock/contract/purchase-receipt.ts'
import { MAX_RECEIPT_ITEMS, type ReceiptKind } from '@backstock/contract/receipt-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { conflict, missing } from '../../http/refusal.ts'
import type { ReceiptData } from '../../render/paper/purchase-receipt.ts'
import { basketItems } from '../basket.ts'
import { type ChosenItem, chosenItems, receiptToken } from './items.ts'

/** The most suppliers that a proposal offers, and the most items that it names as not possible on a receipt. */
const MAX_NAMED = 100

type Group = {
  supplier_id: number | null
  name: string | null
  kind: ReceiptKind | null
  country_code: string | null
  vat_number: string | null
  first_name: string | null
  last_name: string | null
  currency: string
  items: number
}

/**
 * Proposes a receipt of those chosen items that share a supplier and a currency. If the query names no supplier, it
 * takes the supplier and the currency that most items have. Throws 409 if no item can be on a receipt.
 */
export async function proposeReceipt(db: Db, query: ReceiptProposalQuery, personId: number): Promise<ReceiptProposal> {
  const items = chosenItems(await chosenIds(db, query, personId))
  const groups = await groupsOf(db, items)
  const supplier = query.supplier_id === undefined ? undefined : query.supplier_id || null
  const group = groups.find(({ supplier_id }) => supplier === undefined || supplier_id === supplier)
  if (!group && groups.length > 0) throw conflict(NOT_OF_SUPPLIER)
  const out = await leftOut(db, items, group)
  if (!group) throw conflict(out.rows[0] ? nothingBut(out.rows[0]) : nothingChosen(query))
  const { supplier_id, name, currency } = group
  const { rows } = await sql<ChosenItem>`
    select * from (${items}) i
    where why is null and supplier_id is not distinct from ${supplier_id}::int and currency = ${currency}
    order by id limit ${MAX_RECEIPT_ITEMS}::int`.execute(db)
  const company = await db
    .selectFrom('company')
    .select(['country_code', sql<string>`(now() at time zone time_zone)::date`.as('today')])
    .executeTakeFirstOrThrow()
  const days = new Set(rows.map(({ purchase_date }) => purchase_date ?? company.today))
  const [day = company.today] = days
  const kind = group.kind ?? 'private'
  return {
    kind,
    supplier_id,
    supplier_name: name,
    suppliers: suppliersOf(groups),
    currency,
    total: rows.reduce((sum, { price }) => sum + price, 0),
    bought_on: days.size > 1 || day > company.today ? company.today : day,
    lang: languageOfCountry(company.country_code) ?? 'en',
    seller: await knownSeller(db, group, company.country_code),
    lines: rows.map(({ id, description, imei, serial_number, price }) => ({
      stock_id: id,
      description,
      imei,
      serial_number,
      price,
    })),
    further: group.items - rows.length,
    left_out: out.rows,
    left_out_total: out.total,
    token: receiptToken({ kind, supplier_id, currency }, rows),
  }
}

const NOT_OF_SUPPLIER = 'None of the items of this supplier can be on a purchase receipt.'

const nothingBut = ({ stock_id, why }: { stock_id: number; why: string }) =>
  `None of the items can be on a purchase receipt. Item #${stock_id}: ${why}`

const nothingChosen = ({ import_id }: ReceiptProposalQuery) =>
  import_id === undefined
    ? 'No items were chosen for a receipt.'
    : `Import #${import_id} created no items. Those that it only changed came with another delivery.`

/**
 * SQL for the ids of the chosen items. Those of an import are the ones that it has made: items that it only changed, as a
 * price list does, came with another delivery. Throws 404 if the import does not exist.
 */
async function chosenIds(
  db: Db,
  { ids, basket, import_id }: ReceiptProposalQuery,
  personId: number,
): Promise<RawBuilder<unknown>> {
  if (import_id !== undefined) {
    const there = await db.selectFrom('import').select('id').where('id', '=', import_id).executeTakeFirst()
    if (!there) throw missing(`Import #${import_id}`)
    return sql`array(
      select i.id from import_part p, unnest(p.stock_ids, p.actions) i (id, action)
      where p.import_id = ${import_id} and i.action = 'created')`
  }
  return sql`${basket ? (await basketItems(db, personId)).map(({ id }) => id) : (ids ?? [])}::int[]`
}

async function groupsOf(db: Db, items: RawBuilder<ChosenItem>): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select g.supplier_id, u.company_name as name, u.receipt_kind as kind, u.country_code, u.vat_number, u.first_name,
      u.last_name, g.currency, g.items
    from (select supplier_id, currency, count(*) as items from (${items}) i where why is null group by 1, 2) g
      left join supplier u on u.id = g.supplier_id
    order by g.items desc, g.supplier_id nulls last, g.currency limit ${MAX_NAMED}`.execute(db)
  return rows
}

const suppliersOf = (groups: readonly Group[]): ReceiptProposal['suppliers'] =>
  [...Map.groupBy(groups, ({ supplier_id }) => supplier_id)].map(([id, some]) => ({
    id: id ?? 0,
    name: some[0]?.name ?? null,
    items: some.reduce((sum, { items }) => sum + items, 0),
  }))

/**
 * The items that no receipt can have, after those of the proposed supplier in another currency than the proposed one:
 * these can have a receipt of their own.
 */
async function leftOut(db: Db, items: RawBuilder<ChosenItem>, group: Group | undefined) {
  const isOtherCurrency = group
    ? sql`why is null and supplier_id is not distinct from ${group.supplier_id}::int and currency <> ${group.currency}`
    : sql`false`
  const { rows } = await sql<{ stock_id: number; why: string; total: number }>`
    select id as stock_id, coalesce(why, 'It was bought in ' || currency || ' and needs a receipt of its own.') as why,
      count(*) over () as total
    from (${items}) i where why is not null or ${isOtherCurrency}
    order by i.why is not null, id limit ${MAX_NAMED}`.execute(db)
  return { rows: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 }
}

/**
 * The seller as far as the shop knows them. A dealer has the same address on each receipt, so the last receipt's
 * address is proposed. The record of a supplier for private people may stand for many of them, so only the name of its
 * contact is proposed.
 */
async function knownSeller(db: Db, group: Group, home: string | null): Promise<ReceiptProposal['seller']> {
  const { supplier_id, kind, name, country_code, vat_number, first_name, last_name } = group
  const person = [first_name, last_name].filter(Boolean).join(' ')
  const own = {
    name: kind === 'self_billed' ? (name ?? '') : person,
    address_1: '',
    address_2: '',
    postal_code: '',
    city: '',
    state: '',
    country_code: country_code ?? home,
    vat_number: vat_number ?? '',
  }
  if (supplier_id === null || kind !== 'self_billed') return own
  const { rows } = await sql<{ seller: ReceiptData['seller'] }>`
    select data -> 'seller' as seller from purchase_receipt where supplier_id = ${supplier_id} and kind = 'self_billed'
    order by id desc limit 1`.execute(db)
  const last = rows[0]?.seller
  if (!last) return own
  const { address, state } = last
  return {
    ...own,
    address_1: address.street ?? '',
    address_2: address.street_2 ?? '',
    postal_code: address.postal_code ?? '',
    city: address.city ?? '',
    state: state ?? '',
    country_code: address.country_code ?? own.country_code,
  }
}
