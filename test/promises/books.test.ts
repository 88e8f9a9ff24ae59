import type { Accounting, BookedDocument } from '@backstock/contract/accounting.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FILED_TREATMENTS } from '../../packages/server/src/areas/accounting/treatments-in-files.ts'
import { eInvoiceXml } from '../../packages/server/src/render/e-invoice/e-invoice-xml.ts'
import type { InvoiceData } from '../../packages/server/src/render/invoice/data.ts'
import type { Client } from '../../packages/server/src/testing/app.ts'
import { reached } from './figures.ts'
import { type Histories, LIMIT_MS, openHistories, playAll, SALES } from './sale-histories.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'
import { type SupplierCredits, supplierCredits } from './supplier-credits.ts'

let t: PromiseShop
let histories: Histories
let credits: SupplierCredits
let admin: Client
beforeAll(async () => {
  t = await promiseShop()
  credits = await supplierCredits(t)
  histories = await openHistories(t, credits)
  admin = await t.user('ROLE_ADMIN')
})
afterAll(() => closeSound(t), LIMIT_MS)

type Printed = { id: number; kind: string; lang: InvoiceLanguage; data: InvoiceData }
const today = () => new Date().toISOString().slice(0, 10)

test('D12: the books come to the cent to documents, their XML, the CSV file and that for DATEV', {
  timeout: LIMIT_MS,
}, async () => {
  const from = today()
  await playAll(histories, async () => {})
  // Move the first half of each sale's documents to the year before, so that a year ends within the history of each
  // sale.
  await t.rows('alter table document disable trigger kept')
  await t.rows(`update document d set issued_on = issued_on - 365
    where id <= (select (min(id) + max(id)) / 2 from document where sale_id = d.sale_id)`)
  await t.rows('alter table document enable trigger kept')
  // The period begins two years ago, because `playAll` also moves documents to the year before.
  const past = new Date(Date.parse(from) - 730 * 86_400_000).toISOString().slice(0, 10)
  const period = `from=${past}&to=${today()}`

  const books: Accounting = (await admin.get(`/api/accounting?${period}`)).body.data
  const totals = sumsOf(books.vat.map(vatSums))
  const printed = await t.rows<Printed>(
    `select d.id, d.kind, v.lang, v.data from document d join lateral (
       select lang, data from document_version where document_id = d.id order by version desc limit 1) v on true`,
  )
  expect(books.invoices + books.credit_notes).toBe(printed.length)
  const onPaper = printed.flatMap(({ kind, data }) =>
    data.vat_totals.map(({ treatment, rate, net, vat }) => ({
      key: `${treatment} ${rate / 100}`,
      ...signed(kind, net, vat),
    })),
  )
  expect(totals).toEqual(sumsOf(onPaper))

  const [first, last] = [past, today()].map((day) => Number(day.slice(0, 4))) as [number, number]
  const years = Array.from({ length: last - first + 1 }, (_, n) => first + n).map(
    (year) => `from=${year === first ? past : `${year}-01-01`}&to=${year === last ? today() : `${year}-12-31`}`,
  )
  const ofYears: Accounting[] = []
  for (const one of years) ofYears.push((await admin.get(`/api/accounting?${one}`)).body.data)
  expect(sumsOf(ofYears.flatMap((year) => year.vat.map(vatSums)))).toEqual(totals)
  expect(marginsOf(ofYears)).toEqual(marginsOf([books]))

  const documents = await allDocuments(period)
  expect(documents.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
    printed.map(({ id }) => id).toSorted((a, b) => a - b),
  )
  const parts = documents.flatMap((document) => document.parts.map((part) => ({ ...part, id: document.id })))
  expect(totals).toEqual(
    sumsOf(parts.map(({ treatment, rate, ...sums }) => ({ key: `${treatment} ${rate}`, ...sums }))),
  )

  const withXml = new Set<number>()
  const inXml = printed.flatMap(({ id, kind, lang, data }) => {
    const xml = eInvoiceXml(data, lang, 'cii')
    if (xml === undefined) return []
    withXml.add(id)
    return taxesOf(xml).map(({ key, net, vat }) => ({ key, ...signed(kind, net, vat) }))
  })
  const ofThose = parts.filter(({ id }) => withXml.has(id))
  expect(sumsOf(inXml)).toEqual(
    sumsOf(ofThose.map(({ treatment, rate, net, vat }) => ({ key: `${CATEGORY[treatment]} ${rate}`, net, vat }))),
  )

  expect(sumsOf(await csvRows(period))).toEqual(
    sumsOf(parts.map(({ treatment, rate, net, vat }) => ({ key: `${FILED_TREATMENTS[treatment]} ${rate}`, net, vat }))),
  )
  for (const [n, one] of years.entries()) await compareDatev(one, ofYears[n]!)
  await compareMargins(books)
  await credits.compare(books, period)
  const unchanged = await histories.compareLeft()
  const treatments = new Set(books.vat.map(({ treatment }) => treatment))
  const papers = `${printed.length} papers, ${withXml.size} with XML, ${treatments.size} treatments, ${unchanged} unchanged since they left`
  const { before, sold, returned } = credits.credited
  const ofSuppliers = `credited ${before} times before a sale, ${sold} after one, ${returned} after a return`
  reached('D12', `${SALES} sales, ${papers}; ${ofSuppliers}`, '10,000 sales: not a cent off')
})

const vatSums = ({ treatment, rate, net, vat }: Accounting['vat'][number]) => ({
  key: `${treatment} ${rate}`,
  net,
  vat,
})

/** The totals of the margins in these periods, at all rates. */
function marginsOf(books: readonly Accounting[]) {
  const rows = books.flatMap(({ margin }) => margin)
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    sales: sum(({ sales }) => sales),
    purchases: sum(({ purchases }) => purchases),
    margin: sum(({ margin }) => margin),
    vat: sum(({ vat }) => vat),
  }
}

type Sums = { key: string; net: number; vat: number }
const signed = (kind: string, net: number, vat: number) =>
  kind === 'invoice' ? { net, vat } : { net: 0 - net, vat: 0 - vat }

/** The sums by key, without sums of 0. */
function sumsOf(rows: readonly Sums[]): Record<string, { net: number; vat: number }> {
  const sums: Record<string, { net: number; vat: number }> = {}
  for (const { key, net, vat } of rows) {
    const before = sums[key] ?? { net: 0, vat: 0 }
    sums[key] = { net: before.net + net, vat: before.vat + vat }
  }
  return Object.fromEntries(Object.entries(sums).filter(([, { net, vat }]) => net !== 0 || vat !== 0))
}

async function allDocuments(period: string): Promise<BookedDocument[]> {
  const all: BookedDocument[] = []
  for (let page = 1; ; page++) {
    const { body } = await admin.get(`/api/accounting/documents?${period}&per_page=100&page=${page}`)
    all.push(...body.data)
    if (page >= body.last_page) return all
  }
}

/** The category codes of EN 16931. */
const CATEGORY: Record<Treatment, string> = {
  standard: 'S',
  zero: 'Z',
  margin: 'E',
  exempt: 'E',
  reverse_charge: 'AE',
  intra_community: 'K',
  export: 'G',
  none: 'without XML',
}
const cents = (text: string) => Math.round(Number(text) * 100)
function taxesOf(xml: string): Sums[] {
  const found = xml.matchAll(
    /<ram:CalculatedAmount>([\d.]+)<.*?<ram:BasisAmount>([\d.]+)<(.*?)<\/ram:ApplicableTradeTax>/gs,
  )
  return [...found].map(([, vat, net, rest]) => {
    const category = /<ram:CategoryCode>(\w+)</.exec(rest!)?.[1]
    const rate = Number(/<ram:RateApplicablePercent>([\d.]+)</.exec(rest!)?.[1])
    return { key: `${category} ${rate}`, net: cents(net!), vat: cents(vat!) }
  })
}

async function csvRows(period: string): Promise<Sums[]> {
  const { raw } = await admin.get(`/api/accounting/csv?${period}`)
  const [header, ...lines] = raw.toString().trimEnd().split('\r\n')
  const names = header!.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    const cell = (name: string) => cells[names.indexOf(name)]!
    return { key: `${cell('treatment')} ${cell('rate')}`, net: cents(cell('net')), vat: cents(cell('vat')) }
  })
}

/** Compares the DATEV files with the books. Each treatment and rate has an account of its own. */
async function compareDatev(period: string, books: Accounting): Promise<void> {
  const revenue_accounts = books.vat.map(({ treatment, rate }, n) => ({ treatment, rate, account: 8000 + n }))
  const credit_accounts = books.purchases.map(({ treatment }, n) => ({ treatment, account: 9000 + n }))
  const suppliers = { creditor_account: 70_000, credit_accounts }
  const settings = { consultant_number: 1001, client_number: 1, debtor_account: 10_000, revenue_accounts, ...suppliers }
  expect((await admin.post('/api/accounting/settings/edit', settings)).status).toBe(200)
  const { status, raw } = await admin.get(`/api/accounting/datev?${period}`)
  expect(status).toBe(200)
  const lines = raw.toString('latin1').trimEnd().split('\r\n').slice(2)
  const booked = lines.map((line) => {
    const [gross, side, , , , , , account] = line.split(';')
    const amount = cents(gross!.replace(',', '.'))
    return { key: account!, net: side === '"S"' ? amount : -amount, vat: 0 }
  })
  const wanted = books.vat.map(({ net, vat }, n) => ({ key: String(8000 + n), net: net + vat, vat: 0 }))
  const credited = await t.rows<{ treatment: string; amount: number }>(
    `select purchase_treatment as treatment, sum(amount) as amount from supplier_credit join stock on stock.id = stock_id
     where booked_on between $1 and $2 group by 1`,
    ['from', 'to'].map((day) => new URLSearchParams(period).get(day)),
  )
  const ofSuppliers = credited.map(({ treatment, amount }) => ({
    ...{ key: String(credit_accounts.find((one) => one.treatment === treatment)!.account), net: amount, vat: 0 },
  }))
  expect(sumsOf(booked)).toEqual(sumsOf([...wanted, ...ofSuppliers]))
}

type MarginLine = { invoice: number; kind: string; stock_id: number; net: number; cost: number; margin_vat: number }

/**
 * Calculates the margin of each item from its documents, one after the other, and compares it with the books. An item's
 * purchase price is deducted exactly once while the item is sold.
 */
async function compareMargins(books: Accounting): Promise<void> {
  const lines = await t.rows<MarginLine>(
    `select coalesce(d.credits_id, d.id) as invoice, d.kind, l.stock_id, l.net, l.cost, l.margin_vat
     from document d join document_line l on l.document_id = d.id where l.treatment = 'margin' order by d.id`,
  )
  const left = new Map<string, { net: number; cost: number }>()
  const deducted = new Map<number, number>()
  const sums = { sales: 0, purchases: 0, margin: 0, vat: 0 }
  const taxable = ({ net, cost }: { net: number; cost: number }) => Math.max(0, net - cost)
  for (const { invoice, kind, stock_id, net, cost, margin_vat } of lines) {
    const key = `${invoice} ${stock_id}`
    const before = left.get(key) ?? { net: 0, cost: 0 }
    const sign = kind === 'invoice' ? 1 : -1
    const after = { net: before.net + sign * net, cost: before.cost + sign * cost }
    left.set(key, after)
    deducted.set(stock_id, (deducted.get(stock_id) ?? 0) + sign * cost)
    sums.sales += sign * net
    sums.purchases += sign * cost
    sums.margin += taxable(after) - taxable(before)
    sums.vat += sign * margin_vat
  }
  // Supplier credits after the sale change margins, too. `supplier-credits.ts` compares them for each phone.
  const later = await t.rows<{ stock_id: number; purchase: number; margin: number; vat: number }>(
    `select stock_id, sum(purchase) as purchase, sum(margin) as margin, sum(margin_vat) as vat
     from purchase_correction where treatment = 'margin' group by stock_id`,
  )
  for (const { stock_id, purchase, margin, vat } of later) {
    sums.purchases += purchase
    sums.margin += margin
    sums.vat += vat
    deducted.set(stock_id, (deducted.get(stock_id) ?? 0) + purchase)
  }
  expect(marginsOf([books])).toEqual(sums)
  const held = await t.rows<{ stock_id: number; cost: number }>(
    `select i.stock_id, i.cost from sale_item i join sale s on s.id = i.sale_id
     where i.vat_treatment = 'margin' and s.invoice_number is not null and (i.released is null or i.released = 'lost')`,
  )
  const sold = new Map(held.map(({ stock_id, cost }) => [stock_id, cost]))
  for (const [id, cost] of deducted) expect([id, cost]).toEqual([id, sold.get(id) ?? 0])
}
