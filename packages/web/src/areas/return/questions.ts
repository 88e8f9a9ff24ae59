import type { ChoiceLine } from './choices.tsx'
import { creditText, itemsText } from './sums.ts'

type Credited = Pick<ChoiceLine, 'price' | 'prices_include_vat'>
type Noted = { invoice_number: string | null; noted_at_zero: boolean }
type NewLine = Credited & { sale: (Noted & { id: number }) | null }
type AwaitedLine = Credited & Noted

/** Whether the item will be on a credit note. */
const isNoted = ({ invoice_number, noted_at_zero }: Noted, price: number) =>
  invoice_number !== null && (price > 0 || noted_at_zero)

/** `others` is the number of items that were sold to somebody else. */
type NewReturn = { coming: readonly NewLine[]; buyer: { name: string }; email: boolean; others: number }

const comesBack = (n: number) => (n === 1 ? 'comes' : 'come')

/**
 * The question before a new return is received. It names the credit notes and their sum: a sale without an invoice gets
 * no note.
 */
export function questionOfNew({ coming, buyer, email, others }: NewReturn): string {
  const noted = coming.filter(({ sale, price }) => sale && isNoted(sale, price))
  const sales = new Set(noted.map(({ sale }) => sale?.id)).size
  const notes = `${sales.toLocaleString('en')} credit ${sales === 1 ? 'note' : 'notes'}`
  const credited = sales > 0 ? ` ${notes} for ${creditText(noted)} ${sales === 1 ? 'is' : 'are'} made` : ''
  const mailed = credited && email ? ' and sent by email' : ''
  const back = `${itemsText(coming.length)} of ${buyer.name} ${comesBack(coming.length)} back.`
  const own = others === 1 ? 'needs a return of its own' : 'need returns of their own'
  const rest = others > 0 ? ` ${itemsText(others)} of other customers ${own}.` : ''
  return `${back}${credited}${mailed}${credited && '.'}${rest}`
}

/** The question before announced items are received. Only items on invoices are on credit notes. */
export function questionOfAwaited(coming: readonly AwaitedLine[], email: boolean): string {
  const hasNotes = coming.some((line) => isNoted(line, line.price))
  const mailed = email && hasNotes ? ', and the credit notes are sent by email' : ''
  return `${itemsText(coming.length)} ${comesBack(coming.length)} back; ${creditText(coming)} is credited${mailed}.`
}
