import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import type { Tx } from '../../../db/connect.ts'
import type { Reissued } from '../../document/invoice.ts'

/** A change of a sale in sentences: the things done, and those that the person should know. */
export type Told = { message: string; warnings: string[] }

export const money = (amount: Hundredths) => `${formatMoney(amount)} ${CURRENCY}`

/** A sentence about the documents that a change makes; none if it makes none. */
export function beingMade({ credit_note, invoice }: Reissued): string[] {
  if (!invoice) return []
  if (!credit_note) return [`Invoice ${invoice.printed} is being made.`]
  return [`Credit note ${credit_note.printed} and invoice ${invoice.printed} are being made.`]
}

/** A sentence about the sum that the shop must give back, if the customer has paid more than the sale asks for now. */
export async function refundDue(tx: Tx, saleId: number): Promise<string[]> {
  const { open_amount } = await tx
    .selectFrom('sale')
    .select('open_amount')
    .where('id', '=', saleId)
    .executeTakeFirstOrThrow()
  return open_amount < 0 ? [`${money(-open_amount)} is to be refunded.`] : []
}
