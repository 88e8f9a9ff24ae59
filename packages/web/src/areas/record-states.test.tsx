import { Accounting, AccountingSettings, BookedDocument } from '@backstock/contract/accounting.ts'
import { BankEntry } from '@backstock/contract/bank-entry.ts'
import { Batch } from '@backstock/contract/batch.ts'
import { BulkEdit } from '@backstock/contract/bulk-edit.ts'
import { Company } from '@backstock/contract/company.ts'
import { Customer } from '@backstock/contract/customer.ts'
import {
  CustomerReturn,
  CustomerReturnItem,
  ReturnLookUpAnswer,
  ReturnLookUpRow,
} from '@backstock/contract/customer-return.ts'
import { Dashboard, type NewestImport, type WaitingSale } from '@backstock/contract/dashboard.ts'
import { type CheckedItem, DeliveryCheck, DeliveryLine } from '@backstock/contract/delivery-check.ts'
import { Document } from '@backstock/contract/document.ts'
import { PHONES_LOOKED_AT } from '@backstock/contract/imei.ts'
import { CustomerAccount, Letter, OpenItem } from '@backstock/contract/letter.ts'
import type { LetterKind } from '@backstock/contract/letter-kind.ts'
import { LogEntry } from '@backstock/contract/log.ts'
import { Offer } from '@backstock/contract/offer.ts'
import { ProposedProduct } from '@backstock/contract/proposed-product.ts'
import { PurchaseReceipt, ReceiptLine, ReceiptProposal } from '@backstock/contract/purchase-receipt.ts'
import { SaleRow } from '@backstock/contract/sale.ts'
import { QuickOrderAnswer, QuickOrderRow, StockItem, StockRow } from '@backstock/contract/stock.ts'
import { SupplierClaim, SupplierClaimItem } from '@backstock/contract/supplier-claim.ts'
import { CustomerVatChecks, VatCheck } from '@backstock/contract/vat-check.ts'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { blank } from '../testing/blank.ts'
import { drawn, NOW, type Scene } from '../testing/drawn.tsx'
import { outline } from '../testing/outline.ts'
import { type State, testStates } from '../testing/states.tsx'
import { LogTimeline } from '../ui/log/log-timeline.tsx'
import AccountingPage from './accounting/accounting-page.tsx'
import DatevPage from './accounting/datev-page.tsx'
import { Documents } from './accounting/documents.tsx'
import { Summary } from './accounting/summary.tsx'
import LoginPage from './auth/login-page.tsx'
import EntryDialog from './bank-entry/entry-dialog.tsx'
import { EntryFacts } from './bank-entry/entry-facts.tsx'
import { EntryLines } from './bank-entry/entry-lines.tsx'
import { BasketContent } from './basket/basket-content.tsx'
import BasketMenu from './basket/basket-menu.tsx'
import BatchEditPage from './batch/edit-page.tsx'
import { ReceivedActs } from './bulk/received-acts.tsx'
import CompanyPage from './company/company-page.tsx'
import { CustomerBalance } from './customer/customer-balance.tsx'
import DashboardPage from './dashboard/dashboard-page.tsx'
import { FirstSteps } from './dashboard/first-steps.tsx'
import { AddItem } from './delivery-check/add-item.tsx'
import DeliveryCheckPage from './delivery-check/check-page.tsx'
import NewDeliveryCheckPage from './delivery-check/create-page.tsx'
import ManualPageScreen from './help/manual-page.tsx'
import PrintDialog from './label/print-dialog.tsx'
import OfferPage from './offer/offer-page.tsx'
import AccountPage from './open-item/account-page.tsx'
import LetterDialog from './open-item/letter-dialog.tsx'
import { LetterFacts, LetterNotes } from './open-item/letter-facts.tsx'
import { PriceDialog } from './pricing/price-dialog.tsx'
import PurchaseReceiptCreatePage from './purchase-receipt/create-page.tsx'
import PurchaseReceiptPage from './purchase-receipt/edit-page.tsx'
import { NewestLine } from './quick-order/newest-line.tsx'
import QuickOrderPage from './quick-order/quick-order-page.tsx'
import ReturnCreatePage from './return/create-page.tsx'
import ReturnEditPage from './return/edit-page.tsx'
import Camera from './scan/camera.tsx'
import StockCreatePage from './stock/create-page.tsx'
import StockEditPage from './stock/edit-page.tsx'
import { ItemsUnread } from './stock/items-unread.tsx'
import { ProposedProductLine } from './stock/proposed-product.tsx'
import SupplierClaimEditPage from './supplier-claim/edit-page.tsx'
import { SettleDialog } from './supplier-claim/settle-dialog.tsx'
import { VatChecks } from './vat-check/checks.tsx'
import TypedCheck from './vat-check/typed-check.tsx'

const page = (part: ReactNode, at: string, row: object, scene: Scene = {}) => ({ part, at: `${at}/7`, row, ...scene })
const later = '2026-03-06T08:09:10Z'

const item = (said: Partial<StockItem>, scene?: Scene) => {
  const named = { id: 7, product_name: 'iPhone 13', product_display_name: 'Apple iPhone 13 128 GB' }
  const row = blank(StockItem, {
    ...named,
    status: 'In Stock',
    purchase_currency: 'EUR',
    sales_currency: 'EUR',
    ...said,
  })
  return page(<StockEditPage />, 'stock/edit', row, scene)
}
testStates('an item', item({}), {
  'that lacks a receipt': item({ lacks_receipt: true }),
  'with a receipt': item({ purchase_receipt: { id: 3, number: 'P-3', still_says: [] } }),
  'with a receipt that says something else': item({
    purchase_receipt: { id: 3, number: 'P-3', still_says: ['its price', 'its IMEI'] },
  }),
  'of a draft claim': item({ supplier_claim: { id: 4, state: 'draft' } as never }),
  'of a sent claim': item({ supplier_claim: { id: 4, state: 'sent' } as never }),
  'that is sold': item({ status: 'Sold', related_sale_id: 9 }),
  'that went back': item({ status: 'Returned to Supplier' }),
  'that is inbound': item({ status: 'Inbound' }),
  'that is deleted': item({ status: 'Deleted' }),
  'in a batch': item({ status: 'In Batch', batch_id: 5, batch_name: 'May', batch: { id: 5, name: 'May' } as never }),
  'in a locked batch': item({ status: 'In Batch', batch_id: 5, is_batch_locked: true }),
  'bought in dollars': item({ purchase_currency: 'USD', purchase_price: 10_000, fx_rate: 1.1, cost: 9_091 }),
  'with all its fields': item({
    imei: '359990123456789',
    imei2: '359990123456797',
    serial_number: 'C39',
    meid: 'A1',
    eid: '8904',
    backstock_id: 'BS-7',
    location: 'A1',
    battery_health: 87,
    functional: 'minor faults',
    network_locked: true,
    purchase_treatment: 'margin',
    purchase_date: '2026-02-03',
    sales_price: 20_000,
    engineer_notes: 'Scratch',
    attributes: { Box: 'yes' },
  }),
  'that is not there': { part: <StockEditPage />, at: 'stock/edit/0' },
})

testStates(
  'the link to a new item',
  { part: <AddItem code="35 999012 345678 9" /> },
  {
    'with an IMEI': { part: <AddItem code="49 015420 323751 8" /> },
  },
)

const created = (address = '') => ({ part: <StockCreatePage />, at: `stock/create${address}` })
testStates('a new item', created(), {
  'with a scanned IMEI': created('?imei=490154203237518'),
  'with a scanned serial number': created('?serial_number=C39'),
})

const proposedProduct = (said: Partial<ProposedProduct>) => ({
  part: <ProposedProductLine typed="490154203237518" chosen={null} isAsked={false} onUse={() => {}} />,
  read: () => blank(ProposedProduct, { product_id: 5, display_name: 'iPhone 13', times: 1, phones: 1, ...said }),
})
testStates('the product that an IMEI proposes', proposedProduct({}), {
  'that one of two phones was': proposedProduct({ phones: 2 }),
  'that some of the newest phones were': proposedProduct({ times: 150, phones: PHONES_LOOKED_AT }),
})

const company = (said: Partial<Company>, scene: Scene = {}) => ({
  part: <CompanyPage />,
  at: 'company/edit/1',
  row: blank(Company, { name: 'Backstock', time_zone: 'Europe/Berlin', ...said }),
  ...scene,
})
const none = { data: [], total: 0 }
testStates('the company', company({}), {
  'with all its fields': company({
    name: 'Kern AG',
    address_1: 'Weg 1',
    address_2: 'Hof 2',
    city: 'Bonn',
    state: 'NRW',
    postal_code: '53111',
    country_code: 'DE',
    vat_number: 'DE136695976',
    tax_number: '205/5700/1234',
    registration: 'HRB 7',
    email: 'office@example.com',
    phone: '+49 228 1',
    contact_name: 'Ute Kern',
    electronic_address: '0106:12345678',
    bank_name: 'Sparkasse',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    payment_terms: 'Thank you.',
    payment_days: 14,
    reminder_days: 7,
    group_invoice_lines: true,
    supply_day: 'dispatch',
    margin_rate: 19,
    margin_method: 'period',
    vat_check_days: 90,
    mail_from: 'shop@example.com',
    logo: 'data:image/png;base64,AA==',
  }),
  'that names the date of the invoice': company({ supply_day: 'invoice' }),
  'of a country that has another currency': company({ country_code: 'SE' }),
  'of a shop without VAT rates and categories': company(
    { country_code: 'DE' },
    { read: ([area]) => (area === 'vat' || area === 'category' ? none : undefined) },
  ),
  'without a mail server': company({}, { read: ([, what]) => (what === 'mail' ? { server: null } : undefined) }),
  'with a mail server': company({}, { read: ([, what]) => (what === 'mail' ? { server: 'mail:25' } : undefined) }),
})
testStates(
  'the company that is not read yet',
  { part: <CompanyPage /> },
  {
    'for a colleague': { part: <CompanyPage />, role: 'ROLE_USER' },
  },
)

const line = blank(ReceiptLine, {
  stock_id: 3,
  description: 'iPhone',
  imei: '359990123456789',
  price: 10_000,
  price_now: 10_000,
})
const receipt = (said: Partial<PurchaseReceipt>) => {
  const seller = { ...blank(PurchaseReceipt.shape.seller), name: 'Ute Kern', address: ['Weg 1', 'Bonn'] }
  const usual = {
    id: 7,
    number: 'P-7',
    seller,
    total: 10_000,
    currency: 'EUR',
    lang: 'de',
    file_state: 'ready',
  } as const
  return page(
    <PurchaseReceiptPage />,
    'purchase-receipt/edit',
    blank(PurchaseReceipt, { ...usual, lines: [line], ...said }),
  )
}
testStates('a purchase receipt', receipt({}), {
  'whose prices have changed': receipt({
    lines: [
      { ...line, price_now: 9_000 },
      { ...line, stock_id: 4, imei: null, serial_number: 'C39', price_now: null },
    ],
  }),
  'in another currency': receipt({ currency: 'GBP' }),
  'that is cancelled': receipt({ cancelled_by_id: 8, cancelled_by_number: 'P-8' }),
  'that cancels another': receipt({ cancels_id: 6, cancels_number: 'P-6', reason: 'Wrong price' }),
  'whose file is being made': receipt({
    file_state: 'pending',
    files: [{ lang: 'de', state: 'pending', error: null, sha256: null }],
  }),
  'whose files failed': receipt({
    file_state: 'failed',
    files: [{ lang: 'de', state: 'failed', error: 'No room.', sha256: null }],
  }),
  'with all facts': receipt({
    kind: 'self_billed',
    supplier_id: 5,
    supplier_name: 'Foxway',
    created_by_name: 'Bea',
    bought_on: '2026-03-01',
    paid_by: 'cash' as never,
    seller: {
      name: 'A',
      address: [],
      country_code: 'DE',
      vat_number: 'DE123456789',
      identity_kind: 'passport' as never,
      identity_end: '4711',
    },
    files: [{ lang: 'de', state: 'ready', error: null, sha256: '0123456789abcdef0123' }],
  }),
})

const back = (said: Partial<CustomerReturnItem>) =>
  blank(CustomerReturnItem, {
    id: 1,
    product_name: 'iPhone',
    status: 'Sold',
    sale_id: 9,
    invoice_number: 'R-9',
    sold_price: 20_000,
    ...said,
  })
const returned = (said: Partial<CustomerReturn>) =>
  page(
    <ReturnEditPage />,
    'return/edit',
    blank(CustomerReturn, {
      id: 7,
      customer_id: 4,
      customer_name: 'Ute',
      items: [back({})],
      items_count: 1,
      updated_at: later,
      ...said,
    }),
  )
const note = (said: Partial<Document>) =>
  blank(Document, { id: 2, kind: 'credit_note', number: 'G-2', sale_id: 9, total_gross: 500, ...said })
testStates('a return', returned({}), {
  'of which one item has come': returned({
    state: 'received',
    items_count: 3,
    items_received: 1,
    received_at: later,
    created_by_name: 'Bea',
    items: [
      back({
        received_at: later,
        price: 19_000,
        status: 'In Stock',
        credit_number: 'G-2',
        reason: 'defective' as never,
      }),
      back({ id: 2, price: 15_000, prices_include_vat: true, supplier_name: 'Foxway', purchase_date: '2026-01-02' }),
      back({ id: 3, price: 0, noted_at_zero: true, invoice_number: null, grade_name: 'A', imei: '359990123456789' }),
    ],
  }),
  'of which all has come': returned({
    state: 'received',
    items_received: 1,
    items: [back({ received_at: later, price: 20_000 })],
  }),
  'that is settled, without credit notes': returned({
    state: 'settled',
    items_received: 1,
    items: [back({ received_at: later })],
  }),
  'that is refused': returned({ state: 'refused' }),
  'with credit notes': returned({
    state: 'received',
    items_received: 1,
    credit_notes: [
      note({ status: 'ready' }),
      note({ id: 3, status: 'pending' }),
      note({ id: 4, status: 'failed' }),
      note({ id: 5, status: 'none' }),
    ],
  }),
})

const awaitedReturn = (said: Partial<CustomerReturn>, kept: object = {}) => ({
  ...returned({
    ...{ state: 'received', items_count: 4, items_received: 1, received_at: later },
    items: [
      back({ received_at: later, price: 20_000, status: 'In Stock' }),
      back({ id: 2 }),
      back({ id: 3, price: 15_000 }),
      back({ id: 4 }),
    ],
    ...said,
  }),
  kept: {
    'draft announced-return 7 1': {
      choices: [
        [1, { reason: 'other', price: 100 }],
        [2, { reason: 'faulty', condition: 'damaged', outcome: 'scrap', price: 9_900 }],
      ],
      ...{ wrong: [[3, { text: '1oo', wrong: true }]], left: [4], email: false, ...kept },
    },
  },
})
testStates('a return whose session ended', awaitedReturn({}), {
  'before only items were chosen that have come since': awaitedReturn(
    {},
    { choices: [[1, { price: 100 }]], wrong: [] },
  ),
  'and that was settled meanwhile': awaitedReturn({ state: 'settled' }),
})

const begun = { text: 'X1\nX2', note: 'Box', email: false, buyer: null, choices: [], left: [] }
const newReturn = (said: Partial<ReturnLookUpAnswer> = {}) => ({
  part: <ReturnCreatePage />,
  at: 'return/create',
  kept: { 'draft return 1 1': begun },
  read: ([area, what]: readonly unknown[]) =>
    area === 'return' && what === 'look-up' ? blank(ReturnLookUpAnswer, said) : undefined,
})
testStates('a new return of pasted lines', newReturn(), {
  'that may mean several phones': newReturn({
    ambiguous: [
      { line: 'X1', items: [7, 8] },
      { line: 'X2', items: [9, 1_200] },
    ],
  }),
  'that nobody has sold': newReturn({ not_found: ['X1', 'X2'] }),
})

const soldTo = (customer_id: number, customer_name: string, price = 20_000) => ({
  ...{ id: customer_id + 10, status: 'Dispatched' as const, customer_id, customer_name, price },
  ...{
    invoice_number: 'R-1',
    sold_at: NOW,
    dispatched_on: '2026-03-04',
    prices_include_vat: false,
    noted_at_zero: false,
  },
})
const lookedUp = (id: number, said: Partial<ReturnLookUpRow>) =>
  blank(ReturnLookUpRow, { id, line: `X${id}`, product_name: 'iPhone 13', returnable: true, ...said })
const ofTwoBuyers = {
  data: [
    lookedUp(1, { sale: soldTo(4, 'Ute', 15_000), supplier_name: 'Foxway', purchase_date: '2026-01-02' }),
    lookedUp(2, { sale: { ...soldTo(5, 'Bob'), dispatched_on: null, invoice_number: null }, imei: '359990123456789' }),
    lookedUp(3, { sale: { ...soldTo(5, 'Bob', 11_900), prices_include_vat: true } }),
    lookedUp(4, { sale: soldTo(5, 'Bob'), returnable: false, why_not: 'It is in return #3 already' }),
    lookedUp(5, { returnable: false, why_not: 'Not sold' }),
  ],
  duplicates: ['X1'],
}
const keptReturn = (said: object) => ({
  ...newReturn(ofTwoBuyers),
  kept: { 'draft return 1 1': { ...begun, ...said } },
})
testStates('a new return of items of two customers', newReturn(ofTwoBuyers), {
  'for the one with fewer items': keptReturn({ buyer: 4 }),
  'of which one is left out, and one credited for less': keptReturn({
    left: [2],
    choices: [[3, { reason: 'faulty', outcome: 'test', price: 9_900 }]],
  }),
  'whose lines could not be credited so': keptReturn({ wrong: [[3, { text: '1oo', wrong: true }]] }),
})

const claimed = (said: Partial<SupplierClaimItem>) =>
  blank(SupplierClaimItem, {
    id: 1,
    product_display_name: 'iPhone',
    status: 'In Stock',
    supplier_id: 5,
    reason: 'Defective',
    cost: 5_000,
    ...said,
  })
const claim = (said: Partial<SupplierClaim>) =>
  page(
    <SupplierClaimEditPage />,
    'supplier-claim/edit',
    blank(SupplierClaim, {
      id: 7,
      supplier_id: 5,
      supplier_name: 'Foxway',
      items: [claimed({})],
      items_count: 1,
      total_cost: 5_000,
      ...said,
    }),
  )
testStates('a claim', claim({}), {
  'without items': claim({ items: [], items_count: 0 }),
  'with items that cannot go back': claim({
    items: [
      claimed({ status: 'Sold' }),
      claimed({ id: 2, supplier_id: 6 }),
      claimed({ id: 3, is_batch_locked: true, status: 'In Batch' }),
    ],
  }),
  'that was sent': claim({
    state: 'sent',
    sent_at: later,
    reference: 'RMA 5',
    created_by_name: 'Bea',
    credit_expected: 4_000,
  }),
  'with less credit than expected': claim({
    state: 'settled',
    settled_on: '2026-03-04',
    credit_received: 4_000,
    items: [claimed({ credit: 4_000 }), claimed({ id: 2, is_back: true }), claimed({ id: 3 })],
  }),
  'with more credit than expected': claim({ state: 'settled', credit_received: 6_000 }),
  'with the expected credit': claim({ state: 'settled', credit_received: 5_000 }),
  'that was refused': claim({ state: 'refused' as never, settled_on: '2026-03-04', credit_received: 0 }),
})

const claimOf = (kept: object, said: Partial<SupplierClaim>, answer: Partial<QuickOrderAnswer> = {}) => ({
  ...claim({ items: [claimed({})], items_count: 1, ...said }),
  kept: { 'draft supplier-claim 7 1': { state: said.state, credits: [], wrong: [], checked: [], pasted: '', ...kept } },
  read: ([area, what]: readonly unknown[]) => {
    if (area === 'basket') return { items: [inBasket(1), inBasket(2), inBasket(3, { supplier_id: 6 })], etag: null }
    return area === 'stock' && what === 'quick-order' ? blank(QuickOrderAnswer, answer) : undefined
  },
})
const inBasket = (id: number, said: Partial<StockRow> = {}) =>
  blank(StockRow, { id, status: 'In Stock', supplier_id: 5, supplier_name: 'Foxway', ...said })
const onLine = (line: string, id: number, said: Partial<QuickOrderRow> = {}) =>
  blank(QuickOrderRow, { line, id, status: 'In Stock', supplier_id: 5, supplier_name: 'Foxway', ...said })
testStates(
  'a claim to which lines are added',
  claimOf(
    { pasted: 'A\nB\nC\nD\nE\nF\nf\nG' },
    { state: 'draft' },
    {
      data: [
        onLine('A', 1),
        onLine('B', 2),
        onLine('C', 3, { supplier_id: null, supplier_name: null }),
        onLine('D', 4, { supplier_id: 6, supplier_name: 'Recommerce' }),
        onLine('E', 5, { status: 'Sold' }),
        onLine('F', 6),
        onLine('F', 7, { status: 'Deleted' }),
      ],
      not_found: ['G'],
      duplicates: ['f'],
    },
  ),
  {
    'of which none can be added': claimOf({ pasted: 'A' }, { state: 'draft' }, { data: [onLine('A', 1)] }),
    'and items are ticked': claimOf({ pasted: 'G', checked: [1, 9] }, { state: 'draft' }, { not_found: ['G'] }),
    'after it was sent, with a credit and a tick': claimOf({ credits: [[1, 4_000]], checked: [1] }, { state: 'sent' }),
    'in another state than before': claimOf({ credits: [[1, 4_000]], pasted: 'A' }, { state: 'settled' }),
    'after it was sent, with a credit of an item that is gone': claimOf({ credits: [[9, 4_000]] }, { state: 'sent' }),
    'after it was sent, with a credit that is no price of an item that is gone': claimOf(
      { wrong: [[9, { text: '4o', wrong: true }]] },
      { state: 'sent' },
    ),
  },
)

const inBatch = (said: Partial<StockRow>) =>
  blank(StockRow, {
    id: 1,
    product_display_name: 'iPhone',
    status: 'In Batch',
    batch_id: 7,
    purchase_currency: 'EUR',
    purchase_price: 5_000,
    cost: 5_000,
    sales_price: 8_000,
    ...said,
  })
const batch = (said: Partial<Batch>) =>
  page(
    <BatchEditPage />,
    'batch/edit',
    blank(Batch, { id: 7, name: 'May', user_name: 'Bea', items: [inBatch({})], items_count: 1, ...said }),
  )
testStates('a batch', batch({}), {
  'that is locked': batch({ is_locked: true, items: [inBatch({ is_batch_locked: true })] }),
  'with sold, deleted and unpriced items': batch({
    items_count: 3,
    unpriced_items: 1,
    items: [
      inBatch({ status: 'Sold', sales_price: 9_000 }),
      inBatch({ id: 2, status: 'Deleted' }),
      inBatch({ id: 3, sales_price: null, purchase_currency: 'USD' }),
    ],
  }),
  'without any price': batch({ unpriced_items: 1, items: [inBatch({ sales_price: null })] }),
  'without items': batch({ items: [], items_count: 0 }),
  'that is not there': { part: <BatchEditPage />, at: 'batch/edit/0' },
})

const open = (said: Partial<OpenItem>) =>
  blank(OpenItem, {
    sale_id: 1,
    document_id: 2,
    number: 'R-1',
    issued_on: '2026-01-02',
    due_on: '2026-02-01',
    total: 500,
    open: 500,
    is_sent: true,
    ...said,
  })
const letter = (said: Partial<Letter>) =>
  blank(Letter, { id: 1, kind: 'reminder', state: 'sent', numbers: ['R-1'], invoices: 1, total: 500, ...said } as never)
const account = (said: Partial<CustomerAccount>) => ({
  part: <AccountPage />,
  at: 'open-item/edit/7',
  row: blank(CustomerAccount, {
    id: 7,
    full_name: 'Ute Kern',
    company_name: 'Kern AG',
    email: 'ute@example.com',
    today: '2026-03-05',
    ...said,
  }),
})
testStates('an account', account({}), {
  'with items in each state': account({
    open_total: 900,
    overdue_total: 500,
    credit_total: 300,
    without_invoice: 100,
    more: 1_200,
    items: [
      open({ days_overdue: 1 }),
      open({ sale_id: 2, days_overdue: 32, last_level: 2, last_reminded_on: '2026-02-20' } as never),
      open({ sale_id: 3, open: -300, paid: 800 }),
      open({ sale_id: 4, number: null, issued_on: null, due_on: null }),
      open({ sale_id: 5, is_sent: false }),
      open({ sale_id: 6, due_on: '2026-04-01' }),
      open({ sale_id: 8, due_on: null }),
    ],
  }),
  'with letters, of a person': account({
    company_name: null,
    sends_mail: true,
    letters: [
      letter({ state: 'waiting' as never, way: 'mail' as never, level: 1 as never }),
      letter({ id: 2, state: 'failed' as never, error: 'Refused.', pay_by: '2026-03-20', created_by_name: 'Bea' }),
      letter({ id: 3, kind: 'statement', recipient: 'ute@example.com', invoices: 4 }),
    ],
  }),
  'with letters that may have to be sent again': account({
    sends_mail: true,
    letters: [
      letter({ state: 'unclear', recipient: 'ute@example.com', error: 'Broken.' }),
      letter({ id: 2, state: 'saved', recipient: 'ute@example.com' }),
      letter({ id: 3, state: 'downloaded' }),
      letter({ id: 4, state: 'sending', recipient: 'ute@example.com' }),
    ],
  }),
  'with a letter that was saved as a file, without a mail server': account({ letters: [letter({ state: 'saved' })] }),
})

test('an account says that a reminder takes at most 500 invoices', async () => {
  const late = (n: number) =>
    account({ items: Array.from({ length: n }, (_, at) => open({ sale_id: at + 1, days_overdue: 32 })) })
  const words = 'A reminder takes at most 500 invoices. Untick some.'
  const saidOf = async ({ part, ...scene }: ReturnType<typeof account>) => outline(await drawn(part, scene))
  expect(await saidOf(late(501))).toContain(words)
  expect(await saidOf(late(500))).not.toContain(words)
})
const inLetter = (...items: OpenItem[]) => ({
  part: (
    <LetterFacts
      account={account({}).row}
      isReminder={false}
      items={items}
      total={items.reduce((sum, item) => sum + item.open, 0)}
    />
  ),
})
testStates('the facts of a letter', inLetter(open({})), {
  'about a refund': inLetter(open({ open: -300 })),
  'about invoices of which the customer was reminded': inLetter(
    open({ days_overdue: 1, last_level: 1 }),
    open({ days_overdue: 32, last_level: 2, number: null }),
  ),
})
const noted = (count: number, sends_mail = true, isReminder = true) => ({
  part: <LetterNotes account={account({ sends_mail }).row} {...{ isReminder, count }} />,
})
testStates('the notes of a letter', noted(20), {
  'about more invoices than an email can have': noted(21),
  'without a mail server': noted(20, false),
  'that is a statement': noted(21, true, false),
})

const lettered = (kind: LetterKind, ...items: OpenItem[]) => ({
  part: <LetterDialog account={account({ lang: 'nl' }).row} kind={kind} items={items} onClose={() => {}} />,
})
const reminded = (sale_id: number, last_level: OpenItem['last_level']) =>
  open({ sale_id, number: `R-${sale_id}`, days_overdue: 3, last_level })
testStates('a letter', lettered('statement', open({}), open({ sale_id: 2, open: 300 })), {
  'that is a first reminder': lettered('reminder', open({ days_overdue: 1 })),
  'that is a second reminder': lettered('reminder', reminded(1, 1)),
  'that is the last reminder again': lettered('reminder', reminded(1, 3)),
  'about invoices of several levels': lettered('reminder', reminded(1, 2), reminded(2, 1)),
})

const period = { from: '2026-03-02', sales: 2, items: 3, net_sales: 50_000, profit: 10_000 }
const waiting = (said: Partial<WaitingSale>): WaitingSale => ({
  ...{ id: 1, status: 'Requires Attention', reference_number: null, customer_id: 4, customer_name: 'Ute' },
  ...{ customer_company_name: null, total_items: 2, total_sales_price: 500, unavailable_items: 1, created_at: NOW },
  ...said,
})
const imported = (said: Partial<NewestImport>) =>
  ({
    id: 1,
    type: 'csv_import',
    user_name: 'Bea',
    file_name: 'a.csv',
    state: 'done',
    undo: null,
    created_at: NOW,
    processed_rows: 1_200,
    failed_rows: 0,
    ...said,
  }) as NewestImport
const worth = { items: 4, cost: 40_000, sales: 60_000, unpriced: 1 }
const board = (said: Partial<Dashboard>, scene: Scene = {}) => ({
  part: <DashboardPage />,
  at: 'dashboard',
  read: () =>
    blank(Dashboard, {
      today: '2026-03-05',
      stock: [
        { status: 'Inbound', ...worth },
        { status: 'In Stock', ...worth },
        { status: 'In Batch', ...worth },
      ] as never,
      ages: [
        { age: 'under-30', ...worth },
        { age: 'over-90', ...worth, cost: 10_000, items: 1 },
      ] as never,
      weeks: [{ ...period, from: '2026-02-23' }, period],
      month: period,
      open_sales: [{ status: 'Requires Attention', sales: 1, total_sales_price: 500, oldest_at: NOW }],
      payments: {
        open: { sales: 2, amount: 900 },
        overdue: { sales: 1, amount: 500 },
        refund: { sales: 0, amount: 0 },
      },
      imports: [imported({})],
      ...said,
    }),
  ...scene,
})
const steps = (done: boolean) =>
  Dashboard.shape.first_steps.element.shape.step.options.map((step, n) => ({ step, done: done && n < 2 }))
testStates('the dashboard', board({}), {
  'of a shop without anything': board({ imports: [], first_steps: steps(false), put_away: ['first steps'] }),
  'with first steps': board({ first_steps: steps(true) }),
  'with first steps, for a colleague': board({ first_steps: steps(true) }, { role: 'ROLE_USER' }),
  'with first steps that were put away': board({ first_steps: steps(true), put_away: ['first steps'] }),
  'of a sample shop': board({ is_sample: true }),
  'of a sample shop whose note was put away': board({ is_sample: true, put_away: ['sample'] }),
  'with nothing sold, old or overdue': board({
    ages: [{ age: 'over-90', items: 0, cost: 0, sales: 0, unpriced: 0 }] as never,
    stock: [],
    weeks: [{ ...period, sales: 0 }],
    month: { ...period, sales: 0 },
    payments: { open: { sales: 0, amount: 0 }, overdue: { sales: 0, amount: 0 }, refund: { sales: 1, amount: 300 } },
  }),
  'with a rule that ends soon': board({ ending_rule: { country: 'Germany', last_day: '2026-03-08', days_left: 3 } }),
  'with a rule that ends tomorrow': board({
    ending_rule: { country: 'Germany', last_day: '2026-03-06', days_left: 1 },
  }),
  'with a rule that ends today': board({ ending_rule: { country: 'Germany', last_day: '2026-03-05', days_left: 0 } }),
  'with a rule that has ended': board({ ending_rule: { country: 'Germany', last_day: '2026-03-04', days_left: -1 } }),
  'with sales that wait': board({
    attention: [
      waiting({}),
      waiting({ id: 2, unavailable_items: 2, customer_company_name: 'Kern AG', reference_number: 'PO' }),
    ],
    awaiting: [
      waiting({ id: 3, status: 'Awaiting Payment', total_items: 1 }),
      waiting({ id: 4, status: 'Awaiting Dispatch' }),
    ],
  }),
  'with imports in each state': board({
    imports: [
      imported({ state: 'waiting' }),
      imported({ id: 2, state: 'running', processed_rows: 1 }),
      imported({ id: 3, undo: 'undone' }),
      imported({ id: 4, failed_rows: 2, state: 'failed', file_name: null }),
      imported({ id: 5, user_name: null, partner_name: 'Shop' }),
      imported({ id: 6, user_name: null, partner_name: null }),
    ],
  }),
  'while it is read': { part: <DashboardPage />, at: 'dashboard' },
})

const stepsDone = (n: number) => ({
  part: <FirstSteps steps={steps(true).map(({ step }, at) => ({ step, done: at < n }))} />,
})
testStates(
  'the first steps',
  stepsDone(0),
  Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`with ${n} of them done`, stepsDone(n)])),
)

type Pairs = AccountingSettings['revenue_accounts']
const datev = (lacks: string[], said: Partial<AccountingSettings> = {}, scene: Scene = {}) => ({
  part: <DatevPage />,
  at: 'datev',
  read: ([, what]: readonly unknown[]) =>
    what === 'record'
      ? { ...blank(AccountingSettings, { consultant_number: 1_001, fiscal_month: 7, ...said }), id: 1 }
      : blank(Accounting, {
          to: '2026-03-31',
          datev_lacks: lacks,
          vat: [
            { treatment: 'standard', rate: 19 },
            { treatment: 'margin', rate: 0 },
          ] as never,
        }),
  ...scene,
})
testStates('the accounts for DATEV', datev([]), {
  'that are not complete': datev(['the consultant number', 'the client number']),
  'with all accounts': datev([], {
    revenue_accounts: [
      { treatment: 'exempt', rate: 0, account: 8_100 },
      { treatment: 'standard', rate: 7, account: 8_300 },
      { treatment: 'standard', rate: 19, account: 8_400 },
    ] as Pairs,
    margin_accounts: [{ rate: 19, account: 8_200 }] as never,
    credit_accounts: [{ treatment: 'margin', account: 3_400 }] as never,
    bank_account: 1_200,
    client_number: 55_003,
    account_length: 5,
    debtor_account: 10_000,
    creditor_account: 70_000,
    debtor_first: 10_001,
    debtor_last: 69_999,
  }),
  'for a colleague': datev([], {}, { role: 'ROLE_USER' }),
})

const noPage = { data: [], total: 0, current_page: 1, last_page: 1, from: 0, to: 0, per_page: 10 }
const taxed = (net: number, vat: number, documents = 1) => ({ documents, net, vat })
const series = (name: string, missing: number[]) => ({
  ...{ series: name, year: 2026, first: 'R-1', last: 'R-9', documents: 9 - missing.length },
  missing,
})
const books = (said: Partial<Accounting> = {}) => ({
  part: (
    <Summary
      books={blank(Accounting, {
        from: '2026-02-01',
        to: '2026-02-28',
        vat: [
          {
            ...{ treatment: 'standard', rate: 19, net: 90_000, vat: 17_100 },
            ...{ invoices: taxed(100_000, 19_000), credit_notes: taxed(-10_000, -1_900) },
          },
          {
            ...{ treatment: 'margin', rate: 0, net: 37_000, vat: 0 },
            ...{ invoices: taxed(40_000, 0), credit_notes: taxed(-3_000, 0) },
          },
        ],
        margin: [
          { rate: 19, sales: 37_000, purchases: 30_000, margin: 8_000, losses: 1_000, vat: 1_277 },
          { rate: 7, sales: 2_000, purchases: 1_500, margin: 600, losses: 100, vat: 39 },
        ],
        buyers: [
          { vat_number: 'NL123456789B01', name: 'Bakker', invoices: 3, credit_notes: 1, net: 50_000 },
          { vat_number: 'FR12345678901', name: 'Petit', invoices: 1, credit_notes: 0, net: 7_000 },
        ],
        buyers_total: 2,
        purchases: [
          { treatment: 'standard', items: 5, cost: 60_000, deleted: 1, credited: 4_000 },
          { treatment: 'margin', items: 3, cost: 33_000, deleted: 0, credited: 500 },
        ],
        supplier_credits: [1, 2].map((claim_id) => ({
          ...{ claim_id, reference: `RMA ${claim_id}`, supplier: 'Foxway', booked_on: `2026-02-0${claim_id}` },
          ...{ items: claim_id + 1, amount: claim_id * 1_500, lowers: 1_500, margin_vat: claim_id * 240 },
        })),
        supplier_credits_total: 2,
        supplier_credited: 4_500,
        numbers: [series('invoice', []), series('credit_note', [4]), series('sample', [3, 7])],
        payments: { count: 6, received: 80_000, paid_back: 3_000 },
        ...said,
      })}
    />
  ),
})
testStates('the figures for the accountant', books(), {
  'with the margin of a whole period': books({
    margin_period: { rate: 19, sales: 37_000, purchases: 31_000, otherwise: 2_000, margin: 8_000, vat: 1_277 },
  }),
  'with more margin bought than sold': books({
    margin_period: { rate: 19, sales: 7_000, purchases: 31_000, otherwise: 2_000, margin: -22_000, vat: 0 },
  }),
  'with buyers who have no VAT number, and more in the files': books({
    without_number: [{ number: 'R-8', name: 'Sans', sale_id: 9, net: 1_200 }],
    without_number_total: 1,
    buyers_total: 5,
    supplier_credits_total: 4,
  }),
  'with several documents without the buyer’s VAT number': books({ without_number_total: 1_200 }),
  'with the stock of a period that still runs': books({
    stock: {
      at: '2026-02-20',
      states: [
        { state: 'In Stock', items: 4, cost: 40_000, is_valued: true },
        { state: 'Sold', items: 2, cost: 15_000, is_valued: true },
        { state: 'Inbound', items: 1, cost: 9_000, is_valued: false },
      ],
      total: { items: 6, cost: 55_000 },
    } as never,
  }),
  'with documents in the series of reverse charge': books({ numbers: [series('RC', [])] }),
  'of a period without anything': books({
    ...{ vat: [], margin: [], buyers: [], buyers_total: 0, purchases: [], supplier_credits: [], numbers: [] },
    ...{ supplier_credits_total: 0, supplier_credited: 0, payments: { count: 0, received: 0, paid_back: 0 } },
  }),
})

const booked = (said: Partial<BookedDocument>) =>
  blank(BookedDocument, { id: 1, number: 'R-1', sale_id: 9, buyer_name: 'Ute Kern', buyer_country: 'DE', ...said })
const inBooks = (documents: BookedDocument[]) => ({
  part: <Documents period={{ from: '2026-03-01', to: '2026-03-31' }} />,
  read: ([area]: readonly unknown[]) =>
    area === 'accounting' ? { ...noPage, data: documents, total: documents.length } : undefined,
})
testStates('the documents in the accounting', inBooks([]), {
  'with two rates, and with none': inBooks([
    booked({
      parts: [
        { treatment: 'standard', rate: 19, net: 10_000, vat: 1_900, cost: null, margin_vat: null },
        { treatment: 'margin', rate: 0, net: 3_000, vat: 0, cost: 2_000, margin_vat: 160 },
      ],
    }),
    booked({ id: 2, number: 'G-2', kind: 'credit_note', credits_number: 'R-1', buyer_vat_number: 'NL123456789B01' }),
  ]),
})
const inPeriod = (said: Partial<Accounting>, at = 'accounting?from=2026-03-01&to=2026-03-31') => ({
  part: <AccountingPage />,
  at,
  read: ([area, what]: readonly unknown[]) => {
    if (area !== 'accounting') return undefined
    const days = { from: '2026-02-01', to: '2026-02-28' }
    return what === 'books' ? blank(Accounting, { ...days, ...said }) : { ...noPage, data: [], total: 0 }
  },
})
testStates('the accounting', inPeriod({ from: '2026-03-01', to: '2026-03-31' }), {
  'of a period without settings for DATEV': inPeriod({
    ...{ from: '2026-03-01', to: '2026-03-31', invoices: 1, credit_notes: 1_200 },
    datev_lacks: ['the consultant number'],
  }),
  'of the month that the server has chosen': inPeriod({ invoices: 1_200, credit_notes: 1 }, 'accounting'),
  'of days': inPeriod({}, 'accounting?by=days&from=2026-03-01&to=2026-03-31'),
  'of days that are no period': inPeriod({}, 'accounting?from=2026-03-02&to=2026-03-01'),
})
testStates('the accounting for a colleague', { part: <AccountingPage />, at: 'accounting', role: 'ROLE_USER' }, {})

const statement = (said: Partial<BankEntry>) => ({
  part: <EntryFacts entry={blank(BankEntry, { account: 'DE1', file_name: 'a.xml', amount: 5_000, ...said })} />,
})
testStates('the facts of a bank entry', statement({}), {
  'that came in, with all facts': statement({
    ...{ name: 'Ute', iban: 'DE2', remittance: 'R-1', end_to_end: 'E2E', bank_reference: 'B7', booked: 2_000 },
    proposal: { payments: [], is_sure: true, why: 'It names the invoice.' },
  }),
  'that went out': statement({ amount: -5_000, name: 'Ute' }),
})
const paidSale = (id: number, open_amount: number) =>
  blank(SaleRow, { id, customer_name: 'Ute', invoice_number: id === 9 ? 'R-9' : null, open_amount })
const assigned = (left: number, amounts: number[]) => {
  const nothing = () => {}
  const all = amounts.map((amount, n) => ({ key: n, sale_id: n + 9, open_amount: 3_000, amount, isTyped: false }))
  const acts = { onChoose: nothing, onChange: nothing, onRemove: nothing, onAdd: nothing }
  const sales = { ...noPage, data: [paidSale(9, 3_000), paidSale(10, -500)], total: 2 }
  return {
    part: <EntryLines lines={all} way={1} left={left} {...acts} />,
    read: ([area, kind]: readonly unknown[]) => {
      if (area !== 'sale') return undefined
      return kind === 'pages' ? { pages: [sales], pageParams: [1] } : undefined
    },
  }
}
testStates('the sales that a bank entry pays', assigned(0, [3_000]), {
  'of which a part is not assigned': assigned(2_000, [3_000]),
  'with a second one, and too much': assigned(-1_500, [4_000, 500]),
})

const proposedPayment = (sale_id: number, amount: number, open_amount: number) => ({
  ...{ sale_id, invoice_number: `R-${sale_id}`, buyer_name: 'Ute', amount, open_amount },
})
const deciding = (said: Partial<BankEntry>) => ({
  part: <EntryDialog entry={blank(BankEntry, { id: 3, amount: 5_000, account: 'DE1', ...said })} onClose={() => {}} />,
})
testStates('what a bank entry pays', deciding({}), {
  'as proposed: a part of one sale, and another one': deciding({
    proposal: {
      ...{ is_sure: false, why: 'It names both.' },
      payments: [proposedPayment(9, 3_000, 4_000), proposedPayment(10, 1_500, 1_500)],
    },
  }),
  'of which a part is booked': deciding({ booked: 2_000, state: 'partly' }),
  'that went out, as proposed': deciding({
    amount: -5_000,
    proposal: { is_sure: true, why: 'It is a refund.', payments: [proposedPayment(9, -5_000, -5_000)] },
  }),
  'that went out, of which a part is booked': deciding({ amount: -5_000, booked: -2_000, state: 'partly' }),
})

const owing = (said: Partial<Customer>) => ({
  part: <CustomerBalance customer={blank(Customer, { id: 4, ...said })} />,
})
testStates('the balance of a customer', owing({}), {
  'who owes, in part too late': owing({ open_total: 900, overdue_total: 500 }),
  'who gets money back': owing({ refund_total: 300 }),
})

const newest = (line: string, said: Partial<QuickOrderAnswer> = {}) => ({
  part: <NewestLine line={line} answer={blank(QuickOrderAnswer, said)} />,
})
const quick = (line: string, said: Partial<QuickOrderRow> = {}) =>
  blank(QuickOrderRow, { line, id: 7, status: 'In Stock', product_display_name: 'iPhone 13', sellable: true, ...said })
const inMay = { batch_id: 5, batch_name: 'May' }
testStates('the newest line of a quick order', newest('X1'), {
  'that can be sold': newest('X1', { data: [quick('X1', { grade_name: 'A' })] }),
  'that can be sold from a batch': newest('X1', { data: [quick('X1', inMay)] }),
  'that can be sold from a locked batch': newest('X1', { data: [quick('X1', { ...inMay, is_batch_locked: true })] }),
  'that is sold': newest('X1', { data: [quick('X1', { sellable: false, status: 'Sold', reason: 'It is sold.' })] }),
  'that cannot be sold': newest('X1', { data: [quick('X1', { ...inMay, sellable: false, status: 'Deleted' })] }),
  'that is in the list already': newest('X1', { data: [quick('X1')], duplicates: ['X0', 'X1'] }),
  'of which an earlier one was twice': newest('X1', { data: [quick('X0'), quick('X1')], duplicates: ['X1', 'X0'] }),
  'that nobody has': newest('x-1', { data: [quick('X0')], not_found: ['X1'] }),
  'that nobody has, twice': newest('X1', { not_found: ['X1'], duplicates: ['X1'] }),
  'that is a mistyped IMEI': newest('490154203237519', { not_found: ['490154203237519'] }),
  'that is too long': newest('x'.repeat(1_001)),
})

const pastedLines = (text: string, said: Partial<QuickOrderAnswer> = {}) => ({
  part: <QuickOrderPage />,
  at: 'quick-order',
  kept: { 'draft quick-order 1': { text } },
  read: ([area, what]: readonly unknown[]) => {
    if (area === 'basket') return { items: [quick('X1')], etag: null }
    return what === 'quick-order' ? blank(QuickOrderAnswer, said) : undefined
  },
})
testStates('a quick order', pastedLines(''), {
  'whose lines are looked up': { ...pastedLines('X1'), read: () => undefined },
  'of lines that nobody has': pastedLines('X1', { not_found: ['X1'] }),
  'of items of which some cannot be sold': pastedLines('X1\nX2\nX3\nX4\n490154203237519\nx-1', {
    data: [
      quick('X1', { sales_price: 20_000, grade_name: 'A' }),
      quick('X2', { ...inMay, id: 8, status: 'In Batch' }),
      quick('X3', { id: 9, sellable: false, status: 'Sold', reason: 'It is sold.' }),
      quick('X4', { id: 10, sellable: false, status: 'Deleted', ...inMay }),
    ],
    ...{ not_found: ['490154203237519'], duplicates: ['x-1'] },
  }),
})

const seller = blank(ReceiptProposal.shape.seller, { name: 'Ute Kern', country_code: 'DE' })
const proposed = (said: Partial<ReceiptProposal>) => ({
  part: <PurchaseReceiptCreatePage />,
  at: 'purchase-receipt/create?ids=3',
  read: ([area, what]: readonly unknown[]) =>
    area === 'purchase-receipt' && what === 'proposal'
      ? blank(ReceiptProposal, {
          ...{ supplier_id: 5, supplier_name: 'Foxway', currency: 'EUR', lang: 'de', bought_on: '2026-03-01' },
          ...{ kind: 'private', seller, lines: [line], total: 10_000, ...said },
        })
      : undefined,
})
testStates('a new purchase receipt', proposed({}), {
  'of a dealer who gets a self-billed invoice': proposed({ kind: 'self_billed' }),
  'of items of several suppliers': proposed({
    ...{ supplier_id: null, supplier_name: null },
    suppliers: [
      { id: 0, name: null, items: 1 },
      { id: 5, name: 'Foxway', items: 1_200 },
    ] as never,
  }),
  'that leaves an item for another receipt': proposed({ further: 1 }),
  'that leaves items for another receipt': proposed({ further: 1_200 }),
  'that leaves out items': proposed({ left_out: [{ stock_id: 8, why: 'It is sold.' }], left_out_total: 1_200 }),
  'that leaves out more items than it names': proposed({
    left_out: Array.from({ length: 11 }, (_, n) => ({ stock_id: n + 1, why: 'It is sold.' })),
    left_out_total: 11,
  }),
})
test('a new purchase receipt is of the items, the import, the basket and the supplier that its address names', async () => {
  const asked = async (search: string) => {
    const keys: unknown[] = []
    const { part } = proposed({})
    const read = ([area, what, query]: readonly unknown[]) => {
      if (area === 'purchase-receipt' && what === 'proposal') keys.push(query)
      return undefined
    }
    await drawn(part, { at: `purchase-receipt/create?${search}`, read })
    return keys
  }
  expect(await asked('import_id=4&page=2')).toEqual([{ import_id: '4' }])
  expect(await asked('ids=3,9&supplier_id=5')).toEqual([{ ids: '3,9', supplier_id: '5' }])
  expect(await asked('basket=1')).toEqual([{ basket: '1' }])
})

const priced = (id: number, said: object = {}) => ({
  ...{ id, actual_product_id: id, product_display_name: `Phone ${id}`, grade_id: 1, grade_name: 'A' },
  ...{ sales_price: 20_000, cost: 10_000, ...said },
})
const byGroup = (items: ReturnType<typeof priced>[], most?: number) => ({
  part: <PriceDialog items={items} onApply={() => true} onClose={() => {}} {...(most && { most })} />,
})
testStates('prices by group', byGroup([priced(1)]), {
  'of an item without a price': byGroup([priced(1, { sales_price: null })]),
  'of more items than can be priced at once': byGroup([priced(1), priced(2, { grade_id: null, grade_name: null })], 1),
})

const delivery = (show: string, said: Partial<DeliveryCheck> = {}, lines: DeliveryLine[] = []) => ({
  part: <DeliveryCheckPage />,
  at: `stock/check/7?show=${show}`,
  read: ([, what]: readonly unknown[]) =>
    what === 'record'
      ? {
          ...blank(DeliveryCheck, { id: 7, name: 'Monday', ...said }),
          lines: { rows: lines, total: lines.length, page: 1, last_page: 1 },
        }
      : undefined,
})
const checked = (id: number, said: Partial<CheckedItem> = {}): CheckedItem => ({
  ...{ id, status: 'Inbound', product_display_name: `Phone ${id}`, imei: null, serial_number: null, grade_name: null },
  ...said,
})
const scannedLines = [
  blank(DeliveryLine, {
    ...{ id: 1, code: '35', n: 3, user_name: 'Bea', at: NOW },
    item: checked(8, { imei: '359990123456789', serial_number: 'C39', grade_name: 'A' }),
  }),
  blank(DeliveryLine, { id: 2, code: 'C40', n: 1_200, item: checked(9, { serial_number: 'C40', status: 'Sold' }) }),
  blank(DeliveryLine, { id: 3, code: 'X-1', n: 1 }),
]
const checkCounts = { expected: 1_200, matched: 2, missing: 3, unexpected: 4, twice: 5, received: 6, receivable: 1_100 }
const facts = { supplier_id: 5, supplier_name: 'Foxway', import_id: 4, created_by_name: 'Bea' }
testStates('a delivery', delivery('matched'), {
  'of an import from a supplier': delivery('matched', { ...facts, counts: checkCounts }),
  'of which a part has been received': delivery('matched', {
    undoable: [blank(BulkEdit, { id: 3, items_count: 2, user_name: 'Bea', created_at: NOW })],
  }),
  'that is closed': delivery('missing', { state: 'closed', counts: checkCounts }),
  ...Object.fromEntries(
    ['matched', 'missing', 'unexpected', 'twice', 'received'].map((list) => [
      `with lines in the list ${list}`,
      delivery(list, {}, scannedLines),
    ]),
  ),
  'of which nothing is missing': delivery('missing'),
  'with nothing unexpected': delivery('unexpected'),
  'with nothing twice': delivery('twice'),
  'with nothing received before': delivery('received'),
})
testStates('a new delivery', { part: <NewDeliveryCheckPage />, at: 'stock/check/create' }, {})

const check = (said: Partial<VatCheck>) =>
  blank(VatCheck, { vat_number: 'NL123456789B01', is_valid: true, source: 'asked', checked_on: '2026-03-04', ...said })
const checks = (said: Partial<CustomerVatChecks>, number: string | null = 'NL123456789B01') => ({
  part: <VatChecks customerId={4} number={number} />,
  read: ([, what]: readonly unknown[]) =>
    what === 'vat-checks' ? blank(CustomerVatChecks, { today: '2026-03-05', days: 30, ...said }) : undefined,
})
testStates('the checks of a VAT number', checks({}), {
  'that VIES does not know': checks({}, 'GB123456789'),
  'that is not there': checks({}, null),
  'that the server may ask VIES about': checks({ may_ask: true }),
  'whose holder VIES tells by the address alone': checks({ newest: check({ address: 'Damrak 1' }) }),
  'that the server and a colleague have checked': checks({
    newest: check({ id: 2, name: 'Bakker', address: 'Damrak 1' }),
    history: [
      check({ id: 2 }),
      check({ id: 1, source: 'typed', is_valid: false, created_by_name: 'Bea', reference: 'WAPI' }),
    ],
  }),
})
testStates(
  'the answer of VIES that a person enters',
  { part: <TypedCheck customerId={4} number="NL123456789B01" today="2026-03-05" onClose={() => {}} /> },
  {},
)

const settling = (back: number[], credits: [number, number][] = []) => ({
  part: (
    <SettleDialog
      claim={blank(SupplierClaim, { id: 7, items_count: 3, total_cost: 5_000 })}
      credits={new Map(credits)}
      back={new Set(back)}
      opened
      onClose={() => {}}
      onSettled={() => {}}
    />
  ),
})
testStates('the end of a claim', settling([]), { 'item by item': settling([3], [[1, 4_000]]) })

const basket = (items: StockRow[] | null) => ({
  part: <BasketContent onAsking={() => {}} onEdit={() => {}} onPrint={() => {}} onPrice={() => {}} />,
  read: ([area]: readonly unknown[]) => (area === 'basket' && items ? { items, etag: null } : undefined),
})
testStates('the basket', basket([]), {
  'that is not read yet': basket(null),
  'with items': basket([inBatch({ batch_name: 'May' }), inBatch({ id: 2, batch_id: null, status: 'Inbound' })]),
  'with as many items as it shows': basket(Array.from({ length: 5 }, (_, n) => inBatch({ id: n + 1 }))),
  'with more items than it shows': basket(Array.from({ length: 7 }, (_, n) => inBatch({ id: n + 1 }))),
})
const basketOf = (n: number) => ({
  ...basket(Array.from({ length: n }, (_, id) => inBatch({ id: id + 1 }))),
  part: <BasketMenu />,
})
testStates('the button of the basket', basketOf(1), {
  'with as many items as it counts': basketOf(999),
  'with more items than it counts': basketOf(1_000),
})

const offered = (said: Partial<Offer>, at = 'offer?basket=1') => ({
  part: <OfferPage />,
  at,
  read: ([, what]: readonly unknown[]) =>
    what === 'offer'
      ? blank(Offer, {
          ...{ seller: 'Anna', date: '2026-03-05' },
          groups: [group({}), group({ product: 'iPhone 13', grade: null, quantity: 2, unpriced: 2, lowest: null })],
          ...said,
        })
      : undefined,
})
const group = (said: Partial<Offer['groups'][number]>) =>
  blank(Offer.shape.groups.element, {
    ...{ product: 'iPhone 12', grade: 'A', quantity: 3, lowest: 9_900, highest: 12_000 },
    ...said,
  })
testStates('an offer', offered({}), {
  'that leaves out an item': offered({ not_sellable: 1 }),
  'that leaves out items': offered({ not_sellable: 1_200 }),
  'of nothing that can be sold': offered({ groups: [], not_sellable: 2 }),
  'of a batch that is not chosen yet': offered({}, 'offer?batch_id='),
})

testStates(
  'the acts that received a delivery',
  { part: <ReceivedActs acts={[blank(BulkEdit, { id: 3, items_count: 1, user_name: 'Bea', created_at: NOW })]} /> },
  {
    'with many items': {
      part: <ReceivedActs acts={[blank(BulkEdit, { id: 3, items_count: 1_200, user_name: 'Bea', created_at: NOW })]} />,
    },
  },
)

const logged = (content: LogEntry['content'], said: Partial<LogEntry> = {}) =>
  blank(LogEntry, { id: 1, user_name: 'Bea', time_ago: 'today', content, ...said } as never)
const entry = (content: LogEntry['content']) => ({ part: <LogTimeline logs={[logged(content)]} /> })
const message = (text: string) => ({ type: 'message', data: { message: text } }) as const
testStates('a log', entry({ type: 'message', data: { message: 'Received.' } }), {
  'with an entry that is hidden': {
    part: (
      <LogTimeline logs={[logged(message('Received.')), logged(message('Counted.'), { id: 2, is_hidden: true })]} />
    ),
  },
  'of a sale': entry({ type: 'item_sold', data: { sale_id: 9 } }),
  'of a deleted sale': entry({ type: 'item_sold', data: { sale_id: 9, is_deleted: true } }),
  'of an email': entry({ type: 'email_sent', data: { message: 'Sent to Ute.', email_body: 'Hello' } }),
  'of an email whose text is not kept': entry({ type: 'email_sent', data: { message: 'Sent to Ute.' } }),
})

const many = Array.from({ length: 101 }, (_, n) => n + 1)
const inClaim = many.map((id) => claimed({ id }))
const inOffer = many.map((n) => group({ product: `Phone ${n}` }))
test.each<[string, State, of: string]>([
  ['a batch', batch({ items: many.map((id) => inBatch({ id })) }), 'items'],
  ['a claim that is a draft', claim({ items: inClaim, state: 'draft' }), 'items'],
  ['a claim that was sent', claim({ items: inClaim, state: 'sent' }), 'items'],
  ['a purchase receipt', receipt({ lines: many.map((stock_id) => ({ ...line, stock_id })) }), 'items'],
  ['a return', returned({ items: many.map((id) => back({ id })) }), 'items'],
  ['a new return', newReturn({ data: many.map((id) => lookedUp(id, { sale: soldTo(4, 'Ute') })) }), 'items'],
  ['a choice of prices by group', byGroup(many.map((id) => priced(id))), 'groups'],
  ['an offer', offered({ groups: inOffer }), 'lines'],
])('%s shows 100 rows, and leads to the others', async (_, { part, ...scene }, of) => {
  const lines = outline(await drawn(part, scene))
  expect(lines.filter((text) => text.includes(`1 to 100 of 101 ${of}`))).toHaveLength(1)
})

testStates('a page of the manual that is not there', { part: <ManualPageScreen />, at: 'help/x' }, {})
testStates('the login', { part: <LoginPage />, at: 'login' }, {})
testStates('the camera', { part: <Camera onCode={() => {}} onClose={() => {}} />, at: 'scan' }, {})
testStates(
  'items that could not be read again',
  { part: <ItemsUnread error={new Error('No answer.')} retry={() => {}} /> },
  {},
)

const labels = (kept: object, total = 1_200) => ({
  part: <PrintDialog of={{ importId: 4 }} onClose={() => {}} />,
  kept: { 'labels:1': kept },
  read: () => ({ ...noPage, total }),
})
testStates('the print of labels', labels({ paper: 'roll-50x30' }), {
  'of one item': labels({ paper: 'roll-62x29' }, 1),
  'of a size of their own': labels({ paper: 'own' }),
  'of a size that is too large': labels({ paper: 'own', width: '400', height: '400' }),
})
