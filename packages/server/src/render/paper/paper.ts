import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { LetterKind, ReminderLevel } from '@backstock/contract/letter-kind.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { OfferLine } from '@backstock/contract/offer-lines.ts'
import { places } from '../../http/places.ts'
import type { InvoiceAddress, InvoiceBuyer } from '../invoice/data.ts'
import type { Sender } from '../invoice/letterhead.ts'
import { thread } from '../workers/thread.ts'
import { orTooLong } from '../workers/too-long.ts'
import { inTurns } from '../workers/turns.ts'
import type { PurchaseReceiptPaper } from './purchase-receipt.ts'

export type OfferPaper = {
  kind: 'offer'
  sender: Sender
  lang: InvoiceLanguage
  date: string
  prices: boolean
  lines: OfferLine[]
}

export type DeliveryNote = {
  kind: 'delivery note'
  sender: Sender
  lang: InvoiceLanguage
  sale_id: number
  date: string
  reference_number: string | null
  courier: string | null
  tracking_number: string | null
  buyer: Pick<InvoiceBuyer, 'name' | 'company_name'>
  billing_address: InvoiceAddress | null
  delivery_address: InvoiceAddress | null
  lines: { product: string; grade: string | null; imei: string | null; serial_number: string | null }[]
}

/** A pick list is for the shop's own people, so it is in English. */
export type PickList = {
  kind: 'pick list'
  sender: Sender
  /** The title, such as `Sale #25`. */
  title: string
  /** The destination of the items, such as the customer's name. */
  note: string | null
  date: string
  lines: {
    id: number
    location: string | null
    product: string
    grade: string | null
    imei: string | null
    serial_number: string | null
    backstock_id: string | null
  }[]
}

/** A letter about a customer's open items, as it is stored. Its logo is not stored, because its PDF is. */
export type LetterPaper = {
  kind: 'letter'
  letter: LetterKind
  level: ReminderLevel | null
  /** A draft is only looked at. */
  isDraft?: true
  sender: Sender
  bank: { name: string | null; iban: string | null; bic: string | null }
  lang: InvoiceLanguage
  date: string
  pay_by: string | null
  buyer: Pick<InvoiceBuyer, 'name' | 'company_name'>
  address: InvoiceAddress | null
  lines: {
    number: string
    issued_on: string | null
    due_on: string | null
    days: number
    total: Hundredths
    paid: Hundredths
    open: Hundredths
  }[]
  /** The sum of `open`, and of the overdue lines. */
  total: Hundredths
  overdue: Hundredths
}

export type Paper = OfferPaper | DeliveryNote | PickList | PurchaseReceiptPaper | LetterPaper

const ownThread = () =>
  thread<Paper, Uint8Array>(new URL('./worker.ts', import.meta.url), {
    timeoutMs: 60_000,
    idleMs: 30_000,
    memoryMb: 512,
  })
const renderer = ownThread()
/** Invoices wait in one queue with the documents that jobs store, so those wait for no document of a person. */
const keptRenderer = ownThread()

/**
 * Each person's documents are made one at a time. So many documents for one person do not delay those of other people.
 */
const papersInTurns = inTurns(1)
const waiting = places('papers', { all: 50, each: 5 })

/**
 * Makes the PDF of a document that is not stored, in a thread of its own, so that invoices do not wait for it. `read`
 * is called when its turn comes, so that waiting documents take no memory. Throws 503 if too many wait, or if it takes
 * more than 60 s. Throws an `Error` that says what could not be printed. If `unwanted` is aborted, it throws the
 * signal's reason at once, and frees the place in the queue.
 */
export async function renderPaper(person: number, unwanted: AbortSignal, read: () => Promise<Paper>): Promise<Buffer> {
  const print = async () => orTooLong(renderer.run(await read(), unwanted))
  const inTurn = () => papersInTurns(person, 1, print, unwanted)
  const { buffer, byteOffset, byteLength } = await waiting(person, inTurn)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Makes the PDF of a document that a job stores, in a second thread. */
export async function renderKeptPaper(paper: Paper): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await keptRenderer.run(paper)
  return Buffer.from(buffer, byteOffset, byteLength)
}
