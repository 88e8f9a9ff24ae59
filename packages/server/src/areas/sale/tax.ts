import type { TaxFacts, TaxFactsInput } from '@backstock/contract/tax-facts.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { Decision, ItemTax, SaleTax } from '@backstock/contract/treatment-of.ts'
import { buyersSide, chosen, ruleInForce, treatmentsOf } from '@backstock/contract/treatment-of.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Buyer, Tables } from '../../db/tables.ts'

/** What decides how a sale is taxed, as the sale keeps it. */
export type TreatmentRoute = SaleTax & { day: string }

/** The seller's side of it. `margin_rate` is that of the VAT in margins; null where the company has not said. */
export type Seller = Pick<TreatmentRoute, 'seller' | 'rule' | 'day'> & { margin_rate: RateHundredths | null }

/**
 * The seller today by the company's clock. The rule is that of the day on which the goods were supplied, where they were:
 * what ends or begins afterwards does not concern them.
 */
export async function sellerOf(db: Db, suppliedOn: string | null = null): Promise<Seller> {
  const { margin_rate, day, ...seller } = await db
    .selectFrom('company')
    .select(['country_code', 'postal_code', 'vat_number', 'margin_rate'])
    .select(sql<string>`coalesce(${suppliedOn}::date, (now() at time zone time_zone)::date)`.as('day'))
    .executeTakeFirstOrThrow()
  const rules = await db
    .selectFrom('reverse_charge_rule')
    .select(['country_code', 'valid_from', 'valid_to', 'threshold', 'threshold_currency', 'resellers_any', 'series'])
    .where('country_code', '=', seller.country_code ?? '')
    .execute()
  return { day, seller, margin_rate, rule: ruleInForce(rules, seller.country_code, day) }
}

type TaxedBuyer = Pick<Buyer, 'vat_number' | 'billing_address' | 'delivery_address'>

/** All that decides of a sale to this buyer. */
export function routeOf({ seller, rule, day }: Seller, buyer: TaxedBuyer): TreatmentRoute {
  return { day, seller, rule, ...buyersSide(buyer.vat_number, buyer.billing_address, buyer.delivery_address) }
}

type Item = Selectable<Tables['stock']>
export type VatType = Pick<Selectable<Tables['vat']>, 'id' | 'name' | 'rate' | 'treatment'>

/** All VAT types, by id. */
export async function vatTypes(db: Db): Promise<ReadonlyMap<number, VatType>> {
  const vats = await db.selectFrom('vat').select(['id', 'name', 'rate', 'treatment']).execute()
  return new Map(vats.map((vat) => [vat.id, vat]))
}

/** Which of these products are of the goods for which states know reverse charge. */
export async function reverseChargeProducts(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select p.id from product p join category c on c.id = p.category_id
    where p.id = any(${ids}::int[]) and c.is_reverse_charge_good`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export const itemTax = (item: Item, vat: VatType | undefined, reverseCharge: ReadonlySet<number>): ItemTax => ({
  purchase: item.purchase_treatment,
  vat: vat ?? null,
  isReverseChargeGood: reverseCharge.has(item.actual_product_id),
})

type Wanted = { tax: ItemTax; price: number; wanted: Treatment | undefined }

/** How each line is taxed, as the rules say or as a person chose among what they allow. */
export function decide(lines: readonly Wanted[], route: SaleTax, includeVat: boolean): Decision[] {
  const decisions = treatmentsOf(
    lines.map(({ tax, price }) => ({ ...tax, price })),
    route,
    includeVat,
  )
  return lines.map(({ tax, wanted }, n) => chosen(decisions[n]!, tax, wanted))
}

/** What a screen must know to work it out by itself, of items that are being sold or of a sale that is put right. */
export async function taxFacts(db: Db, { items, sale_id }: TaxFactsInput): Promise<TaxFacts> {
  const { rows } = await sql<{ id: number }>`
    select distinct actual_product_id as id from stock where id = any(${items}::int[])`.execute(db)
  const products = await reverseChargeProducts(
    db,
    rows.map(({ id }) => id),
  )
  const sale =
    sale_id && (await db.selectFrom('sale').select('dispatched_on').where('id', '=', sale_id).executeTakeFirst())
  return { ...(await sellerOf(db, sale ? sale.dispatched_on : null)), reverse_charge_products: [...products] }
}
