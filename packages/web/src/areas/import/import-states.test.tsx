import { ImportDetail, ImportEntry, ImportStatus } from '@backstock/contract/import.ts'
import {
  ImportPreview,
  NAMED_FIELDS,
  PreviewColumn,
  PreviewRow,
  type RowKind,
  type UnknownName,
} from '@backstock/contract/import-preview.ts'
import { ImportUndo, KEPT_REASONS, KeptItem } from '@backstock/contract/import-undo.ts'
import { ApiError } from '../../api/error.ts'
import { blank } from '../../testing/blank.ts'
import { NOW, type Scene } from '../../testing/drawn.tsx'
import { filled } from '../../testing/filled.ts'
import { testStates } from '../../testing/states.tsx'
import ImportHistoryPage from './history/page.tsx'
import { ImportProgress } from './import-progress.tsx'
import { PreviewFile } from './preview/file.tsx'
import { PreviewGone } from './preview/gone.tsx'
import ImportPreviewPage from './preview/page.tsx'
import { UndoDialog } from './undo/undo-dialog.tsx'
import { RefusalAlert, refusalOf } from './upload/refusal.tsx'

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
  'of one type': history([entry({})], 'history?type=csv_import'),
  'on the second page': history([entry({})], 'history?page=2'),
  'with somebody else’s newest import': history([entry({ user_id: 2, user_name: 'Bea' })]),
  'with one’s own import of two days ago': history([entry({ created_at: '2026-03-03T11:00:00Z' })]),
  'with one’s own waiting import': history([entry({ state: 'waiting' })]),
  'with one’s own import that is being undone': history([entry({ undo: 'undoing' })]),
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
type PlanScene = Scene & { last_page?: number }
const plan = (said: Partial<ImportPreview>, rows: PreviewRow[] = [], { last_page = 1, ...scene }: PlanScene = {}) => {
  const page = { data: rows, total: rows.length, current_page: 1, last_page, from: 1, to: rows.length, per_page: 10 }
  const read = (key: readonly unknown[]) =>
    key.includes('rows') ? page : key[1] === 'preview' && key[2] === 7 ? previewed(said) : undefined
  return { part: <ImportPreviewPage />, at: 'stock/import/preview/7', read, ...scene }
}
const row = (said: Partial<PreviewRow>) =>
  blank(PreviewRow, { row: 2, kind: 'new', cells: ['100'], ...said } as Partial<PreviewRow>)
/** The tab with the rows of one kind. */
const rowsOf = (kind: RowKind, rows: PreviewRow[]) => {
  const columns = [
    column({}),
    column({ column: 1, name: 'IMEI', field: 'imei' }),
    column({ column: 2, name: 'Colour', field: null, how: 'none' }),
  ]
  const there = rows.map((one) => ({ ...one, kind }))
  return { [`with rows of the kind ${kind}`]: plan({ columns }, there, { at: `stock/import/preview/7?rows=${kind}` }) }
}
/** A price, each column that tells which phone a row means, and one that does not. */
const NAMED_COLUMNS = [
  column({}),
  ...(['backstock_id', 'serial_number', 'imei', 'make', 'colour'] as const).map((field, at) =>
    column({ column: at + 1, name: field, field }),
  ),
]
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
  'with rows that wait for a rate': plan({
    currencies: [{ currency: 'PLN', rows: 1, rate: null, remembered: null, proposed: null }],
    counts: { ...counts, new: 3 },
    reasons: [
      { ...reason, field: 'imei', message: 'Several items.', asks: 'several' },
      { ...reason, field: 'grade', message: 'Missing.', asks: 'column' },
      { ...reason, field: 'model', message: 'Missing.' },
      { ...reason, field: 'purchase_price', message: 'No rate.', asks: 'rate' },
      { ...reason, field: 'purchase_date', message: 'No date.', asks: 'dates' },
    ],
    unknown: [unknown({ seen: '35999012', is_tac: true, nearest: [] })],
  }),
  'with products that wait for other names': plan({
    unknown: [unknown({ seen: 'A', waits: true }), unknown({ seen: 'B', waits: true })],
  }),
  'that is not there': { part: <ImportPreviewPage />, at: 'stock/import/preview/0' },
  'with answers': plan({
    dates: 'month',
    decimal: '.',
    several: { rows: 1, items: 2, means: 'phone', left_out: [], is_total: false },
    dollar: { rows: 1, means: 'CAD' as never, remembered: by },
    supplier: { id: 5, name: 'Foxway' },
    defaults: { category: 'Phone', purchase_currency: 'USD' } as never,
    remembered_defaults: { category: by } as never,
  }),
  'with proposals that are taken already': plan({
    proposed: { purchase_currency: 'USD', purchase_date: '2026-02-03' },
    defaults: { purchase_currency: 'USD', purchase_date: '2026-02-03' },
    currencies: [
      { currency: 'PLN', rows: 2, rate: '4.3', remembered: null, proposed: { rate: '4.3', date: '2026-02-01' } },
    ],
  }),
  'whose title has the date of today': plan({ proposed: { purchase_date: NOW.slice(0, 10) } }),
  'whose title has a date that has not come yet': plan({ proposed: { purchase_date: '2026-03-06' } }),
  'with a column of categories without values, and one of currencies': plan({
    columns: [
      column({}),
      column({ column: 1, name: 'Kategorie', field: 'category', samples: [] }),
      column({ column: 2, name: 'Währung', field: 'purchase_currency', samples: ['EUR'] }),
    ],
  }),
  'with columns of categories and makes that some rows leave empty': plan({
    columns: [
      column({}),
      column({ column: 1, name: 'Kategorie', field: 'category' }),
      column({ column: 2, name: 'Marke', field: 'make' }),
    ],
    counts: { ...counts, new: 3 },
    reasons: [
      { ...reason, asks: 'category' },
      { ...reason, field: 'make', message: 'Missing.', asks: 'make' },
    ],
  }),
  'with values for all rows that the file turns out to have': plan({
    columns: [column({}), column({ column: 1, name: 'Kategorie', field: 'category' })],
    defaults: { category: 'Phone', purchase_price: '100' },
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
      unknown({ field: 'make_of_model', seen: 'Mi 10', is_made: false }),
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
  ...rowsOf('new', [
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
    row({
      row: 1_003,
      of_row: 2,
      product: 'Galaxy',
      becomes: blank(PreviewRow.shape.becomes.unwrap(), { imei2: '35' }),
    }),
  ]),
  'with a new item whose price is in euros': plan({}, [
    row({
      product: 'iPhone 13',
      becomes: blank(PreviewRow.shape.becomes.unwrap(), { purchase_price: 100, purchase_currency: 'EUR' }),
    }),
  ]),
  ...rowsOf('updated', [
    row({
      row: 3,
      id: 5,
      product: 'iPhone 12',
      changes: [{ attributeName: 'sales_price', from: 100, to: 200 }],
    }),
  ]),
  'with a new item that has all fields': plan({}, [
    row({ product: 'iPhone 13', becomes: filled(PreviewRow.shape.becomes.unwrap()) }),
  ]),
  'without unchanged rows': plan({}, [], { at: 'stock/import/preview/7?rows=unchanged' }),
  ...rowsOf('unchanged', [row({ row: 4, id: 6, product: 'Pixel 6', cells: ['100', '359990123456789'] })]),
  ...rowsOf('failed', [
    row({ row: 5, cells: ['100', '1', 'Red'], errors: { purchase_price: 'Wrong.', imei: 'Missing.' } }),
  ]),
  'with unchanged rows that have each identifier': plan(
    { columns: NAMED_COLUMNS },
    [row({ row: 5, kind: 'unchanged', id: 6, cells: ['100', 'BS-1', 'C39', '359990123456789'] })],
    { at: 'stock/import/preview/7?rows=unchanged' },
  ),
  'with failed rows, of which only some columns help to tell the phone': plan(
    { columns: NAMED_COLUMNS },
    [
      row({
        row: 5,
        kind: 'failed',
        cells: ['x', 'BS-1', 'C39', '35', 'Apple', 'Red'],
        errors: { purchase_price: 'No.' },
      }),
    ],
    { at: 'stock/import/preview/7?rows=failed' },
  ),
  'with failed rows of a column that has the opposite of the field': plan(
    { columns: [column({}), column({ column: 1, name: 'Unlocked', field: 'network_unlocked' })] },
    [row({ row: 5, kind: 'failed', cells: ['100', 'maybe'], errors: { network_locked: 'Must be yes or no.' } })],
    { at: 'stock/import/preview/7?rows=failed' },
  ),
  'with failed rows of a column without a name, in which they have no cell': plan(
    { columns: [column({ column: 1, name: '' })] },
    [row({ row: 5, kind: 'failed', cells: ['100'], errors: { purchase_price: 'Missing.' } })],
    { at: 'stock/import/preview/7?rows=failed' },
  ),
  'with more rows than are shown at first': plan(
    {},
    Array.from({ length: 7 }, (_, n) => row({ row: n + 2 })),
  ),
  'on the second page of its rows': plan({}, [row({ row: 13 })], {
    at: 'stock/import/preview/7?page=2',
    last_page: 2,
  }),
})

const undo = (said: Partial<ImportUndo> | null, receivable?: object) => ({
  part: <UndoDialog id={7} name="a.csv" onClose={() => {}} />,
  read: (key: readonly unknown[]) =>
    key[1] === 'receivable' ? receivable : said && blank(ImportUndo, { restored: 1, removed: 1_200, ...said }),
})
testStates('the undo of an import', undo({ state: null }), {
  'that is not read yet': { part: undo(null).part },
  'that nobody can ask for': undo({ state: null, refusal: 'It is too old.' }),
  'that has nothing to do': undo({ state: null, restored: 0, removed: 0 }),
  'that waits': undo({ state: 'waiting' }),
  'that goes on': undo({ state: 'undoing', progress: 40 }),
  'that has ended': undo({ state: 'undone', restored: 2, removed: 1 }),
  'that broke off, and can be continued': undo({ state: 'failed', error: 'The disk is full.' }),
  'that leaves items, for each reason': undo(
    {
      state: null,
      kept_total: 26,
      kept: KEPT_REASONS.map((reason, n) =>
        blank(KeptItem, { id: n + 1, reason, ref: 40 + n, message: `See #${40 + n}.`, product: n ? 'iPhone' : null }),
      ),
    },
    { inbound: 0, undoable: [{ id: 3 }] },
  ),
  'that has left an item': undo({
    state: 'undone',
    kept_total: 1,
    kept: [blank(KeptItem, { id: 1, identifier: '359990123456789', message: 'It was changed.', at: NOW })],
  }),
})

const reading = (canReadAnew: boolean) => ({
  part: (
    <PreviewFile
      plan={previewed({})}
      onChange={() => {}}
      onReadAnew={canReadAnew ? () => Promise.resolve() : undefined}
    />
  ),
})
testStates('the reading of a file that this window no longer has', reading(false), {
  'while it still has it': reading(true),
})

const gone = (found: object | null, open: object | null) => ({
  part: <PreviewGone id={7} />,
  read: (key: readonly unknown[]) => (key.includes('open') ? open : key.includes('history') ? found : undefined),
})
testStates('a preview that is gone', gone(null, null), {
  'because it was imported': gone(entry({}), null),
  'because another has taken its place': gone(null, { import_id: 8, file_name: 'b.csv' }),
})

const progress = (said: Partial<ImportStatus>, isBrief = false) => ({
  part: (
    <ImportProgress
      isBrief={isBrief}
      status={blank(ImportStatus, {
        ...{ import_id: 7, file_name: 'a.csv', state: 'running', total_rows: 1_200, processed_rows: 480, progress: 40 },
        ...said,
      })}
    />
  ),
})
/** The refusal of a file that was sent to be imported. */
const refused = (details: ConstructorParameters<typeof ApiError>[2] = {}, to: 'import' | 'preview' = 'import') => {
  const error = new ApiError(422, 'The file is too large.', details)
  return { part: <RefusalAlert refusal={refusalOf(error, new File([], 'a.csv'), to)} onPreview={() => {}} /> }
}
testStates('the refusal of a file', refused(), {
  'whose rows may be looked at': refused({ errors: { csv: 'A quote is missing.' } }),
  'of which another sheet can be read': refused(
    { errors: { csv: 'It has no header.' }, body: { data: { sheets: ['Stock'] } } },
    'preview',
  ),
})

const over = { progress: 100, processed_rows: 1_200, successed_rows: 1_200 }
testStates('the progress of an import', progress({}), {
  'that waits': progress({ state: 'waiting', progress: 0, processed_rows: 0 }),
  'that has ended': progress({ ...over, state: 'done' }),
  'of which some rows failed': progress({ ...over, state: 'done', successed_rows: 1_199, failed_rows: 1 }),
  'that broke off': progress({ state: 'failed', errors: ['The disk is full.'] }),
  'that broke off, above the history': progress({ state: 'failed', errors: ['The disk is full.'] }, true),
  'that is being undone': progress({ ...over, state: 'done', undo: 'undoing' }),
  'that is undone': progress({ ...over, state: 'done', undo: 'undone' }),
  'that nobody has begun': progress({ progress: -1 }),
})
