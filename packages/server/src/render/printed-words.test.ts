import { CREDIT_REASONS } from '@backstock/contract/document-kind.ts'
import { INVOICE_LANGUAGES, type InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { saleTotals } from '@backstock/contract/sale-total.ts'
import { TREATMENTS, type Treatment } from '@backstock/contract/treatment.ts'
import { expect, test } from 'vitest'
import { invoice } from '../testing/printed-invoice.ts'
import { documentLines, textLines, xmlLines } from '../testing/printed-look.ts'
import { eInvoiceXml } from './e-invoice/e-invoice-xml.ts'
import { facturXMetadata } from './e-invoice/factur-x.ts'
import { creditReason } from './invoice/credit-note-texts.ts'
import { type InvoiceData, invoiceAddress } from './invoice/data.ts'
import { invoiceDocument } from './invoice/layout.ts'
import { paymentTerms } from './invoice/payment-texts.ts'
import { summary } from './invoice/summary.ts'
import { INVOICE_TEXTS } from './invoice/texts.ts'
import { composeLetterMail } from './mail/letter-mail.ts'
import { composeCreditNoteMail, composeInvoiceMail, type MailBody, type MailedSale } from './mail/mail.ts'
import type { DeliveryNote, LetterPaper, OfferPaper, Paper, PickList } from './paper/paper.ts'
import { paperDocument } from './paper/paper-document.ts'
import type { PurchaseReceiptPaper, ReceiptData } from './paper/purchase-receipt.ts'

// The papers, mails and e-invoices of a shop are stored as text in the folder `printed-words`, so that none changes by
// mistake. After a change on purpose, `npx vitest run packages/server/src/render/printed-words.test.ts -u` writes them
// anew; read their difference before you commit it.

const LOGO = 'data:image/png;base64,AAAA'
const address = (
  address_1: string,
  address_2: string | null,
  postal_code: string,
  city: string,
  country_code: string,
) => invoiceAddress({ address_1, address_2, city, postal_code, state: null, country_code, country: null })!
const SHOP = {
  ...{ name: 'Backstock Trading Ltd', address: address('12 Harbour Road', null, 'D01 F5P2', 'Dublin', 'IE') },
  ...{ vat_number: 'IE1234567T', tax_number: '29/815', registration: 'CRO 123456' },
  ...{ email: 'sales@backstock.test', phone: '+353 1 234', logo: null as string | null },
}
const BANK = { name: 'Bank of Ireland', iban: 'IE29AIBK93115212345678', bic: 'AIBKIE2D' }
const HOME = address('Dorpsstraat 1', 'Flat 2', '6711 AB', 'Ede', 'NL')
const BUYER = { name: 'Anna de Vries', company_name: 'Tweede Leven B.V.' }

/** An invoice with a line of each treatment. */
function invoiced(treatments: readonly Treatment[], changes: Partial<InvoiceData> = {}): InvoiceData {
  const isGross = changes.prices_include_vat ?? false
  const priced = treatments.map((treatment, n) => ({
    ...{ treatment, price: 10_001 + (n % 3) * 5_000, rate: treatment === 'standard' ? 2300 : 0 },
  }))
  const totals = saleTotals(priced, isGross)
  const base = invoice(treatments.length, { kind: 'invoice' })
  return {
    ...base,
    seller: { ...base.seller, ...SHOP },
    buyer: { ...base.buyer, registration: 'KRS 0000123456' },
    lines: base.lines.map((line, n) => ({
      ...line,
      ...{ description: `Phone ${n % 3}`, ...(n === 0 && { grade: 'A+', serial_number: 'F2LZK1' }) },
      ...{ price: priced[n]!.price, net: totals.lines[n]!.sales_price },
      ...{ vat_rate: priced[n]!.rate, treatment: priced[n]!.treatment, vat_name: 'Small business' },
    })),
    vat_totals: totals.vat,
    total_net: totals.total_sales_price,
    total_vat: totals.total_sales_price_vat - totals.total_sales_price,
    total_gross: totals.total_sales_price_vat,
    ...changes,
  }
}
const many = (n: number, treatment: Treatment) => Array.from({ length: n }, () => treatment)
const CREDIT: Partial<InvoiceData> = {
  ...{ kind: 'credit_note', number: 'C2026-00007', reason: 'allowance' },
  credits: { number: '2026-00042', issued_on: '2026-03-18' },
}

function invoicesIn(lang: InvoiceLanguage, look: boolean): [string, string[]][] {
  const withLogo = invoiced(TREATMENTS)
  const shown = (data: InvoiceData, mark?: 'draft' | 'copy') => documentLines(invoiceDocument(data, lang, mark), look)
  const gross = { prices_include_vat: true, group_lines: true }
  const summed = (data: InvoiceData) => textLines(summary({ t: INVOICE_TEXTS[lang], lang, data }, 30), look)
  const mixed = many(30, 'standard').map((one, n) => (n % 5 ? one : 'margin'))
  return [
    ['An invoice with all treatments', shown({ ...withLogo, seller: { ...withLogo.seller, logo: LOGO } })],
    ['A draft in groups, with gross prices', shown(invoiced([...many(4, 'standard'), 'margin'], gross), 'draft')],
    ['A copy under the margin scheme, partly paid', shown(invoiced(many(2, 'margin'), { paid: 300 }), 'copy')],
    ['An overpaid invoice in groups', shown(invoiced(['standard', 'margin'], { group_lines: true, paid: 99_999 }))],
    ['A credit note', shown(invoiced(['standard'], CREDIT))],
    ['Sums by model', [...summed(invoiced(mixed)), ...summed(invoiced(many(30, 'standard'), gross))]],
    ['From page to page', [INVOICE_TEXTS[lang].carried, INVOICE_TEXTS[lang].brought]],
    ['Reasons of a credit note', CREDIT_REASONS.map((reason) => creditReason(reason, lang))],
    [
      'How to pay',
      [0, 1, 14].map((payment_days) =>
        paymentTerms({ ...withLogo, seller: { ...withLogo.seller, payment_days } }, lang),
      ),
    ],
  ]
}

const letterOf = (lang: InvoiceLanguage, changes: Partial<LetterPaper>): LetterPaper => ({
  ...{ kind: 'letter', letter: 'reminder', level: 1, sender: SHOP, bank: BANK, lang, date: '2026-11-27' },
  ...{ pay_by: '2026-12-04', buyer: BUYER, address: HOME, total: 25_000, overdue: 20_000 },
  lines: [
    {
      ...{ number: '2026-00042', issued_on: '2026-10-01', due_on: '2026-11-15', days: 12 },
      ...{ total: 30_000, paid: 10_000, open: 20_000 },
    },
    { number: '2026-00050', issued_on: null, due_on: null, days: 0, total: 5_000, paid: 0, open: 5_000 },
  ],
  ...changes,
})
const lettersOf = (lang: InvoiceLanguage): [string, LetterPaper][] => [
  ['A first reminder', letterOf(lang, {})],
  ['A second reminder without an account', letterOf(lang, { level: 2, bank: { name: null, iban: null, bic: null } })],
  ['A final notice as a draft', letterOf(lang, { level: 3, isDraft: true })],
  ['A statement', letterOf(lang, { letter: 'statement', level: null, pay_by: null })],
  [
    'A statement of a credit',
    letterOf(lang, { letter: 'statement', level: null, pay_by: null, total: -500, lines: [] }),
  ],
]

const receipt = (lang: InvoiceLanguage, changes: Partial<ReceiptData>, isCopy = false): PurchaseReceiptPaper => ({
  ...{ kind: 'purchase receipt', sender: SHOP, lang, isCopy },
  data: {
    ...{ kind: 'private', number: 'PR-2026-00001', issued_on: '2026-11-27', bought_on: '2026-11-26' },
    ...{ cancels: null, reason: null, buyer: SHOP, paid_by: 'cash', currency: 'EUR', total: 30_000 },
    seller: { name: BUYER.name, address: HOME, vat_number: null, identity_kind: 'passport', identity_end: '77X1' },
    lines: [
      { description: 'Phone 1', imei: '356938035643809', serial_number: 'F2LZK1', price: 20_000 },
      { description: 'Phone 2', imei: null, serial_number: 'F2LZK2', price: 10_000 },
    ],
    ...changes,
  },
})

const identified = (identity_kind: 'identity_card' | 'driving_licence') => ({
  seller: { name: BUYER.name, address: HOME, vat_number: null, identity_kind, identity_end: '77X1' },
})
const DEALER = {
  name: BUYER.name,
  address: HOME,
  vat_number: 'NL000099998B57',
  identity_kind: null,
  identity_end: null,
}

function papersOf(lang: InvoiceLanguage): [string, Paper][] {
  const lines = [
    { product: 'Phone 1', grade: 'A+', imei: '356938035643809', serial_number: 'F2LZK1' },
    ...Array.from({ length: 9 }, (_, n) => ({
      ...{ product: `Phone ${n % 2}`, grade: null, imei: null, serial_number: `F${n}` },
    })),
  ]
  const note: DeliveryNote = {
    ...{ kind: 'delivery note', sender: { ...SHOP, logo: LOGO }, lang, sale_id: 12, date: '2026-11-27' },
    ...{ reference_number: 'PO-88123', courier: 'PostNL', tracking_number: '3S123', buyer: BUYER },
    ...{ billing_address: HOME, delivery_address: address('Kade 3', null, '3011', 'Rotterdam', 'NL'), lines },
  }
  const offer: OfferPaper = {
    ...{ kind: 'offer', sender: SHOP, lang, date: '2026-11-27', prices: true },
    lines: [
      { product: 'Phone 1', grade: 'A+', quantity: 3, unpriced: 0, lowest: 20_000, highest: 25_000 },
      { product: 'Phone 2', grade: null, quantity: 2, unpriced: 1, lowest: 10_000, highest: 10_000 },
      { product: 'Phone 3', grade: null, quantity: 1, unpriced: 1, lowest: null, highest: null },
    ],
  }
  const short = { ...note, lines: lines.slice(0, 1) }
  return [
    ['A delivery note', note],
    ['A short delivery note to the billing address', { ...short, delivery_address: null }],
    ['A short delivery note to a buyer without a billing address', { ...short, billing_address: null }],
    ['An offer', offer],
    ['An offer without prices', { ...offer, prices: false }],
    ...lettersOf(lang),
    ['A receipt of a private person', receipt(lang, {})],
    ['A copy of one, paid by transfer', receipt(lang, { ...identified('identity_card'), paid_by: 'transfer' }, true)],
    ['A trade-in', receipt(lang, { ...identified('driving_licence'), paid_by: 'trade_in' })],
    ['A self-billed invoice', receipt(lang, { kind: 'self_billed', seller: DEALER })],
    [
      'A cancellation',
      receipt(lang, { cancels: { number: 'PR-2026-00001', issued_on: '2026-11-20' }, reason: 'Came back' }),
    ],
  ]
}

function mailsOf(lang: InvoiceLanguage): [string, MailBody][] {
  const sale: MailedSale = {
    ...{ id: 12, invoice_number: '2026-00042', reference_number: 'PO-88123', total_items: 30 },
    ...{ total_sales_price_vat: 455_531, company_name: SHOP.name, buyer: { full_name: BUYER.name } },
  }
  const note = { number: 'C2026-00007', credits_number: '2026-00042', total_gross: 12_345, lang }
  return [
    ['A mail with an invoice', composeInvoiceMail(sale, true, lang)],
    ['A mail with an uploaded invoice', composeInvoiceMail({ ...sale, invoice_number: null }, true, lang)],
    ['A mail with an order', composeInvoiceMail({ ...sale, reference_number: null }, false, lang)],
    ['A mail with a credit note', composeCreditNoteMail(sale, note)],
    [
      'A mail with a credit note and the invoice that replaces the credited one',
      composeCreditNoteMail(sale, note, { invoice_number: '2026-00043', total_sales_price_vat: 443_186 }),
    ],
    ...lettersOf(lang).map(([name, letter], n): [string, MailBody] => [
      ...([`${name} by mail`, composeLetterMail(letter, n % 2 === 0)] as const),
    ]),
  ]
}

const inFile = (parts: readonly [string, readonly string[]][]) =>
  `${parts.map(([name, lines]) => [`=== ${name}`, ...lines].join('\n')).join('\n\n')}\n`

test.each(INVOICE_LANGUAGES)('each paper and mail says in %s what it has always said', async (lang) => {
  const papers = papersOf(lang).map(([name, paper]): [string, string[]] => [
    name,
    documentLines(paperDocument(paper), false),
  ])
  const mails = mailsOf(lang).map(([name, { subject, text, html }]): [string, string[]] => [
    name,
    [subject, '', text, ...(lang === 'en' ? [html] : [])],
  ])
  const all = inFile([...invoicesIn(lang, false), ...papers, ...mails])
  await expect(all).toMatchFileSnapshot(`printed-words/${lang}.txt`)
})

const PICK_LIST: PickList = {
  ...{ kind: 'pick list', sender: SHOP, title: 'Sale #25', note: 'Tweede Leven B.V.', date: '2026-11-27' },
  lines: [
    {
      ...{ id: 7, location: 'A1', product: 'Phone 1', grade: 'A+', imei: '356938035643809', serial_number: 'F2LZK1' },
      backstock_id: 'B-7',
    },
    {
      ...{ id: 8, location: null, product: 'Phone 2', grade: null, imei: null, serial_number: 'F2LZK2' },
      backstock_id: null,
    },
  ],
}

test('each paper looks as it has always looked', async () => {
  const papers: [string, Paper][] = [...papersOf('en'), ['A pick list', PICK_LIST]]
  const base = invoiced(['standard'])
  const longNamed = invoiceDocument({ ...base, seller: { ...base.seller, name: 'Ö'.repeat(70) } }, 'en')
  const all = inFile([
    ...invoicesIn('en', true),
    ['The code of a seller with a long name', documentLines(longNamed, true).filter((line) => line.includes('[code '))],
    ...papers.map(([name, paper]): [string, string[]] => [name, documentLines(paperDocument(paper), true)]),
  ])
  await expect(all).toMatchFileSnapshot('printed-words/look.txt')
})

test('each e-invoice has the XML that it has always had', async () => {
  const dutch = {
    ...{ ...SHOP, address: HOME, vat_number: 'NL810433941B01', registration: 'KvK 12345678', contact: 'Invoices' },
    electronic_address: '0106:12345678',
  }
  const german = {
    ...{ ...dutch, address: address('Kai 1', 'Hof', '10115', 'Berlin', 'DE'), vat_number: 'DE136695976' },
    ...{ registration: 'HRB 4711', electronic_address: '9930:DE136695976' },
  }
  const made = (file: 'cii' | 'ubl' | 'xrechnung-cii' | 'xrechnung-ubl' | 'peppol', changes: Partial<InvoiceData>) => {
    const treatments = TREATMENTS.filter((one) => one !== 'none' && one !== 'margin')
    const data = invoiced(treatments, changes)
    const seller = { ...data.seller, ...(file === 'peppol' ? dutch : german) }
    const buyer = {
      ...{ ...data.buyer, ...BUYER, vat_number: 'NL000099998B57', registration: '87654321', reference: 'Dept. 7' },
      ...{ billing_address: HOME, delivery_address: HOME, electronic_address: '0106:87654321' },
    }
    const xml = eInvoiceXml({ ...data, seller, buyer }, 'de', file)
    return xmlLines(xml ?? 'none').split('\n')
  }
  const all: [string, string[]][] = [
    ['CII', made('cii', {})],
    ['UBL, partly paid', made('ubl', { paid: 5_000 })],
    ['CII of a credit note', made('cii', CREDIT)],
    ['UBL of a credit note', made('ubl', CREDIT)],
    ['XRechnung in CII', made('xrechnung-cii', { profile: 'xrechnung' })],
    ['XRechnung in UBL, credited', made('xrechnung-ubl', { ...CREDIT, profile: 'xrechnung' })],
    ['Peppol', made('peppol', { profile: 'peppol', prices_include_vat: true })],
    ['Peppol, paid', made('peppol', { profile: 'peppol', paid: 999_999 })],
    ['Metadata of the PDF', xmlLines(facturXMetadata()).split('\n')],
  ]
  for (const [name, lines] of all) expect([name, lines.length > 40]).toEqual([name, true])
  await expect(inFile(all)).toMatchFileSnapshot('printed-words/e-invoices.txt')
})
