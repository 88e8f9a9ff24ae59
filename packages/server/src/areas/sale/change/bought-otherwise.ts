import { isBoughtOtherwise } from '@backstock/contract/bought-otherwise.ts'
import { correctedTaxes } from '@backstock/contract/corrected-tax.ts'
import { TREATMENT_NAMES } from '@backstock/contract/treatment.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict } from '../../../http/refusal.ts'
import { getFrom, zip } from '../../../lists.ts'
import { type Author, record } from '../../../records/log/write.ts'
import type { LockedSale, SaleLine, StockItem } from '../locked-sale.ts'
import { factsOfToday, routeOf, sellerThen, taxProblems, taxThen } from '../tax.ts'

const purchaseOf = ({ purchase_treatment, vat_id }: SaleLine | StockItem) => ({
  purchase_treatment,
  vat_type_id: vat_id,
})

/**
 * Decides the VAT of the `regained` lines anew if somebody has changed how their items were bought, because the margin
 * scheme depends on the purchase. Buyer and rules are those of the day of the sale, and so is the rate if the VAT type
 * is the same. All other lines keep their VAT. Returns the `kept` lines with their new VAT, and sentences about each
 * change of a treatment. Throws 409 if a line cannot be sold with it.
 */
export async function taxBoughtOtherwise(
  tx: Tx,
  { sale, stock }: LockedSale,
  kept: readonly SaleLine[],
  regained: readonly SaleLine[],
  author: Author,
): Promise<{ taxed: SaleLine[]; news: string[] }> {
  const isBack = new Set(
    regained.filter((line) => isBoughtOtherwise(purchaseOf(line), purchaseOf(getFrom(stock, line.stock_id)))),
  )
  if (isBack.size === 0) return { taxed: [...kept], news: [] }
  const { taxes: items } = await factsOfToday(
    tx,
    kept.map((line) => getFrom(stock, line.stock_id)),
  )
  const seller = await sellerThen(tx, sale)
  const route = routeOf(seller, sale.buyer)
  const bought = zip(kept, items).map(([line, { vat, tax }]) => {
    const then = taxThen(line)
    if (!isBack.has(line)) return { line, vat, then, now: undefined }
    const isSameType = vat?.id === line.vat_id
    return { line, vat, then, now: { ...tax, vat: isSameType ? then.vat : tax.vat } }
  })
  const taxes = correctedTaxes(
    bought.map(({ line, then, now }) => ({
      ...{ ...then, now, price: line.sales_price_vat ?? line.sales_price, wanted: undefined },
      sold: { treatment: line.vat_treatment, rate: line.vat_rate, why: line.vat_why ?? '' },
    })),
    [],
    { was: route, now: route },
    sale.prices_include_vat,
  )
  const lines = zip(bought, taxes).map(([{ line, vat, now }, { taken, isKept }]) => {
    if (!now) return { before: line, line }
    const sold = { ...line, purchase_treatment: now.purchase }
    if (isKept) return { before: line, line: sold }
    const { treatment, rate, why, problem } = taken
    const isExempt = treatment === 'exempt'
    const anew: SaleLine = {
      ...{ ...sold, vat_treatment: treatment, vat_rate: rate, vat_why: why, margin_vat: 0 },
      margin_rate: treatment === 'margin' ? seller.margin_rate : null,
      ...{ vat_id: vat?.id ?? null, vat_name: vat?.name ?? null },
      ...{ type_rate: now.vat?.rate ?? null, type_treatment: now.vat?.treatment ?? null },
      is_reverse_charge_good: now.isReverseChargeGood,
      exemption_text: isExempt ? (vat?.exemption_text ?? null) : null,
      exemption_code: isExempt ? (vat?.exemption_code ?? null) : null,
    }
    return { before: line, line: anew, problem }
  })
  const problems = taxProblems(
    lines.map(({ line: { stock_id, vat_treatment, margin_rate }, problem }) => ({
      ...{ name: `Item #${stock_id}`, treatment: vat_treatment, problem },
      lacksMarginRate: vat_treatment === 'margin' && margin_rate === null,
    })),
  )
  if (problems) throw conflict(problems, { status: problems })
  await writeTaxes(
    tx,
    sale.id,
    lines.flatMap(({ before, line }) => (isBack.has(before) ? [line] : [])),
  )
  const news = lines
    .filter(({ before, line }) => line.vat_treatment !== before.vat_treatment)
    .map(({ before, line }) => {
      const [now, was] = [TREATMENT_NAMES[line.vat_treatment], TREATMENT_NAMES[before.vat_treatment]]
      const changed = line.purchase_treatment === before.purchase_treatment ? 'The VAT type' : '‘Bought under’'
      return `${changed} of item #${line.stock_id} has changed: its VAT treatment is now ${now} instead of ${was}.`
    })
  await record(
    tx,
    author,
    news.map((message) => ({ type: 'Sale', id: sale.id, content: { type: 'message', data: { message } } })),
  )
  return { taxed: lines.map(({ line }) => line), news }
}

async function writeTaxes(tx: Tx, saleId: number, lines: readonly SaleLine[]): Promise<void> {
  await sql`
    update sale_item i set purchase_treatment = n.purchase_treatment, vat_treatment = n.vat_treatment, vat_rate = n.vat_rate,
      vat_why = n.vat_why, margin_rate = n.margin_rate, margin_vat = n.margin_vat, vat_id = n.vat_id, vat_name = n.vat_name,
      type_rate = n.type_rate, type_treatment = n.type_treatment, is_reverse_charge_good = n.is_reverse_charge_good,
      exemption_text = n.exemption_text, exemption_code = n.exemption_code
    from json_to_recordset(${JSON.stringify(lines)}) as n (stock_id int, purchase_treatment purchase_treatment,
      vat_treatment text, vat_rate int, vat_why text, margin_rate int, margin_vat int, vat_id int, vat_name text, type_rate int,
      type_treatment text, is_reverse_charge_good boolean, exemption_text text, exemption_code text)
    where i.sale_id = ${saleId} and i.stock_id = n.stock_id`.execute(tx)
}
