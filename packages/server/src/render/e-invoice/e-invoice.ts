import { compactBankNumber } from '@backstock/contract/bank-number.ts'
import { addressParts, type ElectronicAddress } from '@backstock/contract/electronic-address.ts'
import { formatDate } from '@backstock/contract/format-in-language.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Lacks } from '@backstock/contract/lacks.ts'
import { type Hundredths, toCurrencyUnits } from '@backstock/contract/money.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { compactVatNumber, stateOfVatNumber } from '@backstock/contract/vat-territory.ts'
import { first } from '../../lists.ts'
import { CREDIT_NOTE_TEXTS, creditReason } from '../invoice/credit-note-texts.ts'
import {
  type InvoiceAddress,
  type InvoiceData,
  type InvoiceLine,
  isCreditNote,
  isEarlier,
  isSettled,
  openAmount,
} from '../invoice/data.ts'
import { daysAfter } from '../invoice/format.ts'
import { paymentTerms } from '../invoice/payment-texts.ts'
import { reasonsOf } from '../invoice/treatment-words.ts'

/** For each treatment, the VAT category of EN 16931 (UNCL 5305) and the code of the reason (VATEX). */
const CATEGORIES: Record<Exclude<Treatment, 'none'>, { category: string; code?: string }> = {
  standard: { category: 'S' },
  zero: { category: 'Z' },
  margin: { category: 'E', code: 'VATEX-EU-F' },
  reverse_charge: { category: 'AE', code: 'VATEX-EU-AE' },
  intra_community: { category: 'K', code: 'VATEX-EU-IC' },
  export: { category: 'G', code: 'VATEX-EU-G' },
  exempt: { category: 'E' },
}

export type EInvoiceParty = {
  name: string
  vat_number: string | null
  /** The seller's number at its own tax office (BT-32). */
  tax_number: string | null
  /** The number in a register (BT-30 for the seller, BT-47 for the buyer), or its text if it has no kind. */
  registration: string | ElectronicAddress | null
  /** The address for e-invoices (BT-34 and BT-49). */
  electronic: ElectronicAddress | null
  /** The seller's contact (BG-6). It is only there if it is complete, because XRechnung demands all of it. */
  contact: { name: string; phone: string; email: string } | null
  address: EInvoiceAddress
}
export type EInvoiceAddress = {
  street: string
  street_2: string
  postal_code: string
  city: string
  country_code: string
}
export type Tax = { category: string; code?: string; reason?: string; rate: RateHundredths }

const GUIDELINE = 'urn:cen.eu:en16931:2017'
/** Codes of UNTDID 1001 and 4461, and the code for one piece of UN/ECE Recommendation 20. */
const COMMERCIAL_INVOICE = '380'
const CREDIT_NOTE = '381'
const SEPA_TRANSFER = '58'
const NO_INSTRUMENT = '1'
export const PIECE = 'H87'

/**
 * An invoice or credit note in the terms that both syntaxes of EN 16931 share. It has the facts of the PDF, from the
 * same stored data.
 */
export type EInvoice = {
  /** The rules that the XML keeps to (BT-24), and the business process (BT-23) if the profile names one. */
  guideline: string
  process: string | null
  number: string
  type: typeof COMMERCIAL_INVOICE | typeof CREDIT_NOTE
  /** The invoice that a credit note credits (BG-3); undefined for an invoice. */
  credits: { number: string; issued_on: string } | undefined
  /** The reason for a credit note; null for an invoice. */
  note: string | null
  issued_on: string
  /** Null for a credit note, and for an invoice with nothing open. */
  due_on: string | null
  /** The date of supply; null if it is not known. */
  supplied_on: string | null
  /** Goods for another member state need a day or a period of supply (BR-IC-11). */
  needsPeriod: boolean
  currency: string
  /** The buyer's reference (BT-10), and the buyer's order (BT-13) if it is another text. */
  reference: string
  order: string | null
  terms: string | null
  /** Whether there is nothing to pay. */
  asksNothing: boolean
  /**
   * The code of the means of payment; null if there is none. XRechnung demands means even if there is nothing to pay
   * (BR-DE-1), so the XML has the code for none then.
   */
  means: string | null
  /** The account for the payment; null if nothing is open, or if the seller has given none. */
  account: { iban: string; bic: string | null } | null
  seller: EInvoiceParty
  buyer: EInvoiceParty
  deliver_to: EInvoiceAddress
  lines: {
    name: string
    imei: string | null
    serial_number: string | null
    grade: string | null
    net: Hundredths
    tax: Tax
  }[]
  taxes: (Tax & { net: Hundredths; vat: Hundredths })[]
  net: Hundredths
  vat: Hundredths
  gross: Hundredths
  /** The paid sum (BT-113) and the open sum (BT-115), which is below 0 after an overpayment. */
  paid: Hundredths
  open: Hundredths
}

type Facts = Pick<InvoiceData, 'kind' | 'credits'> & {
  seller: Pick<InvoiceData['seller'], 'address' | 'vat_number' | 'tax_number' | 'registration'>
  buyer: Pick<InvoiceData['buyer'], 'billing_address' | 'delivery_address' | 'vat_number'>
  lines: readonly Pick<InvoiceLine, 'treatment' | 'vat_name' | 'vat_rate'>[]
}

/** The facts, in words, without which the official rules would refuse the XML; empty if none is missing. */
export const eInvoiceLacks = (facts: Facts): string[] => Object.values(eInvoiceLacksOf(facts)).flat()

/** The facts that an e-invoice lacks, grouped by the page on which a person can enter them. */
export function eInvoiceLacksOf(facts: Facts): Lacks {
  const { seller, buyer, lines } = facts
  const place = buyer.billing_address ?? buyer.delivery_address
  const needsBuyersNumber = lines.some(
    ({ treatment }) => treatment === 'intra_community' || treatment === 'reverse_charge',
  )
  return {
    seller: [
      ...(isWhole(seller.address) ? [] : ['the seller’s address']),
      ...(isIdentified(seller, lines) ? [] : ['the seller’s VAT number with its country prefix']),
    ],
    buyer: [
      ...(isWhole(place) ? [] : ['the buyer’s address']),
      ...(needsBuyersNumber && !namedNumber(buyer.vat_number)
        ? ['the buyer’s VAT number with its country prefix']
        : []),
    ],
    items: [
      ...(lines.every(hasCategory) ? [] : ['each item’s VAT type and what it means']),
      ...(lines.every(({ treatment, vat_name }) => treatment !== 'exempt' || vat_name)
        ? []
        : ['the reason for the exemption']),
      ...(isCreditNote(facts) && !facts.credits ? ['the invoice that it credits'] : []),
    ],
  }
}

/**
 * Whether a line has a VAT category. Old lines are `standard` with any rate; with a rate of 0, nobody knows the reason.
 */
const hasCategory = ({ treatment, vat_rate }: Pick<InvoiceLine, 'treatment' | 'vat_rate'>) =>
  treatment !== undefined && treatment !== 'none' && (treatment !== 'standard' || vat_rate > 0)

/**
 * Whether the XML identifies the seller well enough. If there is no VAT number (BT-31), the tax office's number (BT-32)
 * is enough together with a number in a register (BR-CO-26), but not for goods that leave the country without VAT
 * (BR-IC-02, BR-G-02).
 */
const isIdentified = ({ vat_number, tax_number, registration }: Facts['seller'], lines: Facts['lines']) =>
  stateOfVatNumber(vat_number) !== null ||
  (!!tax_number &&
    !!registration &&
    lines.every(({ treatment }) => treatment !== 'intra_community' && treatment !== 'export'))

type Whole = InvoiceAddress & { postal_code: string; city: string; country_code: string }
export const isWhole = (address: InvoiceAddress | null | undefined): address is Whole =>
  !!(address?.postal_code && address.city && address.country_code)

/** The invoice or credit note for the XML; undefined if the data lack something. */
export function eInvoiceOf(data: InvoiceData, lang: InvoiceLanguage): EInvoice | undefined {
  if (eInvoiceLacks(data).length > 0) return undefined
  const { seller, buyer } = data
  const taxes = breakdown(data, lang)
  const iban = seller.bank.iban && compactBankNumber(seller.bank.iban)
  const isCredit = isCreditNote(data)
  const asksNothing = isCredit || isSettled(data)
  return {
    guideline: GUIDELINE,
    process: null,
    number: data.number,
    type: isCredit ? CREDIT_NOTE : COMMERCIAL_INVOICE,
    credits: isCredit ? data.credits : undefined,
    note: isCredit && data.reason ? creditReason(data.reason, lang) : null,
    issued_on: data.issued_on,
    due_on: asksNothing ? null : daysAfter(data.issued_on, seller.payment_days),
    supplied_on: data.supplied_on,
    needsPeriod: data.supplied_on === null && taxes.some(({ category }) => category === 'K'),
    currency: data.currency,
    reference: buyer.reference ?? data.reference_number ?? String(data.sale_id),
    order: buyer.reference === undefined ? null : data.reference_number,
    terms: termsOf(data, lang),
    asksNothing,
    means: iban && !asksNothing ? SEPA_TRANSFER : asksNothing ? NO_INSTRUMENT : null,
    account: iban && !asksNothing ? { iban, bic: seller.bank.bic && compactBankNumber(seller.bank.bic) } : null,
    seller: partyOf(seller.name, seller, seller.address as Whole),
    buyer: partyOf(buyer.company_name ?? buyer.name, buyer, (buyer.billing_address ?? buyer.delivery_address) as Whole),
    deliver_to: addressOf((isWhole(buyer.delivery_address) ? buyer.delivery_address : buyer.billing_address) as Whole),
    lines: data.lines.map((line) => ({
      name: line.description,
      imei: line.imei,
      serial_number: line.serial_number,
      grade: line.grade ?? null,
      net: line.net,
      tax: taxOf(line.treatment, line.vat_rate),
    })),
    taxes,
    net: data.total_net,
    vat: data.total_vat,
    gross: data.total_gross,
    paid: data.paid ?? 0,
    open: openAmount(data),
  }
}

/**
 * The terms of payment, as in the PDF. A credit note asks for no payment, but the element must not be empty (BR-CO-25).
 */
function termsOf(data: InvoiceData, lang: InvoiceLanguage): string | null {
  const { credits, seller } = data
  if (credits && isCreditNote(data))
    return CREDIT_NOTE_TEXTS[lang].credits(credits.number, formatDate(credits.issued_on, lang))
  if (isEarlier(data)) return seller.payment_terms
  return [paymentTerms(data, lang), seller.payment_terms].filter((part) => !!part).join('\n')
}

/** The treatment is there and has a category, because `eInvoiceOf` makes no XML if a line lacks it. */
const taxOf = (treatment: Treatment | undefined, rate: RateHundredths): Tax => ({
  ...CATEGORIES[treatment as Exclude<Treatment, 'none'>],
  rate,
})

/**
 * The VAT by category and rate. All exempt lines, those of the margin scheme included, have one subtotal (BR-E-01). If
 * these lines have several reasons, the subtotal has the words of all reasons, but no code.
 */
function breakdown(data: InvoiceData, lang: InvoiceLanguage): EInvoice['taxes'] {
  const totals = data.vat_totals.map((total) => ({ ...total, tax: taxOf(total.treatment, total.rate) }))
  const groups = Map.groupBy(totals, ({ tax }) => `${tax.category} ${tax.rate}`)
  const ownCode = exemptionCode(data)
  return [...groups.values()].map((group) => {
    const { treatment, tax } = first(group)
    const { category, code = treatment === 'exempt' ? ownCode : undefined, rate } = tax
    const reasons = group.flatMap(({ treatment }) => reasonsOf(data, lang, treatment))
    // A zero-rated category must not have a reason for an exemption (BR-Z-10).
    const isReasoned = category !== 'S' && category !== 'Z'
    return {
      category,
      rate,
      ...(code && group.length === 1 && { code }),
      ...(isReasoned && { reason: [...new Set(reasons)].join('; ') }),
      net: group.reduce((sum, { net }) => sum + net, 0),
      vat: group.reduce((sum, { vat }) => sum + vat, 0),
    }
  })
}

/** The code that all exempt lines share; undefined if they have several codes, or if some have none. */
function exemptionCode({ lines }: InvoiceData): string | undefined {
  const codes = new Set(lines.filter(({ treatment }) => treatment === 'exempt').map((line) => line.exemption_code))
  return codes.size === 1 ? [...codes][0] : undefined
}

/** A VAT number; null if it does not begin with a country's letters, because validators refuse that (BR-CO-09). */
function namedNumber(vatNumber: string | null): string | null {
  const number = compactVatNumber(vatNumber ?? '')
  return /^[A-Z]{2}/.test(number) ? number : null
}

type Party = Pick<
  InvoiceData['seller'],
  'vat_number' | 'tax_number' | 'registration' | 'email' | 'electronic_address'
> &
  Partial<Pick<InvoiceData['seller'], 'phone' | 'contact'>>

function partyOf(name: string, party: Party, address: Whole): EInvoiceParty {
  const { vat_number, tax_number = null, registration = null, email, phone, contact = name } = party
  return {
    ...{ name, vat_number: namedNumber(vat_number), tax_number, registration },
    electronic: electronicOf(party),
    contact: email && phone ? { name: contact, phone, email } : null,
    address: addressOf(address),
  }
}

/** The address of a party for e-invoices; if it has given none, its email. */
export function electronicOf({
  electronic_address,
  email,
}: Pick<InvoiceData['buyer'], 'electronic_address' | 'email'>): ElectronicAddress | null {
  if (electronic_address) return addressParts(electronic_address)
  return email ? { scheme: 'EM', id: email } : null
}

function addressOf({ street, street_2, postal_code, city, country_code }: Whole): EInvoiceAddress {
  return { street: street ?? '', street_2: street_2 ?? '', postal_code, city, country_code }
}

/** An amount in currency units without separators: `12345` is `123.45`. */
export const decimal = (amount: Hundredths) => toCurrencyUnits(amount)
/** A rate in percent: `2150` is `21.50`. */
export const percent = (rate: RateHundredths) => toCurrencyUnits(rate)
