import { someSentences } from '@backstock/contract/some-of.ts'
import type { TaxFacts, TaxFactsInput } from '@backstock/contract/tax-facts.ts'
import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import type { Decision, ItemTax, SaleTax } from '@backstock/contract/treatment-of.ts'
import { buyersSide, chosen, reverseChargeEnds, ruleInForce, treatmentsOf } from '@backstock/contract/treatment-of.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import type { RawBuilder, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Buyer, Tables, TreatmentRoute } from '../../db/tables.ts'
import { single, zip } from '../../lists.ts'
import type { ItemToSell, SaleLine, SaleRecord } from './locked-sale.ts'

/**
 * The seller's facts for a sale. `margin_rate` is the rate of the VAT in margins; null if the company has not set it.
 * `reverse_charge_ends` is the last day of reverse charge in the seller's state (`reverseChargeEnds`); it is missing for
 * the day of an earlier sale.
 */
export type Seller = Pick<TreatmentRoute, 'seller' | 'rule' | 'day'> & {
  margin_rate: RateHundredths | null
  payment_days: number
  reverse_charge_ends?: string | null
}

/**
 * The seller's facts of today by the company's clock. If the goods were supplied already, the rule is that of the date
 * of supply: a rule that begins or ends later does not apply to them.
 */
export async function sellerOf(db: Db, suppliedOn: string | null = null): Promise<Seller> {
  return sellerIn(await sellers(db, suppliedOn).executeTakeFirstOrThrow())
}

const sellers = (db: Db, suppliedOn: string | null) =>
  db
    .selectFrom('company')
    .select(['country_code', 'postal_code', 'vat_number', 'margin_rate', 'payment_days'])
    .select(sql<string>`coalesce(${suppliedOn}::date, (now() at time zone time_zone)::date)`.as('day'))
    .select(rulesOfCountry.as('rules'))

type SellerRow = Seller['seller'] &
  Pick<Seller, 'margin_rate' | 'payment_days' | 'day'> & { rules: NonNullable<TreatmentRoute['rule']>[] }

function sellerIn({ margin_rate, payment_days, day, rules, ...seller }: SellerRow): Seller {
  const { country_code } = seller
  return {
    ...{ day, seller, margin_rate, payment_days },
    rule: ruleInForce(rules, country_code, day),
    reverse_charge_ends: reverseChargeEnds(rules, country_code, day),
  }
}

/** The reverse charge rules of the company's country. */
const rulesOfCountry = sql<NonNullable<TreatmentRoute['rule']>[]>`(
  select coalesce(json_agg(rule), '[]') from (
    select country_code, valid_from, valid_to, threshold, threshold_currency, resellers_any, series
    from reverse_charge_rule where reverse_charge_rule.country_code = company.country_code) rule)`

/**
 * The seller's facts on the day of a sale, which the sale has stored. Facts that it has not stored are today's. If the
 * sale was dispatched on another day, the rule is that of the dispatch.
 */
export async function sellerThen(
  db: Db,
  sale: Pick<SaleRecord, 'id' | 'treatment_route' | 'dispatched_on'>,
): Promise<Seller> {
  const route = sale.treatment_route
  const day = sale.dispatched_on ?? route?.day ?? null
  const { reverse_charge_ends: _, ...today } = await sellerOf(db, day)
  const { rows } = await sql<{ margin_rate: RateHundredths }>`
    select margin_rate from sale_item where sale_id = ${sale.id} and margin_rate is not null limit 1`.execute(db)
  const margin_rate = rows[0]?.margin_rate ?? route?.margin_rate ?? today.margin_rate
  if (!route) return { ...today, margin_rate }
  const isKnown = route.seller.country_code !== null
  const isInForce = route.rule
    ? ruleInForce([route.rule], route.seller.country_code, today.day) !== null
    : route.day === day
  return {
    ...today,
    margin_rate,
    seller: {
      ...(isKnown ? route.seller : today.seller),
      vat_number: route.seller.vat_number ?? today.seller.vat_number,
    },
    rule: isKnown && isInForce ? route.rule : today.rule,
  }
}

type TaxedBuyer = Pick<Buyer, 'vat_number' | 'billing_address' | 'delivery_address'>

/** The facts that decide the VAT of a sale to this buyer. */
export function routeOf({ seller, rule, day, margin_rate }: Seller, buyer: TaxedBuyer): TreatmentRoute {
  return {
    day,
    seller,
    rule,
    margin_rate,
    ...buyersSide(buyer.vat_number, buyer.billing_address, buyer.delivery_address),
  }
}

export type VatType = Pick<
  Selectable<Tables['vat']>,
  'id' | 'name' | 'rate' | 'treatment' | 'exemption_text' | 'exemption_code'
>

/** SQL for the ids of the products among these that are goods for which some states demand reverse charge. */
const reverseChargeProducts = (ids: RawBuilder<unknown>) => sql<number[]>`array(
  select p.id from product p join category c on c.id = p.category_id
  where p.id = any(${ids}) and c.is_reverse_charge_good)`

const itemTax = (item: ItemToSell, vat: VatType | undefined, reverseCharge: ReadonlySet<number>): ItemTax => ({
  purchase: item.purchase_treatment,
  vat: vat ?? null,
  isReverseChargeGood: reverseCharge.has(item.actual_product_id),
})

/** The facts of a sold item that decided its VAT on the day of the sale. */
export const taxThen = (
  line: Pick<SaleLine, 'purchase_treatment' | 'type_rate' | 'type_treatment' | 'is_reverse_charge_good'>,
): ItemTax => ({
  purchase: line.purchase_treatment,
  vat: line.type_rate === null ? null : { rate: line.type_rate, treatment: line.type_treatment },
  isReverseChargeGood: line.is_reverse_charge_good,
})

/** The seller's facts, and those that decide the VAT of these items, in the order of the items: all as of today. */
export async function factsOfToday(db: Db, items: readonly ItemToSell[]): Promise<{ seller: Seller; taxes: Taxed[] }> {
  const products = items.map((item) => item.actual_product_id)
  const { vats, reverse_charge, ...row } = await sellers(db, null)
    .select(vatTypes.as('vats'))
    .select(reverseChargeProducts(sql`${products}::int[]`).as('reverse_charge'))
    .executeTakeFirstOrThrow()
  const byId = new Map(vats.map((vat) => [vat.id, vat]))
  const reverseCharge = new Set(reverse_charge)
  const taxes = items.map((item) => {
    const vat = item.vat_id === null ? undefined : byId.get(item.vat_id)
    return { vat: vat ?? null, tax: itemTax(item, vat, reverseCharge) }
  })
  return { seller: sellerIn(row), taxes }
}

type Taxed = { vat: VatType | null; tax: ItemTax }
const vatTypes = sql<VatType[]>`(select coalesce(json_agg(v), '[]') from (
  select id, name, rate, treatment, exemption_text, exemption_code from vat) v)`

/**
 * An item that is being sold. `price` is as typed, with or without VAT as the sale says. `wanted` is a person's choice.
 */
export type PricedItem = { item: ItemToSell; price: number; wanted: Treatment | undefined }
/** The item with the facts about its VAT that the sale stores. */
export type TaxedItem = PricedItem & Taxed & { decision: Decision }

/** The treatment of each line: by the rules, or a person's choice if the rules allow it. */
export function taxLines(
  lines: readonly PricedItem[],
  taxes: readonly Taxed[],
  route: SaleTax,
  includeVat: boolean,
): TaxedItem[] {
  const taxed = zip(lines, taxes).map(([line, tax]) => ({ ...line, ...tax }))
  const decisions = treatmentsOf(
    taxed.map(({ tax, price }) => ({ ...tax, price })),
    route,
    includeVat,
  )
  return zip(taxed, decisions).map(([line, decision]) => ({
    ...{ ...line, decision: chosen(decision, line.tax, line.wanted) },
  }))
}

/**
 * A line with its treatment. `name` is its name at the start of a sentence; `problem` says why the treatment is not
 * possible.
 */
type TaxedLine = { name: string; treatment: Treatment; problem?: string | undefined; lacksMarginRate: boolean }

/** Why lines cannot be taxed as wanted, in sentences; empty if all can. */
export function taxProblems(lines: readonly TaxedLine[]): string {
  const refused = lines.flatMap(({ name, treatment, problem }) =>
    problem ? `${name}: ${TREATMENT_NAMES[treatment]} is not possible because ${problem}.` : [],
  )
  return [
    ...(refused.length ? [someSentences(refused)] : []),
    ...(lines.some(({ lacksMarginRate }) => lacksMarginRate)
      ? ['Before you can sell under the margin scheme, an administrator must set its VAT rate on the company page.']
      : []),
  ].join(' ')
}

/**
 * The facts with which a screen computes VAT by itself, for the items of a draft, or for a sale that a person corrects.
 */
export async function taxFacts(db: Db, { items, sale_id }: TaxFactsInput): Promise<TaxFacts> {
  const products = sql`array(select distinct actual_product_id from stock where id = any(${items}::int[]))`
  const { rows } = await sql<{ ids: number[] }>`select ${reverseChargeProducts(products)} as ids`.execute(db)
  const reverse_charge_products = single(rows).ids
  const sale =
    sale_id &&
    (await db
      .selectFrom('sale')
      .select(['id', 'treatment_route', 'dispatched_on', 'buyer'])
      .where('id', '=', sale_id)
      .executeTakeFirst())
  const { payment_days: _, ...seller } = sale ? await sellerThen(db, sale) : await sellerOf(db)
  if (!sale) return { ...seller, reverse_charge_products, sold: null }
  const { vat_number, billing_address, delivery_address } = sale.buyer
  const lines = await db
    .selectFrom('sale_item')
    .select(['stock_id', 'purchase_treatment', 'type_rate', 'type_treatment', 'is_reverse_charge_good'])
    .where('sale_id', '=', sale.id)
    .execute()
  const sold = {
    ...buyersSide(vat_number, billing_address, delivery_address),
    items: lines.map((line) => ({ stock_id: line.stock_id, ...taxThen(line) })),
  }
  return { ...seller, reverse_charge_products, sold }
}
