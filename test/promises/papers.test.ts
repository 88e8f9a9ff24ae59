import type { Document } from '@backstock/contract/document.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
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
  const counts = { documents: 0, xml: 0 }
  await playAll(histories, async (id) => {
    const { body } = await t.staff.get(`/api/sale/find?id=${id}`)
    const sale = body.data[0]
    const asked = sale.documents.reduce(
      (sum: number, { kind, total_gross }: Document) => sum + (kind === 'invoice' ? total_gross : -total_gross),
      0,
    )
    expect(asked).toBe(sale.invoiced_total)
    if (sale.status === 'Voided') expect(asked).toBe(0)
    const hasReturned = sale.items.some(({ returned }: { returned: boolean }) => returned)
    if (!hasReturned && sale.status !== 'Voided') expect(asked).toBe(sale.total_sales_price_vat)
    if (sale.items.every(({ returned }: { returned: boolean }) => returned)) expect(asked).toBe(0)

    const printed = await t.rows<Printed>(
      `select d.id, d.kind, d.total_gross, v.lang, v.data from document d join lateral (
          select lang, data from document_version where document_id = d.id order by version desc limit 1) v on true
        where d.sale_id = $1`,
      [id],
    )
    for (const { lang, total_gross, data } of printed) {
      counts.documents++
      const xml = eInvoiceXml(data, lang, 'cii')
      if (xml === undefined) continue
      counts.xml++
      expect(cents(xml, 'GrandTotalAmount')).toEqual([Number(total_gross)])
      const lineTotals = cents(xml.slice(0, xml.indexOf('ApplicableHeaderTradeAgreement')), 'LineTotalAmount')
      expect(lineTotals).toEqual(data.lines.map(({ net }) => net))
      const vat = cents(xml, 'CalculatedAmount')
      expect(sum(lineTotals) + sum(vat)).toBe(Number(total_gross))
    }
  })
  reached('D11', `${SALES} sales, ${counts.documents} papers, ${counts.xml} with XML`, '10,000 sales: not a cent off')
})

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
/** Every amount of this name, in cents. */
const cents = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<ram:${name}>(-?[\\d.]+)<`, 'g'))].map(([, text]) => Math.round(Number(text) * 100))
