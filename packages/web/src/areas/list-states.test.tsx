import { BankEntry, BankEntryQuery } from '@backstock/contract/bank-entry.ts'
import { BatchQuery, BatchRow } from '@backstock/contract/batch.ts'
import { BulkPreview, type PreviewedItem } from '@backstock/contract/bulk-change.ts'
import { BulkEdit, BulkEditQuery } from '@backstock/contract/bulk-edit.ts'
import { Category, CategoryQuery } from '@backstock/contract/category.ts'
import { ColourQuery } from '@backstock/contract/colour.ts'
import { Company } from '@backstock/contract/company.ts'
import { Customer, CustomerQuery } from '@backstock/contract/customer.ts'
import { CustomerReturnQuery, CustomerReturnRow } from '@backstock/contract/customer-return.ts'
import { DeliveryCheckQuery, DeliveryCheckRow } from '@backstock/contract/delivery-check.ts'
import { Document, DocumentQuery } from '@backstock/contract/document.ts'
import { FurtherColumn, FurtherColumnQuery } from '@backstock/contract/further-column.ts'
import { TakeOverPlan } from '@backstock/contract/further-take-over.ts'
import { Grade, GradeQuery } from '@backstock/contract/grade.ts'
import { ImportMemory, ImportMemoryQuery } from '@backstock/contract/import-memory.ts'
import { Debtor, DebtorQuery } from '@backstock/contract/letter.ts'
import { MakeQuery } from '@backstock/contract/make.ts'
import { Partner, PartnerQuery } from '@backstock/contract/partner.ts'
import { Product, ProductQuery } from '@backstock/contract/product.ts'
import { PurchaseReceiptQuery, PurchaseReceiptRow } from '@backstock/contract/purchase-receipt.ts'
import { ReverseChargeRule, ReverseChargeRuleQuery } from '@backstock/contract/reverse-charge-rule.ts'
import { SaleQuery, SaleRow } from '@backstock/contract/sale.ts'
import { StockListRow, StockQuery } from '@backstock/contract/stock.ts'
import { furtherColumn, MORE_COLUMNS } from '@backstock/contract/stock-list-columns.ts'
import { Supplier, SupplierQuery } from '@backstock/contract/supplier.ts'
import { SupplierClaimQuery, SupplierClaimRow } from '@backstock/contract/supplier-claim.ts'
import { User, UserQuery } from '@backstock/contract/user.ts'
import { Vat, VatQuery } from '@backstock/contract/vat.ts'
import { View } from '@backstock/contract/view.ts'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { ListArea } from '../crud/area.ts'
import ColumnList from '../crud/column-list.tsx'
import { ListPage } from '../crud/list-page.tsx'
import { RecordChips } from '../crud/record-chips.tsx'
import { CreatePage, EditPage } from '../crud/record-page.tsx'
import { blank } from '../testing/blank.ts'
import { drawn, NOW, type Scene } from '../testing/drawn.tsx'
import { outline } from '../testing/outline.ts'
import { testStates } from '../testing/states.tsx'
import BankEntryListPage, { list as bankEntries } from './bank-entry/list-page.tsx'
import BatchListPage, { list as batches } from './batch/list-page.tsx'
import { ChangeFields } from './bulk/change-fields.tsx'
import { type Field, noValues, type Values } from './bulk/changes.ts'
import { EditPreview } from './bulk/edit-preview.tsx'
import { list as bulkEdits } from './bulk/list-page.tsx'
import { category } from './category.tsx'
import { colour } from './colour.tsx'
import { customer } from './customer/customer.tsx'
import { list as deliveries } from './delivery-check/list-page.tsx'
import { list as documents } from './document/list-page.tsx'
import { list as furtherColumns } from './further-column.tsx'
import { grade } from './grade.tsx'
import { list as importMemory } from './import-memory.tsx'
import { make } from './make.tsx'
import { list as openItems } from './open-item/list-page.tsx'
import { partner } from './partner/partner.tsx'
import { product } from './product.tsx'
import { list as receipts } from './purchase-receipt/list-page.tsx'
import { list as returns } from './return/list-page.tsx'
import { reverseChargeRule } from './reverse-charge-rule.tsx'
import SaleListPage, { list as sales } from './sale/list/list-page.tsx'
import StockListPage, { list as stock } from './stock/list-page.tsx'
import { supplier } from './supplier.tsx'
import { list as claims } from './supplier-claim/list-page.tsx'
import { TakeOverDialog } from './take-over-dialog.tsx'
import { user } from './user.tsx'
import VatListPage from './vat/list-page.tsx'
import { vat } from './vat/vat.tsx'
import TabRow from './view/tab-row.tsx'
import ViewDialog from './view/view-dialog.tsx'

type Lists = [ListArea<never>, z.ZodType][]
const LISTS = [
  ...[
    [bankEntries, BankEntryQuery],
    [batches, BatchQuery],
    [bulkEdits, BulkEditQuery],
    [category, CategoryQuery],
  ],
  ...[
    [colour, ColourQuery],
    [customer, CustomerQuery],
    [deliveries, DeliveryCheckQuery],
    [documents, DocumentQuery],
  ],
  ...[
    [furtherColumns, FurtherColumnQuery],
    [grade, GradeQuery],
    [importMemory, ImportMemoryQuery],
    [make, MakeQuery],
  ],
  ...[
    [openItems, DebtorQuery],
    [partner, PartnerQuery],
    [product, ProductQuery],
    [receipts, PurchaseReceiptQuery],
  ],
  ...[
    [returns, CustomerReturnQuery],
    [reverseChargeRule, ReverseChargeRuleQuery],
    [sales, SaleQuery],
  ],
  ...[
    [stock, StockQuery],
    [supplier, SupplierQuery],
    [claims, SupplierClaimQuery],
    [user, UserQuery],
    [vat, VatQuery],
  ],
] as unknown as Lists

/** The filters whose value is a day; a week is its Monday. */
const DAYS = new Set(['from', 'to', 'week'])

test.each(LISTS.map(([list, query]) => [list.title, list, query] as const))(
  'the server knows each order and each filter of the list %s',
  (_, { columns, filters = [], defaultOrder }, query) => {
    const orders = columns.flatMap(({ sort }) => (sort ? [`${sort}_asc`, `${sort}_desc`] : []))
    const asked = [
      ...[...orders, ...(defaultOrder ? [defaultOrder] : [])].map((order) => ({ order_by: order })),
      ...filters.flatMap(({ name, options }) => options.map(({ value }) => ({ [name]: value }))),
      ...filters
        .filter(({ options }) => options.length === 0)
        .map(({ name }) => ({ [name]: DAYS.has(name) ? '2026-03-02' : '7' })),
    ]
    for (const one of asked) {
      const { success, data } = query.safeParse(one)
      expect(success, JSON.stringify(one)).toBe(true)
      // A value that filters nothing is none.
      const name = 'order_by' in one ? 'order' : Object.keys(one).join()
      expect(data, JSON.stringify(one)).toHaveProperty(name, expect.anything())
    }
  },
)

/** All of an area but its code: columns with their places and orders, filters, fields, texts. Code has only its name. */
function factsOf(area: object): string {
  const plain = (_: string, value: unknown) => {
    if (typeof value === 'function') return `(${value.name})`
    const { displayName } = (value ?? {}) as { displayName?: string }
    return displayName === undefined ? value : `(${displayName})`
  }
  return JSON.stringify(area, plain, 1)
    .replaceAll(/^ *[\]}[{],?\n/gm, '')
    .replaceAll(/[",]/g, '')
}

test.each(LISTS.map(([list]) => [list.title, list] as const))('the facts of the list %s', (_, list) => {
  expect(factsOf(list)).toMatchSnapshot()
})

const emptyPage = { data: [], total: 0, current_page: 1, last_page: 1, from: 0, to: 0, per_page: 10 }

/** The list with these rows. */
function rows(list: ListArea<never>, all: object[], scene: Scene = {}, part = <ListPage area={list} />) {
  const page = { data: all, total: all.length, current_page: 1, last_page: 1, from: 1, to: all.length, per_page: 10 }
  const read = ([area, kind]: readonly unknown[]) => (area === list.area && kind === 'find' ? page : undefined)
  return { part, at: list.area, read: scene.read ?? read, ...scene }
}
const colleague: Scene = { role: 'ROLE_USER' }

const HIDING = [
  [bankEntries, '', '3 in other states'],
  [documents, '&status=failed', '3 in other states'],
  [documents, '&kind=invoice', '3 of another kind'],
  [documents, '&handover=open', '3 of another state'],
  [openItems, '', '3 with nothing overdue'],
  [receipts, '&kind=private', '3 of another kind'],
  [returns, '&state=settled', '3 in other states'],
  [claims, '&state=settled', '3 in other states'],
] as unknown as [ListArea<never>, string, string][]
test.each(HIDING.map(([list, at, words]) => [list.title, words, list, at] as const))(
  'a search without hits in the list %s says how many a filter hides: %s',
  async (_, words, list, at) => {
    const read = ([area, kind, query]: readonly unknown[]) => {
      if (area !== list.area || kind !== 'find') return undefined
      return { ...emptyPage, total: (query as { per_page?: number }).per_page === 1 ? 3 : 0 }
    }
    const { part, ...scene } = rows(list, [], { at: `${list.area}?search=X1${at}`, read })
    expect(outline(await drawn(part, scene))).toContain(words)
  },
)

test('a list counts the hits that a filter hides beside those that it shows, and says if there are more', async () => {
  const beside = async (count: number, is_more: boolean) => {
    const read = ([area, what]: readonly unknown[]) => {
      if (area !== 'stock') return undefined
      return what === 'find' ? { ...emptyPage, total: 2, from: 1, to: 2 } : { count, is_more }
    }
    const { part, ...scene } = rows(stock as never, [], { at: 'stock?search=X1', read })
    return outline(await drawn(part, scene)).filter((line) => line.includes('in other statuses'))
  }
  expect(await beside(3, false)).toEqual(['3 in other statuses'])
  expect(await beside(100, true)).toEqual(['100+ in other statuses'])
  expect(await beside(0, false)).toEqual([])
})

test('an empty list says that its filter hides one entry', async () => {
  const read = ([area, kind, query]: readonly unknown[]) => {
    if (area !== batches.area || kind !== 'find') return undefined
    return { ...emptyPage, total: (query as { per_page?: number }).per_page === 1 ? 1 : 0 }
  }
  const { part, ...scene } = rows(batches as never, [], { read })
  expect(outline(await drawn(part, scene))).toContain('1 entry is hidden by the filter Owner.')
})

/** A list without rows, of which filters and the search hide so many. */
const empty = (list: ListArea<never>, at: string, hidden: number) => {
  const read = ([area, kind, query]: readonly unknown[]) => {
    if (area !== list.area || kind !== 'find') return undefined
    const { per_page, search } = query as { per_page?: number; search?: string }
    return { ...emptyPage, total: per_page === 1 && !search ? hidden : 0 }
  }
  return rows(list, [], { at: `${list.area}${at}`, read })
}
testStates('an empty list', empty(documents as never, '', 5), {
  'of which a filter hides one': empty(documents as never, '?kind=invoice', 1),
  'of which filters hide many': empty(documents as never, '?kind=invoice&customer_id=4', 1_200),
  'of which a filter hides nothing': empty(documents as never, '?kind=invoice', 0),
  'that a search hides': empty(documents as never, '?search=X1', 3),
  'that a search and a filter of a customer hide': empty(documents as never, '?search=X1&customer_id=4', 3),
  'that a search and a filter of a kind hide': empty(documents as never, '?search=X1&kind=invoice', 3),
  'of a usual filter that hides some': empty(openItems as never, '', 3),
  'to which records are added': empty(colour as never, '?search=X1', 3),
})

const chips = (n: number) => {
  const ids = Array.from({ length: n }, (_, at) => String(at + 1))
  return {
    part: <RecordChips area="supplier" label="Supplier" ids={ids} onChange={() => {}} />,
    read: () => ({ ...emptyPage, data: [{ id: 1, company_name: 'Foxway' }, { id: 2 }] }),
  }
}
testStates('the chips of chosen suppliers', chips(3), { 'of which there are many': chips(1_021) })

testStates(
  'bank statements',
  rows(
    bankEntries as never,
    [
      blank(BankEntry, { id: 1, amount: 5_000, name: 'Ute', iban: 'DE1', remittance: 'R-1', state: 'open' }),
      blank(BankEntry, {
        id: 2,
        amount: -5_000,
        iban: 'DE2',
        end_to_end: 'E2E',
        is_reversal: true,
        state: 'partly',
        booked: -2_000,
        payments: [{ id: 1, sale_id: 4, invoice_number: null, buyer_name: 'Bob', amount: -2_000 }],
      }),
      blank(BankEntry, {
        id: 3,
        amount: 5_000,
        state: 'open',
        proposal: {
          is_sure: true,
          why: 'It names the invoice.',
          payments: [{ sale_id: 5, invoice_number: 'R-5', buyer_name: 'Eva', open_amount: 5_000, amount: 5_000 }],
        },
      }),
      ...[true, false].map((is_sure, n) =>
        blank(BankEntry, {
          ...{ id: n + 6, amount: 5_000, booked: n * 1_000, state: n ? 'partly' : 'open' },
          proposal: {
            ...{ is_sure, why: 'It names both.' },
            payments: [6, 7].map((sale_id) => ({
              ...{ sale_id, invoice_number: null, buyer_name: 'Eva', open_amount: 2_500, amount: 2_500 },
            })),
          },
        }),
      ),
      blank(BankEntry, { id: 4, state: 'booked', amount: 100 }),
      blank(BankEntry, { id: 5, state: 'aside', name: 'Tax office' }),
    ],
    {},
    <BankEntryListPage />,
  ),
  {
    'for a colleague': rows(bankEntries as never, [], colleague, <BankEntryListPage />),
    'without entries': rows(bankEntries as never, [], {}, <BankEntryListPage />),
    'with none of the chosen states': rows(bankEntries as never, [], { at: 'bank-entry?state=booked' }),
  },
)
testStates(
  'batches',
  rows(
    batches as never,
    [
      blank(BatchRow, { id: 1, name: 'One', items_count: 1_204, total_sales_price: 500, unpriced_items: 4 }),
      blank(BatchRow, { id: 2, name: 'Two', items_count: 3, unpriced_items: 3, is_locked: true }),
      blank(BatchRow, { id: 3, name: 'Three' }),
    ],
    {},
    <BatchListPage />,
  ),
  { 'of all owners': rows(batches as never, [], { at: 'batch?user_id=' }) },
)
testStates(
  'bulk edits',
  rows(bulkEdits as never, [
    blank(BulkEdit, { id: 1, message: 'Price', check_id: 4, can_undo: true }),
    blank(BulkEdit, { id: 2, message: 'Received', import_id: 5 }),
    blank(BulkEdit, { id: 3, undone_at: NOW, undone_by_name: 'Bea', kept_count: 1 }),
    blank(BulkEdit, { id: 4, undone_at: NOW, undone_by_name: 'Bea', kept_count: 0 }),
    blank(BulkEdit, { id: 5, undone_at: NOW, undone_by_name: 'Bea', kept_count: 1_200 }),
  ]),
  { none: rows(bulkEdits as never, [], { at: 'stock/bulk?ids=5,x' }) },
)
const previewed = (said: Partial<BulkPreview>, dimmed = false) => ({
  part: <EditPreview preview={blank(BulkPreview, said)} dimmed={dimmed} />,
})
const changed = (said: Partial<PreviewedItem>) =>
  blank(BulkPreview.shape.rows.element, {
    ...{ id: 7, product_display_name: 'iPhone 13', imei: '359990123456789', grade_name: 'A' },
    changes: [
      { attributeName: 'location', from: 'A1', to: 'B2' },
      { attributeName: 'supplier', from: null, to: 'Foxway' },
    ],
    ...said,
  })
const wrong = { line: 1_204, text: '35x', problem: 'It is no IMEI.' }
testStates('the preview of a bulk edit', previewed({ unchanged: 1 }), {
  'that changes an item': previewed({ will_change: 1, rows: [changed({})] }),
  'that is being made': { part: <EditPreview preview={undefined} dimmed={false} /> },
  'of what was typed before': previewed({ unchanged: 1 }, true),
  'of more items than it shows': previewed({
    will_change: 1_200,
    unchanged: 2,
    rows: [changed({}), changed({ id: 8, imei: null, serial_number: 'C39', grade_name: null })],
  }),
  'with an item that cannot be changed': previewed({ refused: [{ reason: 'It is Sold.', count: 1, ids: [5] }] }),
  'with many items that cannot be changed': previewed({
    refused: [
      { reason: 'It is Sold.', count: 1_004, ids: [5, 6] },
      { reason: 'It is Deleted.', count: 2, ids: [9, 10] },
    ],
  }),
  'of pasted lines of which one is wrong': previewed({ unchanged: 1, pasted: { right: 1, wrong: 1, lines: [wrong] } }),
  'of pasted lines of which two are wrong': previewed({
    unchanged: 1,
    pasted: { right: 1, wrong: 2, lines: [wrong, { ...wrong, line: 1_205 }] },
  }),
  'of pasted lines of which more are wrong than it shows': previewed({
    unchanged: 2,
    pasted: { right: 2, wrong: 1_300, lines: [wrong] },
  }),
  'of pasted lines that are all right': previewed({ will_change: 1, pasted: { right: 1, wrong: 0, lines: [] } }),
  'of items with purchase receipts': previewed({ receipts: 'Two receipts will still say the old price.' }),
})
testStates(
  'deliveries',
  rows(deliveries as never, [
    blank(DeliveryCheckRow, {
      id: 1,
      name: 'Monday',
      supplier_name: 'Foxway',
      scanned_count: 1_000,
      expected_count: 1_200,
    }),
  ]),
  {
    none: rows(deliveries as never, []),
    'of a supplier': rows(deliveries as never, [], { at: 'stock/check?supplier_id=5,x' }),
  },
)
const paper = (said: Partial<Document>) =>
  blank(Document, { id: 1, number: 'R-1', sale_id: 4, buyer_name: 'Ute', ...said })
testStates(
  'documents',
  rows(documents as never, [
    paper({ status: 'ready', total_gross: 500 }),
    paper({ id: 2, kind: 'credit_note', number: 'G-2', status: 'ready', left_at: NOW, total_gross: 300 }),
    paper({ id: 3, status: 'ready', left_at: NOW, replaced_by_id: 1 }),
    paper({ id: 4, status: 'failed' }),
    paper({ id: 5, status: 'pending' }),
    paper({ id: 6, status: 'none' }),
    paper({ id: 7, status: 'ready', profile: 'xrechnung', left_at: NOW }),
    paper({
      id: 8,
      status: 'ready',
      profile: 'peppol',
      handover: { state: 'done', file_name: 'a.xml', error: null, person: 'Bea', at: NOW },
    }),
  ]),
  {
    none: rows(documents as never, [], { at: 'document?kind=invoice&customer_id=4' }),
    'with an e-invoice that is being handed over, and others that may be or not': rows(
      documents as never,
      [
        paper({
          status: 'ready',
          profile: 'peppol',
          handover: { state: 'waiting', file_name: 'a.xml', error: null, person: 'Bea', at: NOW },
        }),
        paper({ id: 2, number: 'R-2', status: 'failed', profile: 'peppol' }),
        paper({ id: 3, number: 'R-3', status: 'ready', profile: 'xrechnung', is_void: true }),
        paper({ id: 4, number: 'R-4', status: 'none', profile: 'peppol' }),
        paper({ id: 5, number: 'R-5', status: 'ready' }),
        paper({
          ...{ id: 6, number: 'R-6', status: 'ready', profile: 'peppol' },
          handover: { state: 'failed', file_name: 'a.xml', error: 'Refused.', person: null, at: NOW },
        }),
        paper({
          ...{ id: 7, number: 'R-7', status: 'ready', profile: 'peppol' },
          handover: { state: 'done', file_name: 'a.xml', error: null, person: null, at: NOW },
        }),
      ],
      { at: 'document?handover=open,waiting,done,failed', hasConnector: true },
    ),
  },
)
test('the list of documents is read again while a file is made or handed over', () => {
  const handover = (state: 'waiting' | 'done' | 'failed') => ({
    state,
    file_name: 'a',
    error: null,
    person: null,
    at: NOW,
  })
  const all = [
    paper({ status: 'pending' }),
    paper({ status: 'ready', handover: handover('waiting') }),
    paper({ status: 'ready', handover: handover('done') }),
    paper({ status: 'failed', handover: handover('failed') }),
    paper({ status: 'none' }),
  ]
  expect(all.map((one) => documents.isUnderWay?.(one))).toEqual([true, true, false, false, false])
})
testStates(
  'further columns',
  rows(furtherColumns as never, [
    blank(FurtherColumn, { id: 1, name: 'Colour code', partner_name: 'Shop' }),
    blank(FurtherColumn, { id: 2, name: 'Box' }),
  ]),
  { none: rows(furtherColumns as never, []) },
)
const remembered = (said: Partial<ImportMemory>) =>
  blank(ImportMemory, { supplier_name: 'Foxway', said_by_name: 'Bea', ...said })
testStates(
  'what imports remember',
  rows(importMemory as never, [
    remembered({ id: 1, kind: 'column', name: 'EK', means: 'purchase_price' }),
    remembered({ id: 2, kind: 'value' as never, field: 'colour' as never, name: 'Blau', means: 'Blue' }),
    remembered({ id: 3, kind: 'default', field: 'category' as never, name: '', means: 'Phone', supplier_name: null }),
    remembered({ id: 4, kind: 'default', field: 'purchase_fx_rate' as never, name: 'USD', means: '0.9' }),
  ]),
  { none: rows(importMemory as never, []) },
)
testStates(
  'customers who owe',
  rows(openItems as never, [
    blank(Debtor, {
      id: 1,
      full_name: 'Ute',
      company_name: 'Kern AG',
      open_total: 900,
      overdue_total: 500,
      overdue_sales: 2,
      oldest_due_on: '2026-02-01',
      last_level: 2,
      last_reminded_on: '2026-02-20',
    } as never),
    blank(Debtor, { id: 2, full_name: 'Bob', credit_total: 300 }),
  ]),
  {
    none: rows(openItems as never, []),
    'nobody at all': rows(openItems as never, [], { at: 'open-item?overdue=' }),
  },
)
testStates(
  'purchase receipts',
  rows(receipts as never, [
    blank(PurchaseReceiptRow, {
      id: 1,
      number: 'P-1',
      file_state: 'ready',
      total: 500,
      currency: 'EUR',
      items_count: 2,
    }),
    blank(PurchaseReceiptRow, {
      id: 2,
      number: 'P-2',
      file_state: 'ready',
      total: 500,
      currency: 'EUR',
      cancels_id: 1,
      cancels_number: 'P-1',
    }),
    blank(PurchaseReceiptRow, { id: 3, number: 'P-3', file_state: 'failed', cancels_id: 1, cancels_number: 'P-1' }),
    blank(PurchaseReceiptRow, { id: 4, number: 'P-4', file_state: 'pending', cancelled_by_number: 'P-5' }),
  ]),
  { none: rows(receipts as never, [], { at: 'purchase-receipt?stock_id=7' }) },
)
testStates(
  'returns',
  rows(returns as never, [
    blank(CustomerReturnRow, {
      id: 1,
      customer_name: 'Ute',
      items_count: 1,
      items_received: 1,
      state: 'settled',
      total_credited: 500,
    }),
    blank(CustomerReturnRow, { id: 2, state: 'received', items_count: 1_200, items_received: 1_000, note: 'Box' }),
    blank(CustomerReturnRow, { id: 3, state: 'announced', items_count: 2 }),
  ]),
  {
    none: rows(returns as never, []),
    'none, of one customer': rows(returns as never, [], { at: 'return?customer_id=4' }),
    'none, of a customer who cannot be': rows(returns as never, [], { at: 'return?customer_id=4x' }),
  },
)
testStates(
  'supplier claims',
  rows(claims as never, [
    blank(SupplierClaimRow, { id: 1, supplier_name: 'Foxway', items_count: 1, total_cost: 500 }),
    blank(SupplierClaimRow, {
      id: 2,
      state: 'settled',
      items_count: 2,
      total_cost: 500,
      credit_expected: 400,
      credit_received: 300,
      sent_at: NOW,
    }),
  ]),
  {
    none: rows(claims as never, [], { at: 'supplier-claim?supplier_id=7' }),
  },
)
testStates(
  'sales',
  rows(
    sales as never,
    [
      blank(SaleRow, {
        id: 1,
        customer_name: 'Ute',
        customer_company_name: 'Kern AG',
        reference_number: 'PO',
        invoice_number: 'R-1',
        total_items: 2,
        payment_state: 'Partly paid',
        open_amount: 300,
        due_on: '2026-03-01',
      }),
      blank(SaleRow, {
        id: 2,
        customer_name: 'Bob',
        status: 'Awaiting Dispatch',
        payment_state: 'Refund due',
        open_amount: -300,
        due_on: '2026-03-01',
      }),
      blank(SaleRow, { id: 3, status: 'Dispatched', payment_state: 'Paid', email_sent: true }),
      blank(SaleRow, { id: 4, status: 'Voided', payment_state: 'Nothing due' }),
      blank(SaleRow, { id: 5, status: 'Requires Attention', payment_state: 'Overdue', open_amount: 100 }),
    ],
    {},
    <SaleListPage />,
  ),
  {
    none: rows(sales as never, [], {}, <SaleListPage />),
    'none, of one week': rows(sales as never, [], { at: 'sale?week=2026-03-02' }, <SaleListPage />),
    'of which some are voided or credited': rows(
      sales as never,
      [],
      {
        at: 'sale?payment=Paid',
        read: ([area, what]) => {
          if (area !== 'sale') return undefined
          const sums = { sales: 1_203, voided: 3, net: 50_000, vat: 9_500, gross: 59_500, returned: 11_900 }
          return what === 'sums' ? sums : what === 'find' ? { ...emptyPage, total: 1_203 } : undefined
        },
      },
      <SaleListPage />,
    ),
  },
)
testStates(
  'stock',
  rows(
    stock as never,
    [
      blank(StockListRow, {
        id: 1,
        status: 'In Stock',
        product_display_name: 'iPhone 13 128 GB',
        imei: '359990123456789',
        grade_name: 'A',
        purchase_currency: 'EUR',
        purchase_price: 100,
        sales_price: 200,
      } as never),
      blank(StockListRow, {
        id: 2,
        status: 'Sold',
        serial_number: 'C39',
        purchase_currency: 'USD',
        purchase_price: 100,
        cost: 90,
      } as never),
    ],
    {},
    <StockListPage />,
  ),
  {
    none: rows(stock as never, [], { at: 'stock?status=&search=x' }),
    'that is Inbound': rows(stock as never, [], { at: 'stock?status=Inbound' }, <StockListPage />),
    'that is Inbound or sold': rows(stock as never, [], { at: 'stock?status=Inbound,Sold' }, <StockListPage />),
    'with filters of each kind': rows(
      stock as never,
      [],
      { at: 'stock?unpriced=true&age=over-90&price_from=5050&network_locked=false&import=7' },
      <StockListPage />,
    ),
    'with all further columns': rows(
      stock as never,
      [
        blank(StockListRow, {
          id: 1,
          imei: '359990000000001',
          imei2: '359990000000002',
          serial_number: 'C39',
          backstock_id: 'BS-1',
          grade_name: 'A',
          functional: 'minor faults',
          battery_health: 87,
          category_name: 'Phone',
          supplier_name: 'Foxway',
          batch_id: 5,
          batch_name: 'May',
          location: 'Shelf 4',
          purchase_date: '2026-02-03',
          age: 1_030,
          cost: 8_000,
          sales_price: 10_000,
          vat_name: 'Margin',
          network_locked: true,
          engineer_notes: 'Scratch',
          further: { Box: 'yes' },
        }),
        blank(StockListRow, { id: 2 }),
      ],
      { at: `stock?columns=${[...MORE_COLUMNS, furtherColumn('Box')].join(',')}` },
      <StockListPage />,
    ),
  },
)
testStates(
  'rates of VAT',
  rows(
    vat as never,
    [
      blank(Vat, { id: 1, name: 'Zero', rate: 0, treatment: null }),
      blank(Vat, { id: 2, name: 'Other', rate: 0, treatment: null }),
      blank(Vat, { id: 3, name: 'Margin', rate: 0, treatment: 'margin' }),
      blank(Vat, { id: 4, name: 'Full', rate: 19, treatment: 'standard' as never }),
    ],
    {},
    <VatListPage />,
  ),
  {
    'for a colleague': rows(vat as never, [], colleague, <VatListPage />),
    'none, of a company without a country': rows(
      vat as never,
      [],
      { read: ([area]) => (area === 'company' ? blank(Company) : emptyPage) },
      <VatListPage />,
    ),
    'none, of a company in Germany': rows(
      vat as never,
      [],
      { read: ([area]) => (area === 'company' ? blank(Company, { country_code: 'DE' }) : emptyPage) },
      <VatListPage />,
    ),
  },
)
testStates('colours', rows(colour as never, []), {
  'with one': rows(colour as never, [{ id: 7, name: 'Blue' }]),
})

type Form = Parameters<typeof EditPage<never, object>>[0]['area']
const edit = (area: unknown, row: object, scene: Scene = {}) => {
  const form = area as Form
  return {
    part: <EditPage area={form} />,
    at: `${form.area}/edit/7`,
    row: { updated_at: NOW, logs: [], ...row, id: 7 },
    ...scene,
  }
}
const create = (area: unknown, scene: Scene = {}) => {
  const form = area as Form
  return { part: <CreatePage area={form} />, at: `${form.area}/create`, ...scene }
}
test('the address of a form that names no record says so', async () => {
  const { part, at } = edit(grade, {}, { at: 'grade/edit/x' })
  expect(outline(await drawn(part, { at }))).toContain('<p max-width:30rem>There is no such record.')
})
for (const [list, schema, said] of [
  [category, Category, { name: 'Phone', is_reverse_charge_good: true }],
  [
    customer,
    Customer,
    {
      first_name: 'Ute',
      last_name: 'Kern',
      full_name: 'Ute Kern',
      lang: 'de',
      payment_days: 14,
      debtor_number: 10_001,
      vat_number: 'DE123456789',
    },
  ],
  [grade, Grade, { name: 'A', position: 3, description: 'Like new' }],
  [partner, Partner, { name: 'Shop', customer_id: 4, customer_name: 'Ute' }],
  [product, Product, { model: 'iPhone 13', capacity: 128, capacity_unit: 'GB', active: true, image_url: 'https://x' }],
  [
    reverseChargeRule,
    ReverseChargeRule,
    {
      country: 'Germany',
      country_code: 'DE',
      threshold: 500_000,
      threshold_currency: 'EUR',
      resellers_any: true,
      series: 'ISP',
      note: 'Law',
    },
  ],
  [
    supplier,
    Supplier,
    {
      company_name: 'Foxway',
      vat_number: 'EE1',
      country_code: 'EE',
      default_purchase_treatment: 'margin',
      receipt_kind: 'private',
    },
  ],
  [user, User, { name: 'Bea', email: 'bea@example.com', role: 'ROLE_ADMIN' }],
  [vat, Vat, { name: 'Exempt', rate: 0, treatment: 'exempt', exemption_text: 'Law', exemption_code: 'VATEX' }],
] as [ListArea<never>, z.ZodObject, object][]) {
  const row = blank(schema, { ...said } as never)
  const listed = { id: 7, ...row }
  testStates(
    `${list.title}: list`,
    rows(list, [
      { ...listed, id: 7 },
      { ...blank(schema), id: 8 },
    ]),
    {
      'for a colleague': rows(list, [{ ...listed, id: 7 }], colleague),
      none: rows(list, []),
    },
  )
  testStates(`${list.title}: form`, edit(list, row), {
    'for a colleague': edit(list, row, colleague),
    'with nothing in it': edit(list, blank(schema)),
    'of a new one': create(list),
    'of a new one, for a colleague': create(list, colleague),
  })
}
testStates(
  'rules on reverse charge',
  rows(reverseChargeRule as never, [blank(ReverseChargeRule, { id: 7, valid_to: '2026-03-05' })]),
  {
    'of which one has ended': rows(reverseChargeRule as never, [
      blank(ReverseChargeRule, { id: 7, valid_to: '2026-03-04' }),
    ]),
  },
)
testStates(
  'the balance in the list of customers',
  rows(customer as never, [blank(Customer, { id: 7, full_name: 'Ute', open_total: 900, overdue_total: 500 })]),
  {
    'of a customer who gets money back': rows(customer as never, [
      blank(Customer, { id: 7, full_name: 'Ute', refund_total: 300 }),
    ]),
  },
)
const invoicedAs = (buyer_reference: string) => edit(customer, blank(Customer, { full_name: 'Ute', buyer_reference }))
testStates('the reference of a customer', invoicedAs('PO 5'), {
  'that is a Leitweg-ID': invoicedAs('04011000-1234512345-06'),
  'that is a mistyped Leitweg-ID': invoicedAs('04011000-1234512345-07'),
})
testStates('the receipts of a supplier', edit(supplier, blank(Supplier, { company_name: 'Foxway' })), {
  'for a private person': edit(supplier, blank(Supplier, { company_name: 'Foxway', receipt_kind: 'private' })),
  'for a self-billed dealer': edit(supplier, blank(Supplier, { company_name: 'Foxway', receipt_kind: 'self_billed' })),
})
testStates('a rate of 0', edit(vat, blank(Vat, { name: 'Zero' })), {
  'whose name suggests nothing': edit(vat, blank(Vat, { name: 'Reverse charge' })),
  'whose name suggests an exemption': edit(vat, blank(Vat, { name: 'Umsatzsteuerfrei' })),
})

const changing = (fields: readonly Field[], said: Partial<Values> = {}) => {
  const values = { ...noValues(), ...said }
  const nothing = () => {}
  const fixed = { problems: {}, isOrdered: false, readOnly: false, onFields: nothing, onChange: nothing }
  return { part: <ChangeFields {...{ fields, values, ...fixed }} /> }
}
const none = { id: null, none: true }
const how = (how: Values['sales_price']['how']) => ({ ...noValues().sales_price, how })
testStates('the fields of a bulk edit', changing([]), {
  'that are emptied': changing(['location', 'grade_id', 'supplier_id', 'batch_id', 'vat_type_id'], {
    ...{ location: { text: '', none: true }, grade_id: none, supplier_id: none, batch_id: none, vat_type_id: none },
  }),
  ...Object.fromEntries(
    (['set', 'add', 'sales', 'cost', 'pasted', 'none'] as const).map((way) => [
      `of the sales price: ${way}`,
      changing(['sales_price'], { sales_price: how(way) }),
    ]),
  ),
  ...Object.fromEntries(
    (['set', 'add', 'cost', 'sales'] as const).map((way) => [
      `of the purchase price: ${way}`,
      changing(['purchase_price'], { purchase_price: how(way) }),
    ]),
  ),
})

const taking = (plan?: Partial<TakeOverPlan>, name = 'Battery') => ({
  part: <TakeOverDialog column={blank(FurtherColumn, { id: 7, name })} onClose={() => {}} />,
  read: ([, what]: readonly unknown[]) =>
    what === 'take-over' && plan ? blank(TakeOverPlan, { field: 'battery_health', ...plan }) : undefined,
})
testStates('the copy of a further column into a field', taking({ fits: 1 }), {
  'that is named after a test': taking({ fits: 1 }, 'Fully working'),
  'that is named after a place': taking({ fits: 1 }, 'Shelf'),
  'that is not read yet': taking(),
  'that fits no item': taking({}),
  'that fits many items': taking({ fits: 12_000 }),
  'that leaves an item as it is': taking({ fits: 2, own: 1, gone: 1, wrong: 1 }),
  'that leaves items as they are': taking({
    ...{ fits: 2, own: 1_200, gone: 3, wrong: 2 },
    values: [{ value: 'good', items: 2, reason: 'It is no number.' }],
  }),
})

const view = (said: Partial<View>) =>
  blank(View, { id: 3, area: 'sale', name: 'Open', created_by_name: 'Bea', ...said })
const tabs = (views: View[], at = 'sale') => ({
  part: <TabRow list={sales as never} />,
  at,
  read: ([area]: readonly unknown[]) =>
    area === 'view' ? { ...emptyPage, data: views, total: views.length } : undefined,
})
testStates('the tabs of a list', tabs([]), {
  'with views': tabs([view({ shared: true }), view({ id: 4, name: 'Mine', created_by: 1 })]),
  'in a view': tabs([view({ created_by: 1 })], 'sale?view=3'),
  'in a view that is changed': tabs([view({ created_by: 1 })], 'sale?view=3&search=X'),
  'in a view that is not there': tabs([], 'sale?view=3'),
  'in no view, with a filter': tabs([view({ created_by: 1 })], 'sale?payment=Paid'),
  'in a changed view that a colleague shares': tabs([view({ shared: true, created_by: 2 })], 'sale?view=3&search=X'),
  'in a changed view that a colleague shares with one who is no administrator': {
    ...tabs([view({ shared: true, created_by: 2 })], 'sale?view=3&search=X'),
    ...colleague,
  },
})
const naming = (said?: Partial<View>) => ({
  part: <ViewDialog list={sales as never} {...(said && { view: view(said) })} onClose={() => {}} />,
})
testStates('the name of a view', naming(), {
  'that only one sees oneself': naming({ created_by: 1 }),
  'that one shares': naming({ shared: true, created_by: 1 }),
  'that a colleague shares': naming({ shared: true, created_by: 2 }),
})

const usual = stock.choice?.usual ?? []
const all = [...usual, 'location']
const columnList = (columns: readonly string[]) => ({
  part: <ColumnList choice={stock.choice as never} columns={columns} onChange={() => {}} />,
  read: () => all.map((name) => ({ name, title: name })),
})
testStates('the columns of a list', columnList(usual), { 'that are all shown': columnList(all) })
