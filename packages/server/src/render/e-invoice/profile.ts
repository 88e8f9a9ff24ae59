import type { EInvoiceProfile } from '@backstock/contract/e-invoice-profile.ts'
import { registeredNumber } from '@backstock/contract/electronic-address.ts'
import type { Lacks } from '@backstock/contract/lacks.ts'
import { compactVatNumber } from '@backstock/contract/vat-territory.ts'
import { type InvoiceData, type InvoiceLine, isCreditNote, isSettled } from '../invoice/data.ts'
import { type EInvoice, type EInvoiceParty, electronicOf } from './e-invoice.ts'

/** The rules that each profile names (BT-24). */
const GUIDELINES: Record<EInvoiceProfile, string> = {
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  peppol: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
}
/** The business process of a plain invoice or credit note (BT-23), which both profiles demand. */
const BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

/** The facts that decide whether the XML of a profile can be made. */
export type ProfileFacts = Pick<InvoiceData, 'kind' | 'paid' | 'total_gross' | 'reference_number'> & {
  seller: SellerFacts
  buyer: Pick<
    InvoiceData['buyer'],
    'billing_address' | 'delivery_address' | 'email' | 'registration' | 'reference' | 'electronic_address'
  >
  lines: readonly Pick<InvoiceLine, 'treatment' | 'vat_rate'>[]
}
type SellerFacts = Pick<
  InvoiceData['seller'],
  'address' | 'vat_number' | 'registration' | 'email' | 'phone' | 'payment_terms' | 'electronic_address'
> & { bank: Pick<InvoiceData['seller']['bank'], 'iban'> }

type Demand = readonly [lacks: string, isThere: unknown]
const lacking = (demands: readonly Demand[]) => demands.flatMap(([lacks, isThere]) => (isThere ? [] : [lacks]))

/** The number in a register that Peppol's national rules demand of a seller, by the seller's country. */
const DEMANDED_NUMBERS: Readonly<Record<string, string>> = {
  NL: 'the seller’s KvK number or OIN as its registration number',
  DK: 'the seller’s CVR number as its registration number',
  SE: 'the seller’s organisation number as its registration number',
}

/**
 * The facts that a profile demands beyond EN 16931 and that the data lack, grouped by the page on which a person can
 * enter them.
 */
export function profileLacksOf(profile: EInvoiceProfile, facts: ProfileFacts): Lacks {
  const { seller, buyer, lines } = facts
  const [from, to] = [seller.address?.country_code ?? '', countryOf(buyer)]
  const isGerman = profile === 'xrechnung' || (from === 'DE' && to === 'DE')
  const asksNothing = isCreditNote(facts) || isSettled(facts)
  return {
    seller: lacking([
      ['the seller’s bank account', asksNothing || seller.bank.iban],
      ...(isGerman ? germanDemands(seller) : []),
      ...(profile === 'peppol' ? peppolSeller(seller, from) : []),
    ]),
    buyer: lacking([
      ['the buyer’s reference', buyer.reference || facts.reference_number],
      ...(profile === 'peppol' ? peppolBuyer(buyer, from, to) : []),
      ...(profile === 'xrechnung' ? [['the buyer’s electronic address', electronicOf(buyer)] as const] : []),
    ]),
    items:
      profile === 'peppol' && from === 'SE'
        ? lacking([['a Swedish VAT rate on every taxed item', lines.every(isSwedishRate)]])
        : [],
  }
}

const countryOf = ({ billing_address, delivery_address }: ProfileFacts['buyer']) =>
  (billing_address ?? delivery_address)?.country_code ?? ''

/** The demands of XRechnung, which Peppol makes too if both parties are in Germany. */
const germanDemands = ({ phone, email, payment_terms }: SellerFacts): Demand[] => [
  ['the seller’s phone number', /\d.*\d.*\d/.test(phone ?? '')], // BR-DE-6 and BR-DE-27
  ['the seller’s email', email], // BR-DE-7
  ['payment terms in which no line begins with #', hasSkontoForm(payment_terms)],
]

/** A line that begins with # must be a cash discount in a form that machines read (BR-DE-18). */
const SKONTO = /^#SKONTO#TAGE=\d+#PROZENT=\d+\.\d\d(?:#BASISBETRAG=-?\d+\.\d\d)?#$/
const discounts = (terms: string | null) => (terms ?? '').split('\n').filter((line) => line.trim().startsWith('#'))
const hasSkontoForm = (terms: string | null) => discounts(terms).every((line) => SKONTO.test(line))

/** Peppol's network has no email addresses. */
const isInPeppol = (address: string | undefined) => address !== undefined && !address.startsWith('EM:')

function peppolSeller(seller: SellerFacts, from: string): Demand[] {
  const number = compactVatNumber(seller.vat_number ?? '')
  const demanded = DEMANDED_NUMBERS[from]
  return [
    ['the seller’s electronic address for Peppol', isInPeppol(seller.electronic_address)],
    ['the street of the seller’s address', seller.address?.street], // NL-R-002 and IT-R-002
    ...(demanded ? [[demanded, registeredNumber(seller.registration ?? null, from)] as const] : []),
    // Their XML has no other tax number instead: `mayNameTaxNumber`.
    ['the seller’s VAT number', number || (from !== 'SE' && from !== 'IT')],
    ['the seller’s VAT number with twelve digits', !number.startsWith('SE') || /^SE\d{12}$/.test(number)], // SE-R-001
    // Greek sellers report each invoice to their tax office before it goes out, and the XML has the answer (GR-R-004).
    ['the myDATA confirmation (Backstock does not connect to myDATA)', !number.startsWith('EL') && from !== 'GR'],
  ]
}

function peppolBuyer(buyer: ProfileFacts['buyer'], from: string, to: string): Demand[] {
  const street = (buyer.billing_address ?? buyer.delivery_address)?.street
  return [
    ['the buyer’s electronic address for Peppol', isInPeppol(buyer.electronic_address)],
    ['the street of the buyer’s address', street || from !== 'NL' || to !== 'NL'], // NL-R-004
  ]
}

const isSwedishRate = ({ treatment, vat_rate }: Pick<InvoiceLine, 'treatment' | 'vat_rate'>) =>
  treatment !== 'standard' || [600, 1200, 2500].includes(vat_rate) // SE-R-006

/** An invoice or credit note in the words of its profile; undefined if the data lack something that the profile demands. */
export function profiledOf(plain: EInvoice, data: InvoiceData & { profile: EInvoiceProfile }): EInvoice | undefined {
  const { profile } = data
  if (Object.values(profileLacksOf(profile, data)).some((lacks) => lacks.length > 0)) return undefined
  const [from, to] = [plain.seller.address.country_code, plain.buyer.address.country_code]
  const isWithinGermany = from === 'DE' && to === 'DE'
  return {
    ...plain,
    guideline: GUIDELINES[profile],
    process: BILLING,
    // After the last discount, BR-DE-18 demands the end of the line.
    terms: discounts(plain.terms).length > 0 ? `${plain.terms}\n` : plain.terms,
    // Between Dutch parties, Peppol allows no code for 'no means' (NL-R-008). German rules demand one (DE-R-001).
    means: profile === 'peppol' && plain.asksNothing && !isWithinGermany ? null : plain.means,
    seller: registered(plain.seller, profile),
    buyer: registered(plain.buyer, profile),
  }
}

/** The countries whose sellers and buyers may name only a number with its kind, by Peppol's national rules. */
const ONLY_NUMBERS = new Set(['NL', 'DK', 'SE'])

/** A party that names its number in a register with the kind of the number, such as 0106 for a KvK number. */
function registered(party: EInvoiceParty, profile: EInvoiceProfile): EInvoiceParty {
  const { country_code } = party.address
  const text = typeof party.registration === 'string' ? party.registration : null
  const number = registeredNumber(text, country_code)
  const isLeftOut = profile === 'peppol' && ONLY_NUMBERS.has(country_code)
  return {
    ...party,
    registration: number ?? (isLeftOut ? null : text),
    tax_number: profile === 'peppol' && !mayNameTaxNumber(party) ? null : party.tax_number,
  }
}

/**
 * In this field, Swedish sellers may only name their approval for F-tax (SE-R-005), and Italian ones only a number of
 * 11 to 16 characters.
 */
function mayNameTaxNumber({ tax_number, vat_number, address }: EInvoiceParty): boolean {
  if (address.country_code === 'SE') return /^godkänd för f-skatt$/i.test(tax_number ?? '')
  if (address.country_code === 'IT' || vat_number?.startsWith('IT')) return /^[A-Z\d]{11,16}$/.test(tax_number ?? '')
  return true
}
