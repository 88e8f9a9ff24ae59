import { CURRENCY, formatMoney, type Hundredths } from './money.ts'
import { netOf } from './sale-total.ts'
import { type PurchaseTreatment, TREATMENT_NAMES, type Treatment, type VatTypeTreatment } from './treatment.ts'
import { isOfNumber, type VatChecked, vatCheckDoubt } from './vat-check-doubt.ts'
import type { RateHundredths } from './vat-rate.ts'
import { type Place, placeName, postalCodeProblem, stateOfVatNumber, vatStateOf } from './vat-territory.ts'

/** The facts of an item that decide its VAT. */
export type ItemTax = {
  purchase: PurchaseTreatment
  /** The item's VAT type. `treatment` is null if nobody has said what the type means. */
  vat: { rate: RateHundredths; treatment: VatTypeTreatment | null } | null
  /** Whether the item's category contains the goods for which some states demand reverse charge on domestic sales. */
  isReverseChargeGood: boolean
}

/** A law of a state that demands reverse charge on domestic sales of phones and similar goods. */
export type ReverseChargeRule = {
  country_code: string
  /** The first and the last day on which the law is in force, yyyy-mm-dd. */
  valid_from: string
  valid_to: string | null
  /** The sum of the goods under this law, without VAT, from which the law applies; null if it applies to any sum. */
  threshold: Hundredths | null
  threshold_currency: string
  /** Whether the law applies to any sum if the buyer is a reseller. */
  resellers_any: boolean
  /** The series of numbers for invoices that have only goods under this law; null if they use the usual series. */
  series: string | null
}

/** The facts of a whole sale that decide its VAT. */
export type SaleTax = {
  seller: Place & { vat_number: string | null }
  /** The buyer's place, and the VAT number that proves it. */
  buyer: Place & { vat_number: string | null }
  /** The place to which the goods go: the delivery address, else the billing address. */
  delivery: Place | null
  /** The rule of the seller's state that is in force on the day of the sale. */
  rule: ReverseChargeRule | null
}

/**
 * The buyer's side of `SaleTax`: the buyer is at the billing address, and the goods go to the delivery address. If one
 * of the addresses is missing, the other serves for both.
 */
export function buyersSide(
  vat_number: string | null,
  billing: Place | null,
  delivery: Place | null,
): Pick<SaleTax, 'buyer' | 'delivery'> {
  const placeOf = (address: Place | null): Place | null =>
    address && { country_code: address.country_code, postal_code: address.postal_code }
  const [home, destination] = [placeOf(billing ?? delivery), placeOf(delivery ?? billing)]
  return { buyer: { ...(home ?? { country_code: null, postal_code: null }), vat_number }, delivery: destination }
}

export type Decision = {
  treatment: Treatment
  rate: RateHundredths
  /** The reason for the treatment in one sentence, for the seller. */
  why: string
  /** The other treatments that a person may choose. */
  also: Treatment[]
  /** Why the line cannot be sold with this treatment; undefined if it can. */
  problem?: string
}

/** The number of days around the end of a reverse charge rule on which screens warn of that end. */
export const RULE_WARNING_DAYS = 30
const DAY_MS = 86_400_000

/** A note about a law that ends within thirty days: the law counts on the date of supply, which may come later. */
function endingProblem(lastDay: string, day: string): string | null {
  if (Date.parse(lastDay) - Date.parse(day) > RULE_WARNING_DAYS * DAY_MS) return null
  const last = lastDay.split('-').reverse().join('/')
  return `Reverse charge in your country ends on ${last}. If these goods leave later, choose VAT for them, unless the law is extended.`
}

/** A note about lines that nobody has taxed: their invoice neither charges VAT nor says why. */
function untaxedProblem(decisions: readonly Decision[]): string[] {
  const n = decisions.filter(({ treatment }) => treatment === 'none').length
  if (n === 0) return []
  const [items, they] = n === 1 ? ['1 item is', 'it has'] : [`${n.toLocaleString('en')} items are`, 'they have']
  return [
    `${items} sold without VAT, and an invoice gives no reason: ${they} no VAT type, or one whose meaning is not specified.`,
  ]
}

type TaxableLine = ItemTax & { price: Hundredths }

/** The rule of a state that is in force on a day (yyyy-mm-dd). If several are, the one that began last. */
export function ruleInForce<Rule extends ReverseChargeRule>(
  rules: readonly Rule[],
  country: string | null,
  day: string,
): Rule | null {
  const inForce = rules.filter(
    (rule) =>
      rule.country_code === country && rule.valid_from <= day && (rule.valid_to === null || day <= rule.valid_to),
  )
  return inForce.reduce<Rule | null>((last, rule) => (last && last.valid_from > rule.valid_from ? last : rule), null)
}

/**
 * The last day (yyyy-mm-dd) of reverse charge in a state, counted from the rule in force on `day`: a rule that follows
 * without a gap goes on. Null if no rule is in force, or if the law has no end.
 */
export function reverseChargeEnds(
  rules: readonly ReverseChargeRule[],
  country: string | null,
  day: string,
): string | null {
  let last: string | null = null
  for (let rule = ruleInForce(rules, country, day); rule; rule = ruleInForce(rules, country, dayAfter(last))) {
    if (rule.valid_to === null) return null
    last = rule.valid_to
  }
  return last
}

const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** The treatment of each line by the rules, with the other treatments that a person may choose. Prices are as typed. */
export function treatmentsOf(lines: readonly TaxableLine[], sale: SaleTax, pricesIncludeVat: boolean): Decision[] {
  const places = placesOf(sale)
  const sum = lines
    .filter((line) => comesUnder(line, places, sale))
    .reduce((total, { price, vat }) => total + netOf(price, vat?.rate ?? 0, pricesIncludeVat), 0)
  return lines.map((line) => treatmentOf(line, sale, sum, places))
}

type Places = {
  /** The states from which and to which the goods go, in the form of `vatStateOf`. */
  home: string | null
  destination: string | null
  /** The state that issued the buyer's VAT number; null if there is none. */
  buyersState: string | null
}

function placesOf({ seller, buyer, delivery }: SaleTax): Places {
  const home = vatStateOf(seller, seller.vat_number)
  const place = delivery?.country_code ? delivery : buyer.country_code ? buyer : seller
  return {
    home: home === 'outside' ? null : home,
    destination: vatStateOf(place, place === seller ? seller.vat_number : buyer.vat_number),
    buyersState: stateOfVatNumber(buyer.vat_number),
  }
}

/** Whether a line counts towards a rule of reverse charge in the seller's state. */
function comesUnder(item: ItemTax, { home, destination, buyersState }: Places, { seller, rule }: SaleTax): boolean {
  const atHome = home !== null && destination === home && buyersState === home && seller.vat_number !== null
  return atHome && rule !== null && item.isReverseChargeGood && !isMargin(item)
}

/** Whether an item is sold under the margin scheme. If nobody knows how the item was bought, its VAT type decides. */
const isMargin = ({ purchase, vat }: ItemTax) =>
  purchase === 'margin' || (purchase === 'unknown' && vat?.treatment === 'margin')

/**
 * The treatment of a line. The rules apply in this order:
 * 1. export;
 * 2. an item bought under the margin scheme;
 * 3. an intra-Community supply;
 * 4. domestic reverse charge, if `sum` reaches the law's threshold (it is the sum, without VAT, of all lines with goods
 *    under the law);
 * 5. the item's VAT type.
 */
function treatmentOf(item: ItemTax, sale: SaleTax, sum: Hundredths, places: Places): Decision {
  const { home, destination, buyersState } = places
  const own = ofVatType(item)
  const whereTo = placeName(sale.delivery?.country_code ? sale.delivery : sale.buyer)
  const instead = (treatment: Treatment, why: string): Decision => ({
    treatment,
    rate: 0,
    why,
    also: own.treatment === treatment || own.treatment === 'margin' ? [] : [own.treatment],
  })

  if (home !== null && destination === 'outside')
    return instead('export', `The goods leave the EU’s VAT territory (destination: ${whereTo}).`)
  if (isMargin(item)) {
    const why = item.purchase === 'margin' ? 'Bought under the margin scheme.' : 'Its VAT type is the margin scheme.'
    return { treatment: 'margin', rate: 0, why, also: own.treatment === 'standard' ? ['standard'] : [] }
  }
  const isAbroad = home !== null && destination !== null && destination !== home
  if (isAbroad && sale.seller.vat_number !== null && buyersState !== null && buyersState !== home)
    return instead(
      'intra_community',
      `The goods go to another member state (destination: ${whereTo}), and the buyer has a VAT number of a member state other than yours.`,
    )
  if (comesUnder(item, places, sale)) {
    const { threshold, threshold_currency, resellers_any } = sale.rule!
    const isKnown = threshold === null || threshold_currency === CURRENCY
    if (isKnown && sum >= (threshold ?? 0))
      return instead(
        'reverse_charge',
        threshold === null
          ? 'Such goods are sold under reverse charge to businesses in your country.'
          : `Such goods are sold under reverse charge to businesses in your country, if they come to ${formatMoney(threshold)} ${CURRENCY} or more.`,
      )
    if (resellers_any || !isKnown) return { ...own, also: [...own.also, 'reverse_charge'] }
  }
  return own
}

function ofVatType({ vat }: ItemTax): Decision {
  if (vat === null) return { treatment: 'none', rate: 0, why: 'It has no VAT type.', also: [] }
  const why = 'As its VAT type says.'
  if (vat.rate > 0) return { treatment: 'standard', rate: vat.rate, why, also: [] }
  if (vat.treatment === null || vat.treatment === 'standard')
    return { treatment: 'none', rate: 0, why: 'The meaning of its VAT type is not specified yet.', also: [] }
  // If the VAT type says margin scheme, the item was bought in another way: items bought under the margin scheme were
  // treated above.
  const problem = vat.treatment === 'margin' && { problem: NOT_BOUGHT_SO }
  return { treatment: vat.treatment, rate: 0, why, also: [], ...problem }
}

/** The decision for a line if a person wants another treatment. `problem` says why the line cannot have it. */
export function chosen(decision: Decision, item: ItemTax, wanted: Treatment | undefined): Decision {
  if (wanted === undefined || wanted === decision.treatment) return decision
  const also = [decision.treatment, ...decision.also.filter((one) => one !== wanted)]
  const rate = wanted === 'standard' ? (item.vat?.rate ?? 0) : 0
  const taken: Decision = { treatment: wanted, rate, why: 'Chosen by hand.', also }
  return decision.also.includes(wanted) ? taken : { ...taken, problem: problemOf(wanted, decision, item) }
}

/** Article 314 of Directive 2006/112/EC. */
const NOT_BOUGHT_SO = 'the item was not bought under the margin scheme'

/**
 * The reason why a treatment that is not allowed is refused, as words after 'because'. The numbers are articles of
 * Directive 2006/112/EC.
 */
function problemOf(wanted: Treatment, decision: Decision, item: ItemTax): string {
  switch (wanted) {
    case 'margin':
      return isMargin(item)
        ? 'the goods leave the EU’s VAT territory: that is an export' // Article 321
        : NOT_BOUGHT_SO
    case 'intra_community':
      return isMargin(item)
        ? 'goods bought under the margin scheme are never an intra-Community supply' // Article 139(3)
        : 'this needs the seller’s VAT number, a buyer’s VAT number of another member state, and a delivery to another member state' // Article 138
    case 'export':
      return 'this needs a delivery to a place outside the EU’s VAT territory' // Article 146
    case 'reverse_charge':
      return 'this needs a rule in force, goods and a sum to which the rule applies, and a seller and a buyer with VAT numbers of the same country' // Article 199a
    case 'standard':
      return 'the item has no VAT type with a rate above 0'
    default:
      return `‘${TREATMENT_NAMES[decision.treatment]}’ applies to the item`
  }
}

/** Whether the goods of a sale go from one member state to another. */
export function goesToAnotherState(sale: SaleTax): boolean {
  const { home, destination } = placesOf(sale)
  return home !== null && destination !== null && destination !== home && destination !== 'outside'
}

/** Whether a line is an intra-Community supply: then the buyer's VAT number must have been checked. */
export const needsVatCheck = (decisions: readonly Pick<Decision, 'treatment'>[]) =>
  decisions.some(({ treatment }) => treatment === 'intra_community')

type Known = { checked?: VatChecked | undefined; day?: string | undefined; lastDay?: string | null | undefined }

/**
 * Notes about a sale that is allowed, but that a person should look at. `checked` is the check of the buyer's VAT
 * number, `day` the day of the sale, `lastDay` the last day of reverse charge in the seller's state (null if it has no
 * end). The caller leaves out what it does not know yet.
 */
export function taxWarnings(
  sale: SaleTax,
  decisions: readonly Decision[],
  { checked, day, lastDay = null }: Known = {},
): string[] {
  const { home, destination, buyersState } = placesOf(sale)
  const { vat_number } = sale.buyer
  const isAbroad = goesToAnotherState(sale)
  const some = (treatment: Treatment) => decisions.some((one) => one.treatment === treatment)
  const postalCode = home !== null && sale.delivery !== null ? postalCodeProblem(sale.delivery) : null
  const check = checked?.check ?? null
  const isInvalid = check !== null && isOfNumber(check, vat_number) && !check.is_valid
  const isMixed = some('reverse_charge') && decisions.some((one) => one.treatment !== 'reverse_charge')
  return [
    ...(postalCode === null ? [] : [postalCode]),
    ...(isMixed && sale.rule !== null && sale.rule.series !== null
      ? [`Reverse charge needs invoices of its own (${sale.rule.series}): sell the other items in a separate sale.`]
      : []),
    ...(some('reverse_charge') && lastDay !== null && day !== undefined
      ? [endingProblem(lastDay, day)].filter((ending) => ending !== null)
      : []),
    ...(vat_number !== null && buyersState === null && home !== null && destination !== 'outside'
      ? [`The buyer’s VAT number ${vat_number} does not start with an EU country prefix, so it does not count.`]
      : []),
    ...(isAbroad && some('standard') && (buyersState === null || isInvalid)
      ? [
          `The goods go to another member state, and ${isInvalid ? 'the buyer’s VAT number was not valid when VIES was asked' : 'the buyer has no EU VAT number'}: VAT may be due there.`,
        ]
      : []),
    ...(sale.seller.vat_number === null ? [] : untaxedProblem(decisions)),
    ...(home !== null && destination === home && buyersState !== null && buyersState !== home && some('standard')
      ? [
          'The buyer’s VAT number is of another member state, but the goods stay in your country: check the delivery country.',
        ]
      : []),
    ...(needsVatCheck(decisions) ? ['Intra-Community supply: keep the proof of transport.'] : []),
    ...(needsVatCheck(decisions) && vat_number !== null && checked
      ? [vatCheckDoubt(vat_number, checked)].filter((doubt) => doubt !== null)
      : []),
  ]
}
