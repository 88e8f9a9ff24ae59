import { leftOf, marginVat, type SoldLine, saleTotals } from '@backstock/contract/sale-total.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { SaleLine, SaleRecord } from './locked-sale.ts'
import { insertingVatTotals } from './new/create.ts'

/** The fields of a line that the totals need. */
type Counted = Pick<SaleLine, 'stock_id' | 'sales_price' | 'sales_price_vat' | 'vat_rate' | 'vat_treatment'>

/** Computes and stores a sale's totals, net prices and VAT from these lines. Returns the totals that the log shows. */
export async function rewriteTotals(tx: Tx, saleId: number, kept: readonly Counted[], pricesIncludeVat: boolean) {
  const totals = saleTotals(
    kept.map((line) => ({
      price: line.sales_price_vat ?? line.sales_price,
      rate: line.vat_rate,
      treatment: line.vat_treatment,
    })),
    pricesIncludeVat,
  )
  await sql`
    update sale_item set sales_price = line.price
    from unnest(${kept.map((line) => line.stock_id)}::int[], ${totals.lines.map((line) => line.sales_price)}::int[])
      as line (stock_id, price)
    where sale_item.sale_id = ${saleId} and sale_item.stock_id = line.stock_id`.execute(tx)
  const total_margin_vat = await rewriteMargins(tx, saleId)
  await tx.deleteFrom('sale_vat').where('sale_id', '=', saleId).execute()
  await insertingVatTotals(saleId, totals).execute(tx)
  const { total_sales_price, total_sales_price_vat } = totals
  const changed = { total_items: kept.length, total_sales_price, total_sales_price_vat }
  await tx
    .updateTable('sale')
    .set({
      ...changed,
      total_margin_vat,
      total_purchase_price: sql<number>`(select sum(cost) from sale_item
        where sale_id = ${saleId} and stock_id = any(${kept.map((line) => line.stock_id)}::int[]))`,
    })
    .where('id', '=', saleId)
    .execute()
  await rewriteReturned(tx, [{ id: saleId, prices_include_vat: pricesIncludeVat }])
  return changed
}

/** Computes and stores the sums that returns and allowances take off sales: the whole less the rest. */
export async function rewriteReturned(
  tx: Tx,
  sales: readonly Pick<SaleRecord, 'id' | 'prices_include_vat'>[],
): Promise<void> {
  const ids = sales.map(({ id }) => id)
  const { rows: lines } = await sql<SoldLine & { sale_id: number }>`
    select sale_id, sold as price, vat_rate as rate, vat_treatment as treatment, returned_price, allowed_price, bought as cost, margin_rate
    from sale_line_left where sale_id = any(${ids}::int[]) order by sale_id, position`.execute(tx)
  const bySale = Map.groupBy(lines, ({ sale_id }) => sale_id)
  const left = sales.map((sale) => leftOf(bySale.get(sale.id) ?? [], sale.prices_include_vat))
  await sql`
    update sale set returned_sales = total_sales_price - kept.net, returned_gross = total_sales_price_vat - kept.gross,
      returned_cost = total_purchase_price - kept.cost, returned_margin_vat = total_margin_vat - kept.margin_vat
    from unnest(${ids}::int[], ${left.map(({ totals }) => totals.total_sales_price)}::bigint[],
      ${left.map(({ totals }) => totals.total_sales_price_vat)}::bigint[], ${left.map(({ cost }) => cost)}::bigint[],
      ${left.map(({ margin_vat }) => margin_vat)}::bigint[]) as kept (id, net, gross, cost, margin_vat)
    where sale.id = kept.id`.execute(tx)
}

/** Computes the VAT in the margins of a sale again, because an item's cost may have been corrected. Returns its sum. */
async function rewriteMargins(tx: Tx, saleId: number): Promise<number> {
  const lines = await tx
    .selectFrom('sale_item')
    .select(['stock_id', 'sales_price', 'cost', 'margin_rate'])
    .where('sale_id', '=', saleId)
    .where(sql<boolean>`released is distinct from 'removed' and margin_rate is not null`)
    .execute()
  const vat = lines.map(({ sales_price, cost, margin_rate }) => marginVat(sales_price, cost, margin_rate ?? 0))
  await sql`
    update sale_item set margin_vat = line.vat
    from unnest(${lines.map((line) => line.stock_id)}::int[], ${vat}::int[]) as line (stock_id, vat)
    where sale_item.sale_id = ${saleId} and sale_item.stock_id = line.stock_id`.execute(tx)
  return vat.reduce((sum, one) => sum + one, 0)
}
