import { ImportDetail, ImportEntry, type ImportStatus } from '@backstock/contract/import.ts'
import { expect, test } from 'vitest'
import { blank } from '../../testing/blank.ts'
import { endTold, hasEnded, importName, isRunning, statusOf } from './import-status.ts'

const status = (patch: Partial<ImportStatus>): ImportStatus => ({
  ...{ progress: 100, import_id: 1, file_name: 'a.csv', state: 'done', undo: null, errors: [] },
  ...{ total_rows: 5, processed_rows: 5, successed_rows: 5, failed_rows: 0 },
  ...patch,
})
const NONE = status({ progress: -1, import_id: null })
const at = (progress: number, import_id = 1) => status({ progress, import_id })

test('an import is under way from the moment it waits to its last row', () => {
  expect([undefined, NONE, at(0), at(99), at(100)].map(isRunning)).toEqual([false, false, true, true, false])
})

test.each([
  ['before anything was read', undefined, at(100), false],
  ['where nothing can be read', at(50), undefined, false],
  ['while it runs', at(50), at(60), false],
  ['when its last row is in', at(99), at(100), true],
  ['which is read once more', at(100), at(100), false],
  ['that nobody saw running', at(100), at(100, 2), true],
  ['that is the first one', NONE, at(100), true],
  ['where there is none', NONE, NONE, false],
  ['where there is none any more', at(50), NONE, false],
])('the end of an import is told once: %s', (_, last, now, told) => {
  expect(hasEnded(last, now)).toBe(told)
})

test.each([
  [{}, 'success', 'Import finished', '5 rows succeeded, 0 failed.'],
  [{ successed_rows: 1, failed_rows: 1200 }, 'warning', 'Import finished', '1 row succeeded, 1,200 failed.'],
  [{ successed_rows: 0, failed_rows: 2 }, 'error', 'Import finished', '0 rows succeeded, 2 failed.'],
  [{ state: 'failed', errors: ['Disk full.', 'Row 1'] }, 'error', 'Import stopped', 'Disk full.'],
  [{ state: 'failed' }, 'error', 'Import stopped', 'The import stopped early.'],
] as const)('what is told of the end of %j', (patch, type, title, message) => {
  const link =
    type === 'success'
      ? { to: '/admin/stock?status=&import=1', text: 'Show its items' }
      : { to: '/admin/stock/import/history?id=1', text: 'Look at it' }
  const undo = () => {}
  const ended = status(patch as Partial<ImportStatus>)
  const action = ended.successed_rows > 0 ? { text: 'Undo', run: undo } : null
  expect(endTold(ended, undo)).toEqual({ type, title, message, event: true, link, action })
  expect(endTold({ ...ended, undo: 'undone' }, undo).action).toBeNull()
})

test('an import is called by its file, else by its number', () => {
  expect([importName('a.csv', 1), importName(null, 1)]).toEqual(['a.csv', 'Import #1'])
})

test('an entry of the history tells its first twenty failed rows like the import itself, and counts the others', () => {
  const rows = Array.from({ length: 26 }, (_, n) =>
    blank(ImportDetail, { row: n + 2, success: n === 0, message: n === 0 ? 'Created' : 'Wrong.' }),
  )
  const told = (failed: number, said: Partial<ImportEntry> = {}) => {
    const counts = { processed_rows: 40, successed_rows: 40 - failed, failed_rows: failed }
    const data = { ...counts, details: rows.slice(0, failed + 1), details_total: 40 }
    return statusOf(blank(ImportEntry, { id: 7, file_name: 'a.csv', state: 'done', ...said, content: { data } }))
  }
  expect(told(1, { undo: 'undone' })).toEqual({
    ...{ progress: 100, import_id: 7, file_name: 'a.csv', state: 'done', undo: 'undone' },
    ...{ total_rows: 40, processed_rows: 40, successed_rows: 39, failed_rows: 1, errors: ['Row 3: Wrong.'] },
  })
  expect(told(0).errors).toEqual([])
  const twenty = Array.from({ length: 20 }, (_, n) => `Row ${n + 3}: Wrong.`)
  expect(told(20).errors).toEqual(twenty)
  const errors = [...twenty, '5 more rows failed: see the import history.']
  expect(told(25).errors).toEqual(errors)
  expect(told(25, { state: 'failed', error: 'The disk is full.' }).errors).toEqual(['The disk is full.', ...errors])
})
