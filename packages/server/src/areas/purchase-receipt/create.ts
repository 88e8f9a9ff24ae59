import { countryName } from '@backstock/contract/country.ts'
import type { PurchaseReceiptInput } from '@backstock/contract/purchase-receipt.ts'
import type { ReceiptKind } from '@backstock/contract/receipt-kind.ts'
import { someSentences } from '@backstock/contract/some-of.ts'
import { sql } from 'kysely'
import { type Tx, waitingLess } from '../../db/connect.ts'
import type { Written } from '../../http/crud.ts'
import { conflict, invalid } from '../../http/refusal.ts'
import { first, getFrom } from '../../lists.ts'
import { lockItems } from '../../records/lock.ts'
import { noItems } from '../../records/log/listed.ts'
import type { Author } from '../../records/log/write.ts'
import { invoiceAddress } from '../../render/invoice/data.ts'
import type { ReceiptData } from '../../render/paper/purchase-receipt.ts'
import { type ChosenItem, chosenItems, receiptToken } from './items.ts'
import { writeReceipt } from './write.ts'

/**
 * Makes a receipt of all these items, or none. Throws 422 under the wrong field; 409 if items cannot be on it, with the
 * reasons, or if it would say something else than the person saw.
 */
export async function createReceipt(tx: Tx, input: PurchaseReceiptInput, author: Author): Promise<Written> {
  const ids = [...new Set(input.items)]
  const items = await lockChosen(tx, ids)
  const { supplier_id, currency } = oneSeller(items)
  const kind = await kindOf(tx, supplier_id)
  if (receiptToken({ kind, supplier_id, currency }, items) !== input.token)
    throw conflict('An item or its supplier has changed meanwhile. Please look at the receipt again.')
  const company = await tx
    .selectFrom('company')
    .selectAll()
    .select(sql<string>`(now() at time zone time_zone)::date`.as('today'))
    // The lock keeps the logo's file until the receipt that refers to it is stored.
    .forKeyShare()
    .executeTakeFirstOrThrow()
  if (input.bought_on > company.today) throw invalid({ bought_on: 'Must not be after today.' })
  const { name, vat_number, identity_kind, identity_end, ...address } = input.seller
  const data: Omit<ReceiptData, 'number' | 'issued_on'> = {
    kind,
    bought_on: input.bought_on,
    cancels: null,
    reason: null,
    buyer: {
      name: company.name,
      address: invoiceAddress({ ...company, country: countryName(company.country_code) }),
      vat_number: company.vat_number,
      tax_number: company.tax_number,
      registration: company.registration,
      email: company.email,
      phone: company.phone,
    },
    seller: {
      name,
      address: addressOf(address),
      state: address.state ?? null,
      // A private seller has no VAT number, and a dealer shows no passport.
      vat_number: kind === 'self_billed' ? (vat_number ?? null) : null,
      identity_kind: kind === 'private' ? (identity_kind ?? null) : null,
      identity_end: kind === 'private' ? (identity_end ?? null) : null,
    },
    paid_by: input.paid_by ?? null,
    currency,
    total: items.reduce((sum, { price }) => sum + price, 0),
    lines: items.map(({ description, imei, serial_number, price }) => ({ description, imei, serial_number, price })),
  }
  const { id, number } = await writeReceipt(
    tx,
    {
      data,
      stockIds: ids,
      supplierId: supplier_id,
      lang: input.lang,
      logoFileId: company.logo_file_id,
      cancelsId: null,
    },
    author,
  )
  return kind === 'self_billed' && data.seller.vat_number === null
    ? { id, warning: `${number} created. It lacks the seller’s VAT number, which an invoice needs.` }
    : { id, message: `${number} created.` }
}

/** The items with their locks, in the order of the ids. Throws if one of them cannot be on a receipt. */
async function lockChosen(tx: Tx, ids: readonly number[]): Promise<ChosenItem[]> {
  if (ids.length === 0) throw invalid({ items: 'Choose at least one item.' })
  const locked = await lockItems(tx, ids, [])
  const unknown = ids.filter((id) => !locked.has(id))
  if (unknown.length) throw invalid({ items: noItems(unknown) })
  const { rows } = await chosenItems(sql`${[...ids]}::int[]`).execute(tx)
  const refused = rows.flatMap(({ id, why }) => (why === null ? [] : [`Item #${id}: ${why}`]))
  if (refused.length) {
    const message = `Cannot be on a receipt. ${someSentences(refused)}`
    throw conflict(message, { items: message })
  }
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => getFrom(byId, id))
}

/** The supplier and the currency of all items. Throws 422 if there are several. */
function oneSeller(items: readonly ChosenItem[]): Pick<ChosenItem, 'supplier_id' | 'currency'> {
  const { supplier_id, currency, id } = first(items)
  const other = items.find((item) => item.supplier_id !== supplier_id)
  if (other)
    throw invalid({
      items: `A receipt has the items of one supplier. Items #${id} and #${other.id} are from different suppliers.`,
    })
  const foreign = items.find((item) => item.currency !== currency)
  if (foreign)
    throw invalid({
      items: `A receipt has one currency. Item #${id} is in ${currency}, item #${foreign.id} in ${foreign.currency}.`,
    })
  return { supplier_id, currency }
}

/**
 * The kind of a receipt from this supplier. The lock keeps the supplier as it is. Throws 409 if the supplier became one
 * that issues invoices while this request waited.
 */
async function kindOf(tx: Tx, supplierId: number | null): Promise<ReceiptKind> {
  if (supplierId === null) return 'private'
  const supplier = tx.selectFrom('supplier').select(['company_name', 'receipt_kind']).where('id', '=', supplierId)
  const { company_name, receipt_kind } = await waitingLess(tx, () => supplier.forShare().executeTakeFirstOrThrow())
  if (receipt_kind === null) throw conflict(`${company_name} issues its own invoices.`)
  return receipt_kind
}

type Typed = Omit<PurchaseReceiptInput['seller'], 'name' | 'vat_number' | 'identity_kind' | 'identity_end'>

function addressOf({
  address_1,
  address_2,
  postal_code,
  city,
  state,
  country_code,
}: Typed): ReceiptData['seller']['address'] {
  const parts = {
    address_1,
    address_2: address_2 ?? null,
    postal_code: postal_code ?? null,
    city,
    state: state ?? null,
  }
  const printed = invoiceAddress({ ...parts, country_code, country: countryName(country_code) })
  if (printed === null) throw invalid({ 'seller.address_1': 'This field is required.' })
  return printed
}
