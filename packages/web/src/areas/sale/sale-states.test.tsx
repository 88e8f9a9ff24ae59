import { Address } from '@backstock/contract/address.ts'
import { BatchRow } from '@backstock/contract/batch.ts'
import { Customer } from '@backstock/contract/customer.ts'
import { Document } from '@backstock/contract/document.ts'
import type { InvoiceLacks } from '@backstock/contract/invoice-lacks.ts'
import type { Lacks } from '@backstock/contract/lacks.ts'
import { Payment } from '@backstock/contract/payment.ts'
import { Sale, SaleItem, SaleMail } from '@backstock/contract/sale.ts'
import { StockRow } from '@backstock/contract/stock.ts'
import { TaxFacts } from '@backstock/contract/tax-facts.ts'
import type { Decision } from '@backstock/contract/treatment-of.ts'
import { Vat } from '@backstock/contract/vat.ts'
import { VatCheck } from '@backstock/contract/vat-check.ts'
import { expect, test } from 'vitest'
import { blank } from '../../testing/blank.ts'
import { drawn, NOW, type Scene } from '../../testing/drawn.tsx'
import { outline } from '../../testing/outline.ts'
import { type State, testStates } from '../../testing/states.tsx'
import SaleCorrectPage from './correct/page.tsx'
import { DraftBar } from './draft/bar.tsx'
import SaleCreatePage from './draft/create-page.tsx'
import { SellersLacks } from './draft/lacks.tsx'
import type { DraftLine } from './draft/lines.ts'
import { DEFAULT_OPTIONS, DraftOptionsPanel } from './draft/options.tsx'
import { type DraftTax, saleTax } from './draft/tax.ts'
import { DraftVat, VatChoice, VatTrouble } from './draft/vat.tsx'
import { nextStepOf } from './next-step.tsx'
import PayDialog from './payments/pay-dialog.tsx'
import AllowDialog from './record/allow-dialog.tsx'
import SaleEditPage from './record/edit-page.tsx'

const item = (said: Partial<SaleItem> = {}) =>
  blank(SaleItem, {
    stock_id: 7,
    product_name: 'iPhone 13 128 GB Blue',
    purchase_price: 10_000,
    sales_price: 20_000,
    vat_treatment: 'standard',
    vat_rate: 19,
    available: true,
    ...said,
  })
const customer = { ...blank(Sale.shape.customer), id: 4, email: 'buyer@example.com', full_name: 'Ute Kern' }
const invoice = (said: Partial<Document> = {}) =>
  blank(Document, { id: 1, kind: 'invoice', number: 'R-1', status: 'ready', lang: 'de', total_gross: 23_800, ...said })
const credit = (said: Partial<Document> = {}) =>
  invoice({
    id: 2,
    kind: 'credit_note',
    number: 'G-1',
    credits_id: 1,
    credits_number: 'R-1',
    total_gross: 5_000,
    ...said,
  })
const mail = (said: Partial<Sale['earlier_mails'][number]> = {}) =>
  blank(SaleMail, { id: 1, recipient: 'buyer@example.com', subject: 'Invoice R-1', ...said })
const payment = (said: Partial<Payment> = {}) =>
  blank(Payment, { id: 3, amount: 10_000, paid_on: '2026-03-04', ...said })

const place = (address_1: string, city: string, country = 'Germany') =>
  blank(Address, { address_1, city, postal_code: '53111', country })

const sale = (said: Partial<Sale>) =>
  blank(Sale, { id: 9, customer_id: 4, customer_name: 'Ute Kern', customer, items: [item()], ...said })
const page = (said: Partial<Sale>, scene: Scene = {}) => ({
  part: <SaleEditPage />,
  at: 'sale/edit/9?tab=summary',
  row: sale(said),
  ...scene,
})

const begunCorrection = {
  kept: {
    'draft correction 9 1': {
      lines: [
        [7, 20_000, 18_000, 'none'],
        [8, 20_000, null, null, '1oo'],
        [10, 19_000, 100],
      ],
      ...{ isTakenOver: true, sendEmail: true },
    },
  },
}

testStates('a sale', page({}), {
  'is of a company, with a reference, made by somebody': page({
    customer_company_name: 'Kern AG',
    reference_number: 'PO 5',
    courier: 'DHL',
    outbound_tracking_number: 'JD1',
    created_by_name: 'Bea',
  }),
  'goes to another address than its invoice': page({
    address: place('Lagerweg 2', 'Köln'),
    billing_address: place('Hauptstr. 1', 'Bonn'),
  }),
  'is of a customer whose invoices are in another language': page({ usual_lang: 'fr' }),
  'awaits payment of nothing': page({ status: 'Awaiting Payment', payment_state: 'Nothing due' }),
  'awaits dispatch': page({ status: 'Awaiting Dispatch', payment_state: 'Paid', paid_total: 23_800 }),
  'is dispatched, with allowances and a returned item': page({
    status: 'Dispatched',
    prices_include_vat: true,
    total_purchase_price: 20_000,
    items: [
      item({ sales_price_vat: 23_800, allowed_price: 1_190, margin_vat: 500, vat_name: 'Full' }),
      item({ stock_id: 8, sales_price_vat: 23_800, allowed_price: 23_800, why: 'Because of its rate' }),
      item({ stock_id: 10, sales_price_vat: 23_800, returned: true, vat_treatment: 'margin' }),
      item({ stock_id: 11, sales_price_vat: 23_800 }),
    ],
  }),
  'requires attention': page({
    status: 'Requires Attention',
    unavailable_items: 2,
    items: [item({ available: false })],
  }),
  'is voided, and money is to be refunded': page({
    status: 'Voided',
    open_amount: -500,
    paid_total: 500,
    payment_state: 'Refund due',
    items: [item({ available: false })],
    payments: [payment()],
  }),
  'is voided, and its invoice stands': page({
    status: 'Voided',
    invoice_number: 'R-1',
    invoice_status: 'failed',
    items: [item({ available: false })],
    documents: [invoice({ status: 'failed', error: 'No font.', is_void: true })],
  }),
  'has an invoice of the draft kind, a sheet, and an email that went out': page({
    invoice_status: 'ready',
    invoice_number: 'R-1',
    documents: [invoice({ sha256: '0123456789abcdef0123' })],
    excel_status: 'ready',
    invoice_excel: 'sheet.xlsx',
    email_sent: true,
    mail: mail({ state: 'sent', sent_at: NOW }),
  }),
  'has a final invoice that was made again, and earlier emails': page({
    invoice_status: 'ready',
    invoice_number: 'R-1',
    invoice_differs: ['the address'],
    resend_needed: true,
    email_sent: true,
    documents: [invoice({ left_at: NOW, downloaded_by: 'Bea', is_closed: true })],
    mail: mail({ state: 'failed', error: 'Refused.' }),
    earlier_mails: [mail({ id: 2, state: 'sent' }), mail({ id: 3, state: 'unclear', error: 'Broken.' })],
  }),
  'has changed in two facts, and no email was sent yet': page({
    invoice_status: 'ready',
    invoice_differs: ['the address', 'the name'],
    resend_needed: true,
    documents: [invoice()],
    mail: mail({ state: 'waiting', error: 'Busy.' }),
    earlier_mails: [mail({ id: 2, state: 'sent' })],
  }),
  'has files that are being made': page({
    invoice_status: 'pending',
    excel_status: 'pending',
    documents: [invoice({ status: 'pending' })],
    mail: mail({ state: 'sending' }),
  }),
  'has files that could not be made': page({ excel_status: 'failed', invoice_status: 'failed' }),
  'has an uploaded invoice, and an email that was saved as a file': page({
    invoice_uploaded: true,
    invoice_status: 'ready',
    email_sent: true,
    mail: mail({ state: 'sent', saved_as: '1.eml' }),
  }),
  'has credit notes and a replaced invoice': page({
    invoice_status: 'ready',
    documents: [
      invoice({ id: 5, number: 'R-0', replaced_by_id: 1 }),
      credit({ id: 6, number: 'G-0', credits_id: 5, credits_number: 'R-0', reason: 'correction', left_at: NOW }),
      invoice(),
      credit({ reason: 'return', status: 'failed', error: 'No room.' }),
      credit({ id: 7, number: 'G-2', reason: 'allowance', status: 'pending' }),
    ],
  }),
  'has invoices for a connector': page(
    {
      invoice_status: 'ready',
      invoice_number: 'R-1',
      documents: [
        invoice({ profile: 'xrechnung', left_at: NOW }),
        credit({
          profile: 'xrechnung',
          handover: { state: 'failed', file_name: 'a.xml', error: 'Refused.', person: 'Bea', at: NOW },
        }),
      ],
    },
    { hasConnector: true },
  ),
  'lacks facts of the seller and the buyer': page({
    missing_invoice_data: ['the seller’s bank account'],
    missing_xml_data: ['the buyer’s country'],
    missing_sides: ['seller', 'buyer'],
  }),
  'lacks facts for the XML only': page({
    missing_xml_data: ['the VAT type’s meaning'],
    missing_profile_data: { profile: 'xrechnung', seller: [], buyer: [], items: [] },
    missing_sides: ['items'],
  }),
  'lacks facts for the XML, although the PDF is there': page({
    invoice_status: 'ready',
    documents: [invoice()],
    missing_xml_data: ['the buyer’s country'],
    missing_sides: ['buyer'],
  }),
  'lacks facts for the XML of a connector, although the PDF is there': page(
    {
      invoice_status: 'ready',
      documents: [invoice({ profile: 'xrechnung' })],
      missing_xml_data: ['the buyer’s country'],
      missing_profile_data: { profile: 'xrechnung', seller: ['the phone'], buyer: ['the route'], items: ['a'] },
      missing_sides: ['seller', 'buyer', 'items'],
    },
    { hasConnector: true },
  ),
  'lacks facts that only an administrator can fill in': page(
    {
      missing_profile_data: { profile: 'xrechnung', seller: ['the phone'], buyer: ['the route'], items: ['a'] },
      missing_sides: ['buyer', 'items'],
    },
    { role: 'ROLE_USER' },
  ),
  'lacks facts of the seller, for a colleague': page(
    { missing_invoice_data: ['the seller’s address'], missing_sides: ['seller'] },
    { role: 'ROLE_USER' },
  ),
  'is paid in parts, by the bank and by mistake, and overdue': page({
    payment_state: 'Overdue',
    open_amount: 3_800,
    paid_total: 20_000,
    due_on: '2026-02-01',
    payments: [
      payment({ note: 'First half', bank_entry_id: 5, created_by_name: 'Bea' }),
      payment({ id: 4, is_undone: true, paid_on: null }),
      payment({ id: 5, undoes_id: 4, amount: -10_000 }),
    ],
    reminders: [
      { id: 1, level: 2, made_on: '2026-02-20', pay_by: '2026-03-01', state: 'sent', number: 'R-1', open: 3_800 },
      { id: 2, level: 1, made_on: '2026-02-10', pay_by: null, state: 'waiting', number: 'R-1', open: 3_800 },
    ] as never,
  }),
  'shows bank statements to administrators only': page(
    { payments: [payment({ bank_entry_id: 5 })] },
    { role: 'ROLE_USER' },
  ),
  'is overdue, and nobody was reminded': page({ payment_state: 'Overdue' }),
  'was made with a check of the VAT number, and a later one': page({
    vat_check: blank(VatCheck, { is_valid: true } as never),
    later_vat_check: blank(VatCheck, { is_valid: false } as never),
  }),
  'was made without a check of the VAT number': page({ vat_check_doubt: 'Nobody has checked the VAT number.' }),
  'is on its first tab': page({}, { at: 'sale/edit/9' }),
  'has a correction that is not finished': page({}, begunCorrection),
  'has a correction that cannot be finished': page({ items: [item({ returned: true })] }, begunCorrection),
})

const allowance = (ofItem: Partial<SaleItem>, said: Partial<Sale> = {}) => ({
  part: <AllowDialog sale={sale({ items: [item(ofItem)], ...said })} item={item(ofItem)} onClose={() => {}} />,
})
testStates('an allowance', allowance({}), {
  'of a price with VAT': allowance({ sales_price_vat: 23_800, allowed_price: 3_800 }, { prices_include_vat: true }),
  'of a margin': allowance({ vat_treatment: 'margin', vat_rate: 0 }),
  'at a rate of 0': allowance({ vat_rate: 0 }),
})

const home = { country_code: 'DE', postal_code: '53111' }
const boughtAs = ({ stock_id, vat_treatment, vat_rate }: SaleItem) => ({
  stock_id,
  purchase: vat_treatment === 'margin' ? ('margin' as const) : ('standard' as const),
  vat: { rate: vat_rate * 100, treatment: null },
  isReverseChargeGood: false,
})
type Correcting = { facts?: Partial<TaxFacts>; buyer?: Partial<Customer>; at?: string }
const correction = (said: Partial<Sale>, { facts, buyer, at = 'sale/correct/9' }: Correcting = {}) => ({
  part: <SaleCorrectPage />,
  at,
  row: sale(said),
  read: ([area, what]: readonly unknown[]) => {
    if (area === 'customer') return blank(Customer, { id: 4, full_name: 'Ute Kern', ...buyer })
    if (what !== 'tax-facts') return undefined
    return blank(TaxFacts, {
      day: '2026-03-05',
      seller: { ...home, vat_number: 'DE123456789' },
      margin_rate: 1_900,
      sold: {
        buyer: { ...home, vat_number: null },
        delivery: home,
        items: (said.items ?? [item()]).map(boughtAs),
      },
      ...facts,
    })
  },
})
const ours = (said: Partial<Document> = {}) => invoice({ number: '2026-0007', ...said })
testStates('a correction', correction({}), {
  'of prices with VAT, of which a part was allowed': correction({
    prices_include_vat: true,
    items: [
      item({ sales_price_vat: 23_800, allowed_price: 2_380 }),
      item({ stock_id: 8, sales_price: 10_000, sales_price_vat: 10_700, vat_rate: 7, vat_name: 'Reduced' }),
      item({ stock_id: 10, sales_price: 5_000, sales_price_vat: 5_000, vat_treatment: 'margin', vat_rate: 0 }),
    ],
    documents: [ours()],
  }),
  'of a final invoice': correction({ documents: [ours({ left_at: NOW, is_closed: true })] }),
  'of an invoice of an earlier month': correction({ documents: [ours({ is_closed: true })] }),
  'of an invoice whose number is of another series': correction({ documents: [invoice()] }),
  'of a company that has moved to another state, with its details': correction(
    { documents: [ours({ left_at: NOW, is_closed: true })], invoice_differs: ['the address', 'the company'] },
    {
      at: 'sale/correct/9?customer=now',
      buyer: {
        company_name: 'Kern AG',
        vat_number: 'NL004495445B01',
        billing_address: { ...place('Damrak 1', 'Amsterdam', 'Netherlands'), country_code: 'NL' },
      },
    },
  ),
  'with a returned item that was not credited wholly': correction({
    items: [
      item(),
      item({ stock_id: 8, returned: true, returned_price: 15_000 }),
      item({ stock_id: 10, available: false }),
    ],
  }),
  'that is continued': {
    ...correction({ items: [item(), item({ stock_id: 8 }), item({ stock_id: 10 })], documents: [ours()] }),
    ...begunCorrection,
  },
  'without the VAT rate of the margin': correction(
    { items: [item({ vat_treatment: 'margin', vat_rate: 0 })] },
    { facts: { margin_rate: null } },
  ),
})
testStates('a correction that is not possible', correction({ status: 'Voided' }), {
  'because an item was deleted': correction({ status: 'Requires Attention' }),
  'because nothing is left': correction({ items: [item({ returned: true })] }),
  'because the sale is not read yet': { part: <SaleCorrectPage />, at: 'sale/correct/9' },
  'because there is no such sale': { part: <SaleCorrectPage />, at: 'sale/correct/0' },
})

const paying = (said: Partial<Sale>) => ({ part: <PayDialog sale={sale(said)} onClose={() => {}} /> })
testStates('the payment of a sale', paying({ open_amount: 23_800, total_items: 1 }), {
  'that is dispatched': paying({ open_amount: 23_800, status: 'Dispatched' }),
  'of which a part is paid': paying({ open_amount: 3_800, paid_total: 20_000, status: 'Dispatched' }),
  'that was paid too much': paying({ open_amount: -500, paid_total: 24_300, status: 'Dispatched' }),
})

test('the next step of a sale asks first if it cannot be taken back', () => {
  const asked = (said: Partial<Sale>) => {
    const one = sale({ total_items: 2, ...said })
    const { label, to, pays, question } = nextStepOf(one) ?? {}
    return [label, to, pays, question?.(one)]
  }
  expect([
    asked({ status: 'New', open_amount: 500 }),
    asked({ status: 'Awaiting Payment', total_items: 1 }),
    asked({ status: 'Awaiting Dispatch', total_items: 1_200 }),
    asked({ status: 'Awaiting Dispatch', total_items: 1 }),
    asked({ status: 'Requires Attention' }),
    asked({ status: 'Dispatched' }),
  ]).toEqual([
    ['Mark paid', 'Awaiting Dispatch', true, 'Sale #9 (2 items) will then await dispatch.'],
    ['Mark paid', 'Awaiting Dispatch', undefined, 'Sale #9 (1 item) will then await dispatch.'],
    [
      ...['Dispatch', 'Dispatched', undefined],
      'Mark the 1,200 items of sale #9 as dispatched? After that they can only be returned.',
    ],
    [
      ...['Dispatch', 'Dispatched', undefined],
      'Mark the 1 item of sale #9 as dispatched? After that it can only be returned.',
    ],
    ['Resubmit', 'Awaiting Dispatch', undefined, undefined],
    [undefined, undefined, undefined, undefined],
  ])
})

const page0 = { data: [], total: 0, current_page: 1, last_page: 1, from: 0, to: 0, per_page: 250 }
testStates(
  'a new sale',
  {
    part: <SaleCreatePage />,
    at: 'sale/create',
    read: ([area, what]) => {
      if (area === 'basket') return { items: [], etag: null }
      if (area === 'stock') return []
      return area === 'vat' && what === 'find' ? page0 : undefined
    },
  },
  {},
)

const inDraft = (id: number, said: Partial<StockRow> = {}) =>
  blank(StockRow, {
    ...{ id, status: 'In Stock', product_display_name: `iPhone ${id}`, imei: '359990123456789', grade_name: 'A' },
    ...{ cost: 10_000, sales_price: 20_000, vat_type_id: 1, updated_at: NOW, ...said },
  })
const draftOf = (items: StockRow[], { batch, kept }: { batch?: Partial<BatchRow>; kept?: object } = {}) => {
  const ids = items.map(({ id }) => id)
  const saleFromBatch = batch ? 5 : null
  const draft = { items: ids, batch: saleFromBatch, lines: { prices: [], removed: [], onePrice: null }, ...kept }
  return {
    part: <SaleCreatePage />,
    at: 'sale/create',
    kept: { storageData: { saleStockItemIds: ids, saleFromBatch }, ...(kept && { 'draft sale 1 1': draft }) },
    read: ([area, what]: readonly unknown[]) => {
      if (area === 'basket') return { items: [], etag: null }
      if (area === 'stock') return items
      if (area === 'batch') return { ...page0, data: [blank(BatchRow, { id: 5, name: 'May', ...batch })], total: 1 }
      if (area === 'vat') return { ...page0, data: [blank(Vat, { id: 1, rate: 19, treatment: 'standard' })], total: 1 }
      if (what !== 'tax-facts') return undefined
      return blank(TaxFacts, { day: '2026-03-05', seller: { ...home, vat_number: 'DE123456789' }, margin_rate: 1_900 })
    },
  }
}
const three = [
  inDraft(1),
  inDraft(2, { sales_price: null, purchase_treatment: 'margin' }),
  inDraft(3, { status: 'Sold', imei: null }),
]
testStates('a new sale of items', draftOf(three), {
  'from a batch': draftOf(three, { batch: {} }),
  'of which several cannot be sold': draftOf([...three, inDraft(4, { status: 'Deleted' })]),
  'with typed prices, of which one is none': draftOf(three, {
    kept: {
      lines: {
        prices: [
          [1, null, null, '1oo'],
          [2, 15_000, 'standard'],
        ],
        removed: [],
        onePrice: null,
      },
      options: { includeVat: true },
    },
  }),
  'with one price for all, from a batch': draftOf([...three, inDraft(4)], {
    batch: {},
    kept: { lines: { prices: [], removed: [1], onePrice: 30_000 } },
  }),
  'of which all were removed': draftOf([inDraft(1)], { kept: { lines: { prices: [], removed: [1], onePrice: null } } }),
})

const NOTHING = () => {}
const many = Array.from({ length: 101 }, (_, n) => n + 1)
const soldItems = many.map((stock_id) => item({ stock_id }))
test.each<[string, State]>([
  ['sale', page({ items: soldItems })],
  ['correction', correction({ items: soldItems })],
  ['new sale', draftOf(many.map((id) => inDraft(id)))],
])('a %s shows 100 items, and leads to the others', async (_, { part, ...scene }) => {
  const lines = outline(await drawn(part, scene))
  expect(lines.filter((text) => text.includes('1 to 100 of 101 items'))).toHaveLength(1)
})

const bar = (left: { unpriced?: number; unreadable?: number }, { refused = 0, sold = 0, saving = false } = {}) => ({
  part: (
    <DraftBar
      selling={Array.from({ length: sold }, () => ({}) as never)}
      figures={{ items: 2_000, purchase: 0, net: 100, vat: [], gross: 119, marginVat: 0, profit: 19, cost: 0, ...left }}
      refused={refused}
      saving={saving}
      onCreate={NOTHING}
    />
  ),
})
testStates('the bar of a new sale', bar({}), {
  'with a price that cannot be read, and a VAT that is not allowed': bar({ unreadable: 1 }, { refused: 1 }),
  'with more of them': bar({ unpriced: 3, unreadable: 1_200 }, { refused: 1_300 }),
  'with no price that can be read': bar({ unreadable: 2_000 }),
  'with no price, or none that can be read': bar({ unpriced: 1_999, unreadable: 1 }),
  'with one price of all': bar({ unpriced: 1, unreadable: 1_998 }),
  'that sells one item': bar({}, { sold: 1 }),
  'that sells thousands, while the server makes it': bar({}, { sold: 1_234, saving: true }),
})

const noSide: Lacks = { seller: [], buyer: [], items: [] }
const draftLacks = (said: Partial<InvoiceLacks>, role?: Scene['role']) => ({
  part: <SellersLacks lacks={{ invoice: noSide, xml: noSide, profile: null, ...said }} />,
  ...(role && { role }),
})
const lacksAddress = { ...noSide, seller: ['the seller’s address'] }
const lacksMeaning = { ...noSide, items: ['the VAT type’s meaning'] }
testStates('what the invoice of a new sale lacks', draftLacks({ invoice: lacksAddress }), {
  'for a colleague': draftLacks({ invoice: lacksAddress }, 'ROLE_USER'),
  'for the XML, too': draftLacks({ invoice: lacksAddress, xml: lacksMeaning }),
  'only for the XML, for a colleague': draftLacks({ xml: lacksMeaning }, 'ROLE_USER'),
  'for the profile of the customer alone': draftLacks({
    profile: { ...noSide, profile: 'xrechnung', seller: ['the phone'], buyer: ['the route'], items: ['a unit'] },
  }),
})

const options = (batch: Partial<BatchRow>, said: Partial<Parameters<typeof DraftOptionsPanel>[0]> = {}) => ({
  part: (
    <DraftOptionsPanel
      options={DEFAULT_OPTIONS}
      excel={false}
      usualLang={null}
      lacks={undefined}
      batch={blank(BatchRow, { id: 5, name: 'May', ...batch })}
      errors={{}}
      onChange={NOTHING}
      {...said}
    />
  ),
})
testStates('the options of a new sale from a batch', options({}), {
  'that is locked': options({ is_locked: true }),
  'to a customer whose invoices are in German': options({}, { usualLang: 'de' }),
  'with a sheet and without an invoice, of which all else is as chosen': options(
    {},
    {
      excel: true,
      options: {
        ...{ ...DEFAULT_OPTIONS, reference_number: 'PO 5', create_invoice: false, send_email: false },
        ...{ remove_from_basket: false, delete_batch: true },
      },
    },
  ),
  'with faults': options({}, { errors: { reference_number: 'Too long.', invoice_lang: 'Not known.' } }),
})

const decision = (said: Partial<Decision>): Decision => ({
  treatment: 'margin',
  rate: 0,
  why: 'Bought under the margin scheme.',
  also: ['standard'],
  ...said,
})
const choice = (taken: Partial<Decision>) => ({
  part: <VatChoice id={7} tax={{ byRules: decision({}), taken: decision(taken), rate: 1_900 }} onChoose={NOTHING} />,
})
testStates('the VAT of an item', choice({}), {
  'that is not possible': choice({ treatment: 'zero', problem: 'the goods stay here' }),
})

const toGermany = {
  seller: { country_code: 'NL', postal_code: '1012 LG', vat_number: 'NL004495445B01' },
  rule: null,
  buyer: { country_code: 'DE', postal_code: '53111', vat_number: 'DE136695976' },
  delivery: { country_code: 'DE', postal_code: '53111' },
}
const abroad = decision({ treatment: 'intra_community', also: [] })
const vatOf = (said: Partial<DraftTax>, lines: readonly Partial<DraftLine>[] = []) => ({
  part: (
    <DraftVat
      lines={lines as DraftLine[]}
      tax={{
        ...{ facts: undefined, sale: toGermany },
        lines: new Map([[7, { byRules: abroad, taken: abroad, rate: 1_900 }]]),
        ...said,
      }}
      change={NOTHING}
    />
  ),
})
const checkOf = (of: number | null, said: object = {}) => ({
  checks: { of, mayAsk: false, checked: { check: null, day: '2026-03-05', days: 30 }, ...said },
})
const checked = { vat_number: 'DE136695976', checked_on: '2026-03-04', is_valid: true, reference: 'WAPI' }
const perLine = (...ids: number[]) =>
  new Map(ids.map((id) => [id, { byRules: decision({}), taken: decision({}), rate: 1_900 }]))
testStates('the VAT of a new sale', vatOf({}), {
  'to a new customer': vatOf(checkOf(null)),
  'to a customer whose number nobody has checked': vatOf(checkOf(4)),
  'to a customer whose number the server may check': vatOf(checkOf(4, { mayAsk: true })),
  'to a customer whose number is valid': vatOf(
    checkOf(4, { checked: { check: checked, day: '2026-03-05', days: 30 } }),
  ),
  'whose lines have a choice': vatOf({ lines: perLine(7, 8) }, [{ id: 7 }, { id: 8 }]),
  'whose lines have the same choice': vatOf({ lines: perLine(7, 8) }, [
    { id: 7, wanted: 'standard' },
    { id: 8, wanted: 'standard' },
  ]),
  'whose lines have other choices': vatOf({ lines: perLine(7, 8) }, [{ id: 7, wanted: 'standard' }, { id: 8 }]),
})

const trouble = (refused: number, { hasRate = true, ...scene }: Scene & { hasRate?: boolean } = {}) => {
  const facts = blank(TaxFacts, { margin_rate: hasRate ? 1_900 : null })
  const lines: DraftTax['lines'] = new Map([[7, { byRules: decision({}), taken: decision({}), rate: 1_900 }]])
  const tax = { facts, sale: saleTax(undefined, {} as never), lines }
  const all = Array.from({ length: refused }, (_, n) => `#${n + 1}: Zero rate is not possible`)
  return { part: <VatTrouble title="The sale cannot be made like this" refused={all} tax={tax} />, ...scene }
}
testStates('a VAT that the server would refuse', trouble(1), {
  'for more items than it names': trouble(1_211),
  'because the margin scheme has no rate': trouble(0, { hasRate: false }),
  'because the margin scheme has no rate, for a colleague': trouble(0, { hasRate: false, role: 'ROLE_USER' }),
})
