import { someSentences } from '@backstock/contract/some-of.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict } from '../../../http/refusal.ts'
import { getFrom } from '../../../lists.ts'
import { listed } from '../../../records/log/listed.ts'
import { type Author, record, recordChanges, recordMessage } from '../../../records/log/write.ts'
import { reissueInvoice } from '../../document/invoice.ts'
import { SUPERSEDED, stopMails } from '../../document/mail/outbox.ts'
import { orderSheet } from '../files/sheet.ts'
import { isSellableAgain, isStillSold, type LockedSale, release, type SaleLine } from '../locked-sale.ts'
import { soldEntries } from '../new/create.ts'
import { rewriteTotals } from '../totals.ts'
import { taxBoughtOtherwise } from './bought-otherwise.ts'
import { beingMade, money, type Told } from './told.ts'
import { renewWithoutInvoice } from './without-invoice.ts'

/**
 * Checks each item of a sale again. Lost items that can be sold again return to the sale, at the agreed price but with
 * their present data: somebody may have corrected an IMEI, or changed how the item was bought. Other lost items are
 * taken off. Then the totals are computed and the documents ordered again: a final invoice is credited, and a new one
 * made. The caller writes the status. Returns sentences about the sale; the warnings name the items that were taken
 * off, new VAT, and a new total. Throws 409 if no item is left.
 */
export async function resubmit(tx: Tx, { sale, lines, stock }: LockedSale, author: Author): Promise<Told> {
  const open = lines.filter((line) => line.released !== 'removed')
  const regained = open.filter((line) => isSellableAgain(line, stock))
  const isKept = (line: SaleLine) => isStillSold(line, stock) || isSellableAgain(line, stock)
  const [kept, off] = [open.filter(isKept), open.filter((line) => !isKept(line))]
  if (kept.length === 0) {
    const message = 'No item of this sale is available any more: it can only be voided.'
    throw conflict(message, { status: message })
  }

  await release(
    tx,
    sale.id,
    off.map((line) => line.stock_id),
    'removed',
  )
  await sellAgain(tx, sale.id, regained, stock, author)
  const { taxed, news } = await taxBoughtOtherwise(tx, { sale, lines, stock }, kept, regained, author)
  const totals = await rewriteTotals(tx, sale.id, taxed, sale.prices_include_vat)

  const { total_items, total_sales_price, total_sales_price_vat } = sale
  await recordChanges(tx, author, 'Sale', sale.id, { total_items, total_sales_price, total_sales_price_vat }, totals)
  if (off.length)
    await recordMessage(
      tx,
      author,
      'Sale',
      sale.id,
      `Removed from the sale: ${off.map((line) => `item #${line.stock_id}`).join(', ')}.`,
    )
  await record(
    tx,
    author,
    off.map(({ stock_id }) => ({
      type: 'Stock',
      id: stock_id,
      content: {
        type: 'message',
        data: { message: `Removed from sale #${sale.id}, which was resubmitted without it.` },
      },
    })),
  )

  if (sale.excel_status !== 'none') await orderSheet(tx, sale.id, author)
  const papers = await reissueInvoice(tx, sale.id, 'resubmission', author)
  const gross = totals.total_sales_price_vat
  const told = {
    message: [`Sale #${sale.id} resubmitted.`, ...beingMade(papers)].join(' '),
    warnings: [
      ...(off.length ? [`Removed from the sale: ${listed(off.map((line) => line.stock_id))}.`] : []),
      ...(news.length ? [someSentences(news)] : []),
      ...(gross === total_sales_price_vat
        ? []
        : [`The total is now ${money(gross)} instead of ${money(total_sales_price_vat)}.`]),
    ],
  }
  const { credit_note, invoice } = papers
  if (!invoice) return { ...told, warnings: [...told.warnings, ...(await renewWithoutInvoice(tx, sale.id, author))] }
  if (credit_note) await stopMails(tx, sale.id, SUPERSEDED)
  // A waiting mail has the new version of the invoice already, so nobody needs to send it.
  await sql`
    update sale set resend_needed = not exists (
      select from mail where sale_id = ${sale.id} and state = 'waiting' and document_ids @> array[${invoice.id}::int])
    where id = ${sale.id}`.execute(tx)
  return told
}

async function sellAgain(
  tx: Tx,
  saleId: number,
  lines: SaleLine[],
  stock: LockedSale['stock'],
  author: Author,
): Promise<void> {
  const ids = lines.map((line) => line.stock_id)
  await release(tx, saleId, ids, null)
  await sql`update stock set status = 'Sold', sale_id = ${saleId} where id = any(${ids}::int[])`.execute(tx)
  await sql`
    update sale_item set imei = s.imei, serial_number = s.serial_number, cost = s.cost, product_id = p.id,
      product_name = p.display_name, make = make.name, model = p.model, capacity = p.capacity || ' ' || p.capacity_unit, colour = colour.name,
      grade = grade.name
    from stock s join product p on p.id = s.actual_product_id join make on make.id = p.make_id
      left join colour on colour.id = p.colour_id left join grade on grade.id = s.grade_id
    where sale_item.sale_id = ${saleId} and stock_id = s.id and s.id = any(${ids}::int[])`.execute(tx)
  await record(
    tx,
    author,
    soldEntries(
      saleId,
      ids.map((id) => getFrom(stock, id)),
    ),
  )
}
