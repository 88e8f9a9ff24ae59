import { ImportDetail, ImportEntry } from '@backstock/contract/import.ts'
import {
  ImportPreview,
  NAMED_FIELDS,
  PreviewColumn,
  PreviewRow,
  type UnknownName,
} from '@backstock/contract/import-preview.ts'
import { blank } from '../../testing/blank.ts'
import { NOW, type Scene } from '../../testing/drawn.tsx'
import { testStates } from '../../testing/states.tsx'
import ImportHistoryPage from './history/page.tsx'
import ImportPreviewPage from './preview/page.tsx'

const detail = (said: Partial<ImportDetail>) =>
  blank(ImportDetail, { success: true, type: 'created', row: 2, id: 5, ...said })
type Data = Partial<ImportEntry['content']['data']>
const entry = (said: Partial<ImportEntry>, data: Data = {}) => {
  const counts = { processed_rows: 1_200, successed_rows: 1_199, failed_rows: 1, details: [], details_total: 0 }
  const content = { data: { ...counts, ...data } }
  const usual = { id: 7, user_id: 1, user_name: 'Anna', file_name: 'a.csv', state: 'done', time_ago: 'today' } as const
  return blank(ImportEntry, { ...usual, ...said, content } as Partial<ImportEntry>)
}
const history = (entries: ImportEntry[], at = 'history') => {
  const page = {
    data: entries,
    total: entries.length,
    current_page: 1,
    last_page: 1,
    from: 1,
    to: entries.length,
    per_page: 10,
  }
  const read = (key: readonly unknown[]) => (key.includes('history') ? page : undefined)
  return { part: <ImportHistoryPage />, at: `stock/import/${at}`, read }
}
testStates('the history', history([entry({})]), {
  empty: history([]),
  'with nothing of a kind': history([], 'history?type=api_import'),
  'with imports in each state': history([
    entry({ state: 'waiting', user_id: 2, user_name: null }),
    entry({ id: 8, state: 'running', file_name: null }, { failed_rows: 0 }),
    entry({ id: 9, state: 'failed', type: 'api_import', user_id: null, partner_name: 'Shop' }),
    entry({ id: 10, undo: 'waiting' }),
    entry({ id: 11, undo: 'undoing' }),
    entry({ id: 12, undo: 'undone' }),
    entry({ id: 13, undo: 'failed' }),
  ]),
  'with somebody else’s newest import': history([entry({ user_id: 2, user_name: 'Bea' })]),
  'with one’s own import of two days ago': history([entry({ created_at: '2026-03-03T11:00:00Z' })]),
  'with one’s own stopped import': history([entry({ state: 'failed', error: 'The disk is full.' })]),
  'with an open entry': history(
    [
      entry(
        { can_undo: true, error: 'It broke off.' },
        {
          details_total: 300,
          details: [
            detail({ success: false, type: 'failed', id: null, message: { imei: 'Wrong.', price: 'Missing.' } }),
            detail({ row: 3, message: 'Row 3', of_row: 2 }),
            detail({ row: 4, type: 'updated', message: 'Updated' }),
            detail({ row: 5, type: 'unchanged', message: 'Unchanged' }),
            detail({ row: 6, id: null, message: 'Removed' }),
          ],
        },
      ),
    ],
    'history?id=7',
  ),
})

const column = (said: Partial<PreviewColumn>) =>
  blank(PreviewColumn, {
    name: 'EK',
    field: 'purchase_price',
    how: 'alias',
    samples: ['1', '2'],
    ...said,
  } as Partial<PreviewColumn>)
const previewed = (said: Partial<ImportPreview>): ImportPreview =>
  blank(ImportPreview, {
    import_id: 7,
    file_name: 'a.csv',
    state: 'previewed',
    total_rows: 12,
    delimiter: ';',
    encoding: 'utf-8',
    decimal: ',',
    header_row: 1,
    top: [{ row: 1, text: 'Brand Model' }],
    columns: [column({})],
    counts: { new: 10, updated: 1, unchanged: 1, failed: 0 },
    // Otherwise the screen asks the browser whether somebody looks at it.
    stale: { by: 'import', import_id: 6, file_name: 'b.csv', is_over: true },
    ...said,
  } as Partial<ImportPreview>)
const plan = (said: Partial<ImportPreview>, rows: PreviewRow[] = [], scene: Scene = {}) => {
  const page = { data: rows, total: rows.length, current_page: 1, last_page: 1, from: 1, to: rows.length, per_page: 10 }
  const read = (key: readonly unknown[]) =>
    key.includes('rows') ? page : key[1] === 'preview' && key[2] === 7 ? previewed(said) : undefined
  return { part: <ImportPreviewPage />, at: 'stock/import/preview/7', read, ...scene }
}
const row = (said: Partial<PreviewRow>) =>
  blank(PreviewRow, { row: 2, kind: 'new', cells: ['100'], ...said } as Partial<PreviewRow>)
const unknown = (said: Partial<UnknownName>): UnknownName => ({
  ...{ field: 'product', seen: 'iPhone 99', rows: 1_200, is_made: true, nearest: [] },
  ...said,
})
const counts = { new: 0, updated: 0, unchanged: 0, failed: 12 }
const reason = { field: 'category', message: 'A new product needs a category.', rows: 12, first_row: 4, asks: null }
const by = { by: 'Bea', at: NOW }
testStates('a preview', plan({}), {
  'that is being made': plan({ state: 'previewing', progress: 40 }),
  'whose file cannot be read': plan({ state: 'failed', error: 'This is no CSV file.' }),
  'whose rows all fail': plan({ counts, reasons: [reason] }),
  'whose rows fail for reasons that a person can settle': plan({
    counts: { ...counts, new: 3 },
    reasons: [
      { ...reason, asks: 'category' },
      { ...reason, field: 'purchase_price', message: 'Missing.', asks: 'price', rows: 1 },
      { ...reason, field: 'imei', message: 'Exists already.', asks: 'update' },
      { ...reason, field: 'make', message: 'Missing.', asks: 'make' },
    ],
  }),
  'that is stale, by an undo that goes on': plan({
    stale: { by: 'undo', import_id: 6, file_name: null, is_over: false },
  }),
  'that is stale, by items': plan({
    stale: { by: 'items', import_id: null, file_name: null, is_over: true, items: 2 },
  }),
  'of a workbook': plan({
    format: 'xlsx',
    delimiter: null,
    encoding: null,
    sheets: ['Stock', 'Sold'],
    sheet: 'Stock',
    leaves_out_hidden: true,
    notes: [
      { kind: 'hidden_rows', count: 2, where: [] },
      { kind: 'no_result', count: 1, where: ['I2'] },
    ],
  }),
  'with open questions': plan({
    encoding: 'windows-1252',
    encoding_guessed: true,
    decimal: 'mixed',
    dates: null,
    asked: ['decimal', 'dates'],
    header_row: null,
    titles: ['List of May'],
    update_existing: true,
    several: { rows: 4, items: 13, means: null, left_out: ['Qty', 'Total'], is_total: true },
    dollar: { rows: 3, means: 'USD', remembered: null },
    currencies: [
      { currency: 'PLN', rows: 2, rate: null, remembered: null, proposed: { rate: '4.3', date: '2026-02-01' } },
      { currency: 'CZK', rows: 1, rate: '25', remembered: by, proposed: null },
    ],
    proposed: { purchase_currency: 'USD', purchase_date: '2026-02-03' },
  }),
  'with answers': plan({
    dates: 'month',
    decimal: '.',
    several: { rows: 1, items: 2, means: 'phone', left_out: [], is_total: false },
    dollar: { rows: 1, means: 'CAD' as never, remembered: by },
    supplier: { id: 5, name: 'Foxway' },
    defaults: { category: 'Phone', purchase_currency: 'USD' } as never,
    remembered_defaults: { category: by } as never,
  }),
  'with columns that were recognised in each way': plan({
    columns: [
      column({ how: 'remembered', last: { ...by, field: 'purchase_price' } }),
      column({ column: 1, how: 'name', name: 'imei', field: 'imei' }),
      column({ column: 2, how: 'values', name: '', samples: [] }),
      column({ column: 3, how: 'chosen', field: null }),
      column({ column: 4, how: 'none', field: 'further', last: { ...by, field: 'sales_price' } }),
    ],
  }),
  'with names that are not known': plan({
    unknown: [
      unknown({}),
      unknown({ seen: '35999012', is_tac: true, nearest: [{ id: 4, name: 'iPhone 13' }] }),
      unknown({ seen: 'Waiting', waits: true }),
      unknown({ field: 'supplier', seen: 'Fox', is_made: false, nearest: [{ id: 5, name: 'Foxway' }] }),
      unknown({ field: 'supplier', seen: 'Two', is_made: false, is_ambiguous: true }),
      unknown({ field: 'grade', seen: 'A+', is_made: false, rows: 1 }),
      unknown({ field: 'make_of_model', seen: 'Mi 9', is_made: false, nearest: [{ id: 6, name: 'Xiaomi' }] }),
      unknown({ field: 'colour', seen: 'Blau', word: { name: 'Blue', is_new: false } }),
      unknown({ field: 'category', seen: 'Uhr', word: { name: 'Watch', is_new: true }, is_made: false }),
    ],
  }),
  'with a grade that only administrators create': plan(
    { unknown: [unknown({ field: 'grade', seen: 'A+', is_made: false })] },
    [],
    { role: 'ROLE_USER' },
  ),
  'with what names mean': plan({
    meanings: NAMED_FIELDS.map((field) => ({
      field,
      seen: field,
      means: field === 'product' ? '4' : 'X',
      remembered: field === 'vat' ? by : null,
    })),
  }),
  'with a product that a name means': {
    ...plan({}),
    read: (key) =>
      key[0] === 'product'
        ? { data: [{ id: 4, display_name: 'Apple iPhone 13' }] }
        : plan({ meanings: [{ field: 'product', seen: 'ip13', means: '4', remembered: null }] }).read(key),
  },
  'with rows of each kind': plan({ counts: { new: 1, updated: 1, unchanged: 1, failed: 1 } }, [
    row({
      product: 'iPhone 13',
      note: 'A doubt.',
      becomes: blank(PreviewRow.shape.becomes.unwrap(), {
        imei: '359990123456789',
        purchase_price: 100,
        purchase_currency: 'USD',
        fx_rate: 1.1,
        new_in_category: 'Phone',
      }),
    }),
    row({ row: 3, kind: 'updated', id: 5, of_row: 2, changes: [{ attributeName: 'sales_price', from: 100, to: 200 }] }),
    row({ row: 4, kind: 'unchanged', id: 6 }),
    row({ row: 5, kind: 'failed', errors: { purchase_price: 'Wrong.', imei: 'Missing.' } }),
  ]),
})
