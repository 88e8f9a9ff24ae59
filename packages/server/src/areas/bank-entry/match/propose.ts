import type { Proposal } from '@backstock/contract/bank-entry.ts'
import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { type NamedNumber, namedNumbers } from './named-numbers.ts'
import { isSameName } from './same-name.ts'

/** An entry that is not wholly booked. `rest` is the part that is still open, below 0 if money went out. */
export type OpenEntry = {
  id: number
  rest: Hundredths
  is_reversal: boolean
  name: string | null
  iban: string | null
  end_to_end: string | null
  remittance: string
}

/**
 * A document whose number an entry may name. `printed` is the number as on the document: `2026-00012`, or
 * `CN-2026-00012` with the letters of its series.
 */
export type NumberedDocument = { sale_id: number; printed: string; year: number; number: number }

export type MatchedSale = {
  id: number
  customer_id: number
  invoice_number: string | null
  reference_number: string | null
  full_name: string | null
  company_name: string | null
  open_amount: Hundredths
}

/**
 * All facts from the database that proposals for some entries need. `customersOf` has, for each IBAN, the customers
 * whose sales earlier entries from it have paid.
 */
export type Facts = {
  documents: readonly NumberedDocument[]
  sales: ReadonlyMap<number, MatchedSale>
  customersOf: ReadonlyMap<string, ReadonlySet<number>>
}

/** The text of an entry in which it may name invoices. */
export const textOf = ({ remittance, end_to_end }: Pick<OpenEntry, 'remittance' | 'end_to_end'>) =>
  [remittance, end_to_end].filter(Boolean).join(' ')

/**
 * The proposals for these entries. Two proposals never use the same part of a sale's open sum: entries with a sure
 * proposal take their part first.
 */
export function propose(entries: readonly OpenEntry[], known: Facts): Map<number, Proposal> {
  // The oldest sale first. The sales of a page's entries may be thousands, so they are sorted once for all entries.
  const facts = { ...known, sales: new Map([...known.sales].toSorted(([one], [other]) => one - other)) }
  const left = new Map([...facts.sales.values()].map((sale) => [sale.id, sale.open_amount]))
  const byNumber = Map.groupBy(facts.documents, ({ number }) => number)
  const found = new Map<number, Proposal>()
  const take = (entry: OpenEntry, proposal: Proposal) => {
    for (const { sale_id, amount } of proposal.payments) left.set(sale_id, (left.get(sale_id) ?? 0) - amount)
    found.set(entry.id, proposal)
  }
  const inOrder = entries.toSorted((a, b) => a.id - b.id)
  for (const entry of inOrder) {
    const proposal = proposalFor(entry, facts, byNumber, left)
    if (proposal.is_sure) take(entry, proposal)
  }
  for (const entry of inOrder)
    if (!found.has(entry.id)) take(entry, { ...proposalFor(entry, facts, byNumber, left), is_sure: false })
  return found
}

type Left = ReadonlyMap<number, Hundredths>
type Numbers = ReadonlyMap<number, readonly NumberedDocument[]>

const money = (amount: Hundredths) => `${formatMoney(Math.abs(amount))} ${CURRENCY}`
const nothing = (why: string): Proposal => ({ payments: [], is_sure: false, why })

function proposalFor(entry: OpenEntry, facts: Facts, byNumber: Numbers, left: Left): Proposal {
  const { rest, is_reversal } = entry
  if (is_reversal) return nothing('The bank reversed an earlier entry.')
  /** The open amount of a sale in the direction of the entry: the sum to be paid, or the sum to be given back. */
  const openOf = (sale: MatchedSale) => Math.max(0, Math.sign(rest) * (left.get(sale.id) ?? 0))
  const wanted = Math.abs(rest)
  const sum = (sales: readonly MatchedSale[]) => sales.reduce((total, sale) => total + openOf(sale), 0)
  const pay = (sales: readonly MatchedSale[], is_sure: boolean, why: string): Proposal => ({
    payments: spread(sales, wanted, openOf).map(({ sale, amount }) => ({
      sale_id: sale.id,
      invoice_number: sale.invoice_number,
      buyer_name: sale.company_name ?? sale.full_name ?? '',
      open_amount: sale.open_amount,
      amount: Math.sign(rest) * amount,
    })),
    is_sure,
    why,
  })
  const { named, bare, unknown } = salesNamed(namedNumbers(textOf(entry)), facts, byNumber, openOf)
  const owing = named.filter((sale) => openOf(sale) > 0)
  const isOfParty = partyOf(entry, facts)
  if (owing.length > 0) {
    const numbers = owing.length === 1 ? 'The invoice number' : 'The invoice numbers'
    if (sum(owing) === wanted) return pay(owing, true, `${numbers} and the amount match.`)
    const more = bare.filter((sale) => !owing.includes(sale))
    const fitting = more.find((sale) => sum(owing) + openOf(sale) === wanted)
    if (fitting) return pay([...owing, fitting], true, 'The invoice numbers and the amount match.')
    const all = [...owing, ...more]
    if (more.length > 1 && sum(all) === wanted) return pay(all, true, 'The invoice numbers and the amount match.')
    const match = owing.length === 1 ? `${numbers} matches` : `${numbers} match`
    const difference = money(sum(owing) - wanted)
    return sum(owing) > wanted
      ? pay(owing, false, `${match}, but this is ${difference} less than is open: a part payment.`)
      : pay(owing, false, `${match}, but this is ${difference} more than is open.`)
  }
  const ofSameAmount = bare.filter((sale) => openOf(sale) === wanted)
  if (ofSameAmount.length === 1) {
    const [sale] = ofSameAmount as [MatchedSale]
    const match = 'The amount and the end of the invoice number match'
    return isOfParty(sale)
      ? pay(ofSameAmount, true, `${match}.`)
      : pay(ofSameAmount, false, `${match}, but not the payer.`)
  }
  const ofParty = bare.filter(isOfParty)
  if (ofParty.length > 1 && sum(ofParty) === wanted)
    return pay(ofParty, true, 'The payer, the amount and the ends of the invoice numbers match.')
  if (named.length > 0) {
    const [first] = named as [MatchedSale]
    const number = first.invoice_number ?? `sale #${first.id}`
    // The sum is open, but the proposal for another entry uses it.
    if (Math.sign(rest) * first.open_amount > 0) {
      const why = `Another entry here seems to be the ${rest < 0 ? 'refund' : 'payment'} for ${number}.`
      return rest < 0 ? nothing(why) : pay([first], false, why)
    }
    if (rest < 0) return nothing(`No refund is due for ${number}.`)
    return pay([first], false, `Nothing is open on ${number} any more.`)
  }
  return byParty(entry, { facts, openOf, wanted, pay, sum, isOfParty, unknown })
}

type Tools = {
  facts: Facts
  openOf: (sale: MatchedSale) => Hundredths
  wanted: Hundredths
  pay: (sales: readonly MatchedSale[], is_sure: boolean, why: string) => Proposal
  sum: (sales: readonly MatchedSale[]) => Hundredths
  isOfParty: (sale: MatchedSale) => boolean
  unknown: NamedNumber | undefined
}

/** References that the text of another transfer may have by chance: words without a digit (`EBAY`), and years. */
const IN_OTHER_TEXTS = /^(?:\D+|20\d\d)$/

/**
 * Whether the text of a transfer surely names this compact reference. It does not if the reference is only a part of a
 * longer number: `4001` in `Customer 5400123`.
 */
function isOwnReference(reference: string, text: string): boolean {
  const spaced = [...reference].join('[^\\p{L}\\p{N}]*')
  return !IN_OTHER_TEXTS.test(reference) && new RegExp(`(?<!\\d)${spaced}(?!\\d)`, 'u').test(upper(text))
}

/**
 * The proposal for an entry that names no known number: by a sale's reference, else by amount and name, else by the
 * sales that a known payer owes.
 */
function byParty(entry: OpenEntry, { facts, openOf, wanted, pay, sum, isOfParty, unknown }: Tools): Proposal {
  const open = [...facts.sales.values()].filter((sale) => openOf(sale) > 0)
  const ofAmount = open.filter((sale) => openOf(sale) === wanted)
  const compact = compacted(textOf(entry))
  const referred = ofAmount.filter(({ reference_number }) => {
    const reference = compacted(reference_number ?? '')
    return reference.length >= 4 && compact.includes(reference)
  })
  const [only, ...others] = referred
  if (only && others.length === 0) {
    if (isOfParty(only) || isOwnReference(compacted(only.reference_number ?? ''), textOf(entry)))
      return pay(referred, true, 'The reference and the amount match.')
    return pay(referred, false, 'The reference and the amount match, but not the payer.')
  }
  const reason = unknown ? `There is no invoice ${printedOf(unknown)}. ` : 'It names no invoice. '
  const fitting = ofAmount.filter(isOfParty)
  if (fitting.length === 1) return pay(fitting, false, `${reason}The amount and the payer match.`)
  if (fitting.length > 1)
    return pay(
      fitting.slice(0, 1),
      false,
      `${reason}The amount and the payer match ${fitting.length} sales; this is the oldest.`,
    )
  const customers = entry.iban ? facts.customersOf.get(entry.iban) : undefined
  const owed = open.filter(({ customer_id }) => customers?.has(customer_id))
  if (owed.length === 0) return nothing(unknown ? `There is no invoice ${printedOf(unknown)}.` : '')
  const owing = `customer with this IBAN ${entry.rest < 0 ? 'is owed' : 'owes'}`
  if (sum(owed) === wanted) return pay(owed, false, `${reason}It is the whole sum that the ${owing}.`)
  if (owed.length > 1) return nothing(`${reason}The ${owing} another amount.`)
  return pay(owed, false, `${reason}The ${owing} ${money(sum(owed))}.`)
}

/** Splits the entry's amount over sales, in their order. Each gets its open amount, and the last one gets the rest. */
function spread(sales: readonly MatchedSale[], wanted: Hundredths, openOf: (sale: MatchedSale) => Hundredths) {
  let rest = wanted
  return sales.flatMap((sale, n) => {
    const amount = n === sales.length - 1 ? rest : Math.min(rest, openOf(sale))
    rest -= amount
    return amount > 0 ? [{ sale, amount }] : []
  })
}

const upper = (text: string) => text.slice(0, 1400).toUpperCase()
const compacted = (text: string) => upper(text).replace(/[^\p{L}\p{N}]/gu, '')
const printedOf = ({ before, year, number }: NamedNumber) => {
  const series = before === 'CN' ? 'CN-' : ''
  return `${series}${year}-${String(number).padStart(5, '0')}`
}

/** Tells whether a sale belongs to the payer of an entry: its customer is known by the IBAN, or has the same name. */
function partyOf({ iban, name }: OpenEntry, { customersOf }: Facts) {
  const customers = iban ? customersOf.get(iban) : undefined
  return ({ customer_id, company_name, full_name }: MatchedSale) =>
    customers?.has(customer_id) ||
    [company_name, full_name].some((called) => called !== null && name !== null && isSameName(called, name))
}

const seriesOf = ({ printed }: NumberedDocument) => printed.replace(/-?\d{4}-\d+$/, '').replaceAll('-', '')

/**
 * The sales that numbers name: by year and number, or by a number alone if only one open sale has it. If the text also
 * has a number as it is printed, a sale that `2026 12` names counts only as one that `12` alone names. `unknown` is the
 * first printed number that no document has.
 */
function salesNamed(
  numbers: readonly NamedNumber[],
  { sales }: Facts,
  byNumber: Numbers,
  openOf: (sale: MatchedSale) => Hundredths,
) {
  const [whole, short, bare] = [new Set<MatchedSale>(), new Set<MatchedSale>(), new Set<MatchedSale>()]
  let unknown: NamedNumber | undefined
  for (const one of numbers) {
    const documents = byNumber.get(one.number) ?? []
    const salesOf = (some: readonly NumberedDocument[]) => [
      ...new Set(some.flatMap(({ sale_id }) => sales.get(sale_id) ?? [])),
    ]
    if (one.year === null) {
      const open = salesOf(documents).filter((sale) => openOf(sale) > 0)
      const [first, ...others] = open
      if (first && others.length === 0) bare.add(first)
      continue
    }
    const found = salesOf(meantBy(one, documents))
    const owing = found.filter((sale) => openOf(sale) > 0)
    const [only] = owing.length === 1 ? owing : found
    if (only && (found.length === 1 || owing.length === 1)) (one.isWhole ? whole : short).add(only)
    else if (found.length === 0 && one.isWhole) unknown ??= one
  }
  const named = whole.size > 0 ? whole : short
  const others = new Set([...short, ...bare]).difference(named)
  return { named: [...named], bare: [...others], unknown }
}

/**
 * The documents that a number means: those of its year in the series whose letters are in front of the number; else
 * those of its year in the shop's own series; else all of its year.
 */
function meantBy({ year, before }: NamedNumber, documents: readonly NumberedDocument[]): readonly NumberedDocument[] {
  const ofYear = documents.filter((document) => document.year === year)
  // The letters of a series may stand alone, at the end of a word, or be only the end of the series (`CN` in
  // `SAMPLECN`).
  const inSeries = ofYear.filter((document) => {
    const series = seriesOf(document)
    return series !== '' && (before.endsWith(series) || (before.length > 1 && series.endsWith(before)))
  })
  const plain = ofYear.filter((document) => seriesOf(document) === '')
  return [inSeries, plain].find((some) => some.length > 0) ?? ofYear
}
