import { ScannedLine } from '@backstock/contract/delivery-check.ts'
import { LONG_LINE, LONGEST_LINE } from '@backstock/contract/pasted-line.ts'
import { type QuickOrderAnswer, QuickOrderRow, StockRow } from '@backstock/contract/stock.ts'
import { expect, test } from 'vitest'
import { blank } from '../testing/blank.ts'
import { drawn } from '../testing/drawn.tsx'
import { testStates } from '../testing/states.tsx'
import { NewestScans, soundOf } from './delivery-check/newest-scans.tsx'
import { NewestLine } from './quick-order/newest-line.tsx'
import { ScanActions } from './scan/scan-actions.tsx'
import type { Scan } from './scan/scan-list.ts'

const found = (said: Partial<QuickOrderRow>) =>
  blank(QuickOrderRow, {
    ...{ id: 7, line: 'C39', status: 'In Stock', sellable: true, product_display_name: 'iPhone 13', grade_name: 'A' },
    ...said,
  } as Partial<QuickOrderRow>)
const newest = (answer: Partial<QuickOrderAnswer>, line = 'C39') => {
  const nothing: QuickOrderAnswer = { success: true, data: [], not_found: [], duplicates: [] }
  return { part: <NewestLine line={line} answer={{ ...nothing, ...answer }} /> }
}
testStates('the newest line of a quick order', newest({ data: [found({})] }), {
  'whose item is in a locked batch': newest({
    data: [found({ status: 'In Batch', batch_id: 5, batch_name: 'May', is_batch_locked: true })],
  }),
  'whose item cannot be sold': newest({ data: [found({ status: 'Sold', sellable: false, reason: 'It is sold.' })] }),
  'whose item cannot be sold, and nobody says why': newest({ data: [found({ sellable: false })] }),
  'that is there twice': newest({ data: [found({})], duplicates: ['X', 'C39'] }),
  'that is not found': newest({ not_found: ['c 39'] }),
  'that is not found, and there twice': newest({ not_found: ['C39'], duplicates: ['C39'] }),
  'that is a mistyped IMEI': newest({ not_found: ['350000090000198'] }, '350000090000198'),
  'whose answer has not come': newest({ data: [found({ line: 'C40' })] }),
})
test('the newest line of a quick order says that it is too long', async () => {
  expect(await drawn(newest({}, 'x'.repeat(LONGEST_LINE + 1)).part)).toContain(LONG_LINE)
})

const item = {
  ...blank(StockRow),
  id: 7,
  status: 'Inbound',
  product_display_name: 'iPhone 13',
  grade_name: 'A',
} as const
const scanned = (result: ScannedLine['result'], n = 1) =>
  blank(ScannedLine, {
    ...{ code: '49015420323751 8', n, result, message: `It is ${result}.` },
    item: result === 'unknown' || result === 'hint' ? null : item,
  })
const RESULTS = ['matched', 'received', 'unexpected', 'unknown', 'hint'] as const
const scans = (...lines: ScannedLine[]) => ({ part: <NewestScans scans={lines.map((line, key) => ({ key, line }))} /> })
testStates('the newest scan of a delivery', scans(), {
  ...Object.fromEntries(RESULTS.map((result) => [`that is ${result}`, scans(scanned(result))])),
  'that is there twice': scans(scanned('matched', 2)),
  'with scans of each result before it': scans(
    scanned('matched'),
    ...RESULTS.map((one) => scanned(one)),
    scanned('unexpected', 2),
  ),
})

test('the newest scan of a delivery sounds good only if it is matched', () => {
  expect(RESULTS.map((result) => [result, soundOf(scanned(result)), soundOf(scanned(result, 2))])).toEqual([
    ['matched', 'sellable', 'again'],
    ['received', 'refused', 'again'],
    ['unexpected', 'refused', 'again'],
    ['unknown', 'unknown', 'again'],
    ['hint', 'unknown', 'unknown'],
  ])
})

const acts = (...items: Partial<StockRow>[]) => {
  const scans = items.map((said, id): Scan => {
    const scanned = blank(StockRow, { id, ...said })
    const result = said.status === 'In Stock' ? 'sellable' : 'refused'
    return { id, given: `C${id}`, code: `C${id}`, result, item: scanned, message: null }
  })
  return { part: <ScanActions scans={scans} session={undefined as never} /> }
}
testStates('the actions for all scanned items', acts(), {
  'of which some are here, and one can be sold': acts(
    { status: 'In Stock' },
    { status: 'Inbound' },
    { status: 'Sold' },
  ),
  'of which none is here': acts({ status: 'Sold' }),
})
