import type { AllowInput } from '@backstock/contract/document.ts'
import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict, invalid } from '../../../http/refusal.ts'
import { single } from '../../../lists.ts'
import { refuseStale } from '../../../records/log/stale.ts'
import { type Author, type Entry, record } from '../../../records/log/write.ts'
import { type CreditNote, creditItems } from '../../document/credit.ts'
import { queueDocumentMails } from '../../document/mail/outbox.ts'
import { isStillSold, lockSale } from '../locked-sale.ts'
import { rewriteReturned } from '../totals.ts'
import { agreedPrice, tooMuch } from './return-item.ts'

/**
 * Gives back a part of the price for items that their buyer keeps. The sale earns less. If it has an invoice, a credit
 * note is made; the purchase of the items stays deducted. Returns the note. Throws 404; 409 if the sale is not
 * dispatched, since its price can still be corrected, or if it has changed since it was loaded; 422 under `items` for
 * items that are no longer on the sale, and for sums above the rest of a price. The number series are locked last.
 */
export async function allowOnSale(
  tx: Tx,
  saleId: number,
  input: AllowInput,
  author: Author,
  mailFrom: string | undefined,
): Promise<CreditNote | undefined> {
  const { sale, lines, stock } = await lockSale(tx, saleId)
  await refuseStale(tx, sale, input.updated_at, { type: 'Sale', id: saleId })
  if (sale.status !== 'Dispatched')
    throw conflict(
      `Sale #${saleId} is ${sale.status}: only a dispatched sale can have an allowance. Correct the price instead.`,
    )
  const kept = new Map(lines.filter((line) => isStillSold(line, stock)).map((line) => [line.stock_id, line]))
  const wrong = input.items.flatMap(({ id, price }) => {
    const line = kept.get(id)
    if (!line) return `Item #${id} is not on this sale, or has come back.`
    const most = agreedPrice(line)
    return price > most ? tooMuch(id, most) : []
  })
  if (new Set(input.items.map(({ id }) => id)).size < input.items.length) wrong.push('List each item only once.')
  if (wrong.length) throw invalid({ items: wrong.slice(0, TOLD).join(' ') })

  await sql`
    update sale_item i set allowed_price = i.allowed_price + given.price
    from unnest(${input.items.map(({ id }) => id)}::int[], ${input.items.map(({ price }) => price)}::int[])
      as given (stock_id, price)
    where i.sale_id = ${saleId} and i.stock_id = given.stock_id`.execute(tx)
  await rewriteReturned(tx, [sale])
  await record(tx, author, entries(saleId, input.items))
  const allowed = input.items.map(({ id, price }) => ({ stock_id: id, price, isAllowance: true }))
  const note = await creditItems(tx, saleId, { items: allowed, reason: 'allowance' }, author)
  if (note && input.send_email) await queueDocumentMails(tx, [{ saleId, documentIds: [note.id] }], { author, mailFrom })
  return note
}
const TOLD = 20

function entries(saleId: number, items: AllowInput['items']): Entry[] {
  const told = (text: string) => ({ type: 'message' as const, data: { message: text } })
  const sum = (price: Hundredths) => `${formatMoney(price)} ${CURRENCY}`
  const whole = items.reduce((all, { price }) => all + price, 0)
  const of = items.length === 1 ? `item #${single(items).id}` : `${items.length} items`
  return [
    { type: 'Sale', id: saleId, content: told(`Allowance of ${sum(whole)} for ${of}, which the customer keeps.`) },
    ...items.map(
      ({ id, price }): Entry => ({
        type: 'Stock',
        id,
        content: told(`Allowance of ${sum(price)} in sale #${saleId}.`),
      }),
    ),
  ]
}
