import { countryName } from '@backstock/contract/country.ts'
import { type InvoiceLanguage, usualLanguage } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { BuyerAddress } from '../../../db/tables.ts'
import { conflict, missing } from '../../../http/refusal.ts'
import { invoiceAddress } from '../../../render/invoice/data.ts'
import type { DeliveryNote } from '../../../render/paper/paper.ts'
import { senderOf } from '../../company.ts'

const address = (parts: BuyerAddress | null) =>
  invoiceAddress(parts && { ...parts, country: countryName(parts.country_code) })

/**
 * The delivery note of a sale, in `lang`, or in the usual language of its customer. Throws 404; 409 if the sale has no
 * items.
 */
export async function deliveryNoteOf(db: Db, saleId: number, lang?: InvoiceLanguage): Promise<DeliveryNote> {
  const sale = await db
    .selectFrom('sale as s')
    .innerJoin('customer as c', 'c.id', 's.customer_id')
    .select(['s.buyer', 's.reference_number', 's.courier', 's.outbound_tracking_number', 's.dispatched_on', 'c.lang'])
    .where('s.id', '=', saleId)
    .executeTakeFirst()
  if (!sale) throw missing(`Sale #${saleId}`)
  // Items that came back later were delivered with the others, so they are on the note.
  const lines = await db
    .selectFrom('sale_item')
    .select(['product_name as product', 'grade', 'imei', 'serial_number'])
    .where('sale_id', '=', saleId)
    .where(sql<boolean>`(released is null or released = 'returned')`)
    .orderBy('position')
    .orderBy('stock_id')
    .execute()
  if (lines.length === 0) throw conflict('There is nothing to deliver on this sale.')
  const { sender, today } = await senderOf(db)
  const { buyer } = sale
  return {
    kind: 'delivery note',
    sender,
    lang: lang ?? usualLanguage(sale.lang),
    sale_id: saleId,
    date: sale.dispatched_on ?? today,
    reference_number: sale.reference_number,
    courier: sale.courier,
    tracking_number: sale.outbound_tracking_number,
    buyer: { name: buyer.full_name, company_name: buyer.company_name },
    billing_address: address(buyer.billing_address),
    delivery_address: address(buyer.delivery_address),
    lines,
  }
}
