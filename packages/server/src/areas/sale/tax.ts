import type { Treatment } from '@backstock/contract/treatment.ts'
import type { Decision, ItemTax, ReverseChargeRule, SaleTax } from '@backstock/contract/treatment-of.ts'
import { chosen, ruleInForce, treatmentsOf } from '@backstock/contract/treatment-of.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import type { Place } from '@backstock/contract/vat-territory.ts'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Buyer, BuyerAddress, Tables } from '../../db/tables.ts'

/** What decides how a sale is taxed, as the sale keeps it. */
export type TreatmentRoute = SaleTax & { day: string }

export type Seller = SaleTax['seller'] & {
  /** Of the VAT in margins; null where the company has not said. */
  margin_rate: RateHundredths | null
  /** Today by the company's clock. */
  day: string
}

export async function sellerOf(tx: Tx): Promise<Seller> {
  return tx
    .selectFrom('company')
    .select(['country_code', 'postal_code', 'vat_number', 'margin_rate'])
    .select(sql<string>`(now() at time zone time_zone)::date`.as('day'))
    .executeTakeFirstOrThrow()
}

const placeOf = (address: BuyerAddress | null): Place | null =>
  address && { country_code: address.country_code, postal_code: address.postal_code }

/** The facts of a sale to this buyer today. */
export async function routeOf(
  tx: Tx,
  seller: Seller,
  buyer: Pick<Buyer, 'vat_number' | 'billing_address' | 'delivery_address'>,
): Promise<TreatmentRoute> {
  const { margin_rate: _, day, ...from } = seller
  const [billing, delivery] = [placeOf(buyer.billing_address), placeOf(buyer.delivery_address)]
  const rules: ReverseChargeRule[] = await tx
    .selectFrom('reverse_charge_rule')
    .select(['country_code', 'valid_from', 'valid_to', 'threshold', 'threshold_currency', 'resellers_any'])
    .where('country_code', '=', from.country_code ?? '')
    .execute()
  return {
    day,
    seller: from,
    buyer: { ...(billing ?? delivery ?? { country_code: null, postal_code: null }), vat_number: buyer.vat_number },
    delivery: delivery ?? billing,
    rule: ruleInForce(rules, from.country_code, day),
  }
}

type Item = Selectable<Tables['stock']>
export type VatType = Pick<Selectable<Tables['vat']>, 'id' | 'name' | 'rate' | 'treatment'>

/** Which of these products are of the goods for which states know reverse charge. */
export async function reverseChargeProducts(tx: Tx, items: readonly Item[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(items.map((item) => item.actual_product_id))]
  const { rows } = await sql<{ id: number }>`
    select p.id from product p join category c on c.id = p.category_id
    where p.id = any(${ids}::int[]) and c.is_reverse_charge_good`.execute(tx)
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
