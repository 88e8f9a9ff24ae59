import type { Address, AddressInput } from '@backstock/contract/address.ts'
import { countryName } from '@backstock/contract/country.ts'
import { Customer, CustomerHit, CustomerInput, CustomerQuery } from '@backstock/contract/customer.ts'
import { type InvoiceLanguage, usualLanguage } from '@backstock/contract/invoice-language.ts'
import { leitwegIdProblem } from '@backstock/contract/leitweg-id.ts'
import type { SaleRow } from '@backstock/contract/sale.ts'
import { vatNumberProblem } from '@backstock/contract/vat-number-check.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import type { Buyer, BuyerAddress } from '../db/tables.ts'
import { type Crud, type Fields, fieldsOf, found, patched } from '../http/crud.ts'
import { type Actor, adminOnly } from '../http/session.ts'
import { logsOf } from '../records/log/read.ts'
import { refuseStale } from '../records/log/stale.ts'
import { type Attribute, type Author, changes, recordChanges, recordMessage } from '../records/log/write.ts'
import { refuseUsed } from '../records/used.ts'
import { lacksDebtorNumber, NO_DEBTOR_NUMBER, nextDebtorNumber, refuseLongDebtorNumber } from './debtor-number.ts'

type Kind = 'billing_address' | 'delivery_address'
type StoredAddress = BuyerAddress & { id: number }

const fullName = sql<string>`customer.first_name || ' ' || customer.last_name`
const address = (kind: Kind) =>
  sql<StoredAddress | null>`(select to_jsonb(a) from address a where a.id = ${sql.ref(`customer.${kind}_id`)})`

/** The fields of the customer's own table. Addresses have another table. */
const OwnFields = CustomerInput.omit({ billing_address: true, delivery_address: true })
const FIELDS = fieldsOf(OwnFields)

const customers = (db: Db) =>
  db
    .selectFrom('customer')
    .select([
      'id',
      ...FIELDS,
      fullName.as('full_name'),
      'billing_address_id',
      'delivery_address_id',
      address('billing_address').as('billing_address'),
      address('delivery_address').as('delivery_address'),
      'created_at',
      'updated_at',
    ])

type Balance = Pick<Customer, 'open_total' | 'overdue_total' | 'refund_total'>
const EVEN: Balance = { open_total: 0, overdue_total: 0, refund_total: 0 }

/** The open and overdue sums of these customers, and the sums to give back, by customer. */
async function balances(db: Db, ids: readonly number[]): Promise<Map<number, Balance>> {
  const { rows } = await sql<Balance & { customer_id: number }>`
    select customer_id, coalesce(sum(open_amount) filter (where open_amount > 0), 0) as open_total,
      coalesce(sum(open_amount) filter (where open_amount > 0 and due_on < (now() at time zone time_zone)::date), 0) as overdue_total,
      coalesce(-sum(open_amount) filter (where open_amount < 0), 0) as refund_total
    from sale, company where customer_id = any(${[...ids]}::int[]) and open_amount <> 0 group by customer_id`.execute(
    db,
  )
  return new Map(rows.map(({ customer_id, ...balance }) => [customer_id, balance]))
}

type Addresses = Record<Kind, StoredAddress | null>
const withCountry = (stored: StoredAddress | null): Address | null =>
  stored && { ...stored, country: countryName(stored.country_code) }
const onTheWire = <Row extends Addresses>(row: Row) => ({
  ...row,
  billing_address: withCountry(row.billing_address),
  delivery_address: withCountry(row.delivery_address),
})

/** An address in the form of the table; null if there is none, or if all its parts are empty. */
function partsOf(input: AddressInput | null | undefined): BuyerAddress | null {
  // If one part is filled, the schema has required the others.
  return input && input.address_1 !== null ? (input as BuyerAddress) : null
}

/** Writes an address in place of the one with the id `current`. Returns its id; null if `parts` is null. */
async function writeAddress(tx: Tx, current: number | null, parts: BuyerAddress | null): Promise<number | null> {
  if (parts === null) return null
  if (current === null) {
    const { id } = await tx.insertInto('address').values(parts).returning('id').executeTakeFirstOrThrow()
    return id
  }
  await tx.updateTable('address').set(parts).where('id', '=', current).execute()
  return current
}

/** The cities of a customer's addresses, by which a search finds the customer. */
const citiesOf = (...addresses: (BuyerAddress | null)[]) => addresses.flatMap((parts) => parts?.city ?? []).join('\n')

function removeAddresses(tx: Tx, ids: readonly (number | null)[]): Promise<unknown> {
  return sql`delete from address where id = any(${ids.filter((id) => id !== null)}::int[])`.execute(tx)
}

const addressAttributes = (kind: Kind, parts: BuyerAddress | null): Record<string, Attribute> => ({
  [`${kind} address_1`]: parts?.address_1,
  [`${kind} address_2`]: parts?.address_2,
  [`${kind} city`]: parts?.city,
  [`${kind} state`]: parts?.state,
  [`${kind} postal_code`]: parts?.postal_code,
  [`${kind} country`]: countryName(parts?.country_code ?? null),
})

const logged = (
  fields: Fields<typeof OwnFields>,
  billing: BuyerAddress | null,
  delivery: BuyerAddress | null,
): Record<string, Attribute> => ({
  ...fields,
  ...addressAttributes('billing_address', billing),
  ...addressAttributes('delivery_address', delivery),
})

/** Creates a customer with both addresses and a log entry. Returns the customer's id. */
export async function createCustomer(tx: Tx, input: CustomerInput, author: Author): Promise<number> {
  const { billing_address, delivery_address, updated_at: _, ...own } = input
  const [billing, delivery] = [partsOf(billing_address), partsOf(delivery_address)]
  await refuseLongDebtorNumber(tx, own.debtor_number)
  const { id, ...fields } = await tx
    .insertInto('customer')
    .values({
      ...own,
      debtor_number: own.debtor_number ?? (await nextDebtorNumber(tx)),
      billing_address_id: await writeAddress(tx, null, billing),
      delivery_address_id: await writeAddress(tx, null, delivery),
      cities: citiesOf(billing, delivery),
    })
    .returning(['id', ...FIELDS])
    .executeTakeFirstOrThrow()
  await recordChanges(tx, author, 'Customer', id, null, logged(fields, billing, delivery))
  if (await lacksDebtorNumber(tx, id)) await recordMessage(tx, author, 'Customer', id, NO_DEBTOR_NUMBER)
  return id
}

/** The usual language of a customer's invoices. */
export async function customerLanguage(db: Db, customerId: number): Promise<InvoiceLanguage> {
  const { lang } = await db.selectFrom('customer').select('lang').where('id', '=', customerId).executeTakeFirstOrThrow()
  return usualLanguage(lang)
}

/** A customer's present data in the form in which a sale keeps them. Undefined if there is no such customer. */
export async function buyerOf(db: Db, customerId: number): Promise<Buyer | undefined> {
  const row = await customers(db).where('id', '=', customerId).executeTakeFirst()
  if (!row) return undefined
  const { first_name, last_name, full_name, company_name, email, phone, vat_number, registration, payment_days } = row
  const { e_invoice_profile, buyer_reference, electronic_address } = row
  return {
    ...{ first_name, last_name, full_name, company_name, email, phone, vat_number, registration, payment_days },
    ...{ e_invoice_profile, buyer_reference, electronic_address },
    billing_address: withoutId(row.billing_address),
    delivery_address: withoutId(row.delivery_address),
  }
}

function withoutId(stored: StoredAddress | null): BuyerAddress | null {
  if (stored === null) return null
  const { id: _, ...parts } = stored
  return parts
}

/**
 * A note for the person if the VAT number or the Leitweg-ID that was just written looks wrong, or if a new customer got
 * no debtor number.
 */
async function numberWarning(tx: Tx, id: number, written: 'created' | 'saved'): Promise<string | undefined> {
  const { vat_number, billing_address, delivery_address, buyer_reference } = found(
    await buyerOf(tx, id),
    `Customer #${id}`,
  )
  const country = (billing_address ?? delivery_address)?.country_code ?? null
  const problems = [
    vatNumberProblem(vat_number, country, vat_number ?? ''),
    leitwegIdProblem(buyer_reference ?? null),
    written === 'created' && (await lacksDebtorNumber(tx, id)) ? NO_DEBTOR_NUMBER : null,
  ].filter((problem) => problem !== null)
  return problems.length === 0 ? undefined : [`Customer #${id} ${written}.`, ...problems].join(' ')
}

async function editCustomer(tx: Tx, id: number, input: Partial<CustomerInput>, actor: Actor): Promise<void> {
  await tx.selectFrom('customer').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  // The customer is read after the lock: a statement that waits for a locked row could return older rows of other
  // tables, here of the addresses.
  const before = found(await customers(tx).where('id', '=', id).executeTakeFirst(), `Customer #${id}`)
  await refuseStale(tx, before, input.updated_at, { type: 'Customer', id })
  const fields = patched(before, input, OwnFields)
  if (fields.debtor_number !== before.debtor_number) adminOnly(actor)
  const [wasBilling, wasDelivery] = [withoutId(before.billing_address), withoutId(before.delivery_address)]
  const billing = input.billing_address === undefined ? wasBilling : partsOf(input.billing_address)
  const delivery = input.delivery_address === undefined ? wasDelivery : partsOf(input.delivery_address)
  const [was, now] = [logged(before, wasBilling, wasDelivery), logged(fields, billing, delivery)]
  if (changes(was, now).length === 0) return
  await refuseLongDebtorNumber(tx, input.debtor_number)
  const billingId = await writeAddress(tx, before.billing_address_id, billing)
  const deliveryId = await writeAddress(tx, before.delivery_address_id, delivery)
  await tx
    .updateTable('customer')
    .set({
      ...fields,
      ...{ billing_address_id: billingId, delivery_address_id: deliveryId, cities: citiesOf(billing, delivery) },
    })
    .where('id', '=', id)
    .execute()
  await removeAddresses(tx, [
    billing === null ? before.billing_address_id : null,
    delivery === null ? before.delivery_address_id : null,
  ])
  await recordChanges(tx, { userId: actor.id }, 'Customer', id, was, now)
}

const sort = {
  id: 'customer.id',
  first_name: humanOrder('customer.first_name'),
  last_name: humanOrder('customer.last_name'),
  full_name: sql`(${fullName}) collate human`,
  email: humanOrder('customer.email'),
  company_name: humanOrder('customer.company_name'),
}

/** The part that customers need from the area of sales: `salesOf` reads a customer's newest sales. */
export type CustomerParts = { salesOf(db: Db, customerId: number): Promise<SaleRow[]> }

export const customerArea = ({
  salesOf,
}: CustomerParts): Crud<typeof CustomerQuery, typeof CustomerInput, typeof Customer> => ({
  area: 'customer',
  title: 'Customer',
  query: CustomerQuery,
  input: CustomerInput,
  row: Customer,
  record: Customer,
  hit: CustomerHit,
  unique: {
    customer_debtor_number: { field: 'debtor_number', message: 'Another customer has this number.' },
  },
  async find(db, query) {
    const { rows, total } = await page(customers(db), query, { table: 'customer', sort })
    const balance = await balances(
      db,
      rows.map(({ id }) => id),
    )
    return { rows: rows.map((row) => ({ ...onTheWire(row), ...(balance.get(row.id) ?? EVEN) })), total }
  },
  findHits: (db, query) =>
    page(db.selectFrom('customer').select(['id', fullName.as('full_name'), 'company_name']), query, {
      table: 'customer',
      sort,
    }),
  async one(db, id) {
    const row = await customers(db).where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const balance = (await balances(db, [id])).get(id) ?? EVEN
    return { ...onTheWire(row), ...balance, sales: await salesOf(db, id), logs: await logsOf(db, 'Customer', id) }
  },
  async create(tx, input, actor) {
    if (input.debtor_number != null) adminOnly(actor)
    const id = await createCustomer(tx, input, { userId: actor.id })
    return { id, warning: await numberWarning(tx, id, 'created') }
  },
  async edit(tx, id, input, actor) {
    await editCustomer(tx, id, input, actor)
    return { id, warning: await numberWarning(tx, id, 'saved') }
  },
  async remove(tx, id, actor) {
    const before = found(await customers(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Customer #${id}`)
    await refuseUsed(tx, `Customer #${id}`, id, [
      ['sale', 'customer_id', 'sale'],
      ['partner', 'customer_id', 'partner'],
      ['letter', 'customer_id', 'letter'],
    ])
    await tx.deleteFrom('customer').where('id', '=', id).execute()
    await removeAddresses(tx, [before.billing_address_id, before.delivery_address_id])
    await recordMessage(tx, { userId: actor.id }, 'Customer', id, `Customer ${before.full_name} was deleted.`)
  },
})
