import type { Document } from '@backstock/contract/document.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { formatMoney } from '@backstock/contract/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eInvoiceXml } from '../../packages/server/src/render/e-invoice/e-invoice-xml.ts'
import type { InvoiceData } from '../../packages/server/src/render/invoice/data.ts'
import { reached } from './figures.ts'
import { type Histories, LIMIT_MS, openHistories, playAll, SALES } from './sale-histories.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'

let t: PromiseShop
let histories: Histories

beforeAll(async () => {
  t = await promiseShop()
  histories = await openHistories(t)
})
afterAll(() => closeSound(t), LIMIT_MS)

type Printed = { id: number; kind: string; lang: InvoiceLanguage; total_gross: number; data: InvoiceData }

test('D11: papers of a sale come to the cent to what was sold, corrected and taken back', {
  timeout: LIMIT_MS,
}, async () => {
  const [papers, withXml] = [new Set<number>(), new Set<number>()]
  await playAll(histories, async (id) => {
    const { body } = await t.staff.get(`/api/sale/find?id=${id}`)
    const sale = body.data[0]
    const asked = sale.documents.reduce(
      (sum: number, { kind, total_gross }: Document) => sum + (kind === 'invoice' ? total_gross : -total_gross),
      0,
    )
    expect(asked).toBe(sale.invoiced_total)
    if (sale.status !== 'Voided') await compareProfit(id, asked)
    await compareOwed(id, asked, sale.prices_include_vat)
    expect(sale.open_amount).toBe(asked - sale.paid_total)
    await comparePaid(id, sale.open_amount)

    const printed = await t.rows<Printed>(
      `select d.id, d.kind, d.total_gross, v.lang, v.data from document d join lateral (
          select lang, data from document_version where document_id = d.id order by version desc limit 1) v on true
        where d.sale_id = $1`,
      [id],
    )
    for (const { id: document, lang, total_gross, data } of printed) {
      papers.add(document)
      const xml = eInvoiceXml(data, lang, 'cii')
      if (xml === undefined) continue
      withXml.add(document)
      expect(cents(xml, 'GrandTotalAmount')).toEqual([Number(total_gross)])
      const lineTotals = cents(xml.slice(0, xml.indexOf('ApplicableHeaderTradeAgreement')), 'LineTotalAmount')
      expect(lineTotals).toEqual(data.lines.map(({ net }) => net))
      const vat = cents(xml, 'CalculatedAmount')
      expect(sum(lineTotals) + sum(vat)).toBe(Number(total_gross))
    }
  })
  const unchanged = await histories.compareLeft()
  const missing = await histories.makeMissing()
  expect(await histories.compareLeft()).toBe(unchanged)
  const { refused, returned, inPart, ofTwoSales, resubmitted, resold, allowed, paid, takenOff, boughtOtherwise } =
    histories.answers
  const returns = `${returned} items returned at once, ${inPart} in part, ${ofTwoSales} times of two sales`
  const made = `${papers.size} papers, ${withXml.size} with XML, ${returns}, ${resubmitted} resubmitted, ${resold} resold, ${allowed} allowances, ${paid} payments, ${takenOff} files taken off and ${missing} missing in the end, ${boughtOtherwise} bought otherwise, ${unchanged} unchanged since they left`
  reached('D11', `${SALES} sales, ${made}, ${refused} deeds refused`, '10,000 sales: not a cent off')
})

/** The earnings of a sale equal those of its documents to the cent: net amount, VAT in margins, and open amount. */
async function compareProfit(saleId: number, asked: number): Promise<void> {
  const [sale] = await t.rows<{ net: string; gross: string; margin_vat: string }>(
    `select total_sales_price - returned_sales as net, total_sales_price_vat - returned_gross as gross,
       total_margin_vat - returned_margin_vat as margin_vat from sale where id = $1`,
    [saleId],
  )
  const [papers] = await t.rows<{ net: string; margin_vat: string }>(
    `select sum(case kind when 'invoice' then total_net else -total_net end) as net,
       sum(case kind when 'invoice' then total_margin_vat else -total_margin_vat end) as margin_vat
     from document where sale_id = $1`,
    [saleId],
  )
  const of = ({ net, margin_vat }: { net: string; margin_vat: string }) => [Number(net), Number(margin_vat)]
  expect([...of(papers!), asked]).toEqual([...of(sale!), Number(sale!.gross)])
}

/** A sale's invoice that is not final asks for the open amount of the sale, and for nothing else. */
async function comparePaid(saleId: number, open: number): Promise<void> {
  const drafts = await t.rows<{ data: InvoiceData; lang: InvoiceLanguage; total_gross: number }>(
    `select v.data, v.lang, d.total_gross from document d join lateral (
       select lang, data from document_version where document_id = d.id order by version desc limit 1) v on true
     where d.sale_id = $1 and d.kind = 'invoice' and d.replaced_by_id is null and d.left_at is null`,
    [saleId],
  )
  for (const { data, lang, total_gross } of drafts) {
    expect(Number(total_gross) - (data.paid ?? 0)).toBe(open)
    const [cii, ubl] = [eInvoiceXml(data, lang, 'cii'), eInvoiceXml(data, lang, 'ubl')]
    if (cii) expect(cents(cii, 'DuePayableAmount')).toEqual([open])
    if (ubl) expect(ubl).toContain(`${formatMoney(open).replaceAll(',', '')}</cbc:PayableAmount>`)
  }
}

type Left = { document_id: number; stock_id: number; rate: number; price: number }

/**
 * The open amount of each item equals the amount that its invoices still ask for. Together with their VAT, the items
 * add up to the total of the documents.
 */
async function compareOwed(saleId: number, asked: number, includesVat: boolean): Promise<void> {
  const lines = await t.rows<Left>(
    `select l.document_id, l.stock_id, l.rate, l.price - l.credited as price from document d
       join document_line l on l.document_id = d.id where d.sale_id = $1 and d.kind = 'invoice'`,
    [saleId],
  )
  const left = Map.groupBy(lines, ({ stock_id }) => stock_id)
  for (const [item, owed] of histories.owed(saleId))
    expect([item, sum((left.get(item) ?? []).map(({ price }) => price))]).toEqual([item, owed])
  expect(new Set(lines.flatMap(({ document_id, price }) => (price > 0 ? [document_id] : []))).size).toBeLessThanOrEqual(
    1,
  )
  const atRates = Map.groupBy(lines, ({ document_id, rate }) => `${document_id} ${rate}`)
  const totals = [...atRates.values()].map((same) => {
    const total = sum(same.map(({ price }) => price))
    return includesVat ? total : total + Math.round((total * same[0]!.rate) / 10_000)
  })
  expect(asked).toBe(sum(totals))
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
/** All amounts with this XML name, in cents. */
const cents = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<ram:${name}>(-?[\\d.]+)<`, 'g'))].map(([, text]) => Math.round(Number(text) * 100))
