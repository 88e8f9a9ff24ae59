import type { ImportPreview, PreviewColumn, UnknownName } from '@backstock/contract/import-preview.ts'
import { expect, test } from 'vitest'
import { together, withChanges } from './changes.ts'

const column = (column: number, name: string, field: PreviewColumn['field'] = null): PreviewColumn => ({
  ...{ column, name, field, how: field ? 'name' : 'none', last: null, samples: [] },
})
const unknown = (seen: string): UnknownName => ({ field: 'supplier', seen, rows: 41, is_made: false, nearest: [] })

const plan: ImportPreview = {
  ...{ import_id: 7, file_name: 'foxway.csv', format: 'csv', state: 'previewed', error: null, progress: 100 },
  ...{ total_rows: 60, sheets: [], sheet: null, delimiter: ';', encoding: 'utf-8', decimal: 'mixed', header_row: 1 },
  ...{
    notes: [],
    several: null,
    leaves_out_hidden: false,
    encoding_guessed: false,
    top: [],
    titles: [],
    update_existing: false,
    supplier: { id: 3, name: 'Foxway' },
    defaults: { vat: '21%' },
  },
  columns: [column(0, 'IMEI-Nr', 'imei'), column(1, 'Zustand')],
  ...{ counts: { new: 19, updated: 0, unchanged: 0, failed: 41 }, reasons: [], expires_at: '2026-11-24T00:00:00Z' },
  unknown: [unknown('Foxway AB'), unknown('Fox')],
  stale: null,
  meanings: [{ field: 'make', seen: 'Aple', means: 'Apple', remembered: null }],
  remembered_defaults: {},
  currencies: [{ currency: 'PLN', rows: 12, rate: null, remembered: null, proposed: null }],
  ...{ dates: null, asked: ['decimal', 'dates'] },
}

test('the later of two changes of the same thing holds, and nothing else is lost', () => {
  const before = together(
    {
      mapping: [
        { column: 1, field: 'colour' },
        { column: 2, field: null },
      ],
      cells: [{ row: 4, column: 0, value: 'a' }],
    },
    { defaults: { vat: null }, values: [{ field: 'vat', seen: '21', means: '21%' }] },
  )
  const later = together(before, {
    mapping: [{ column: 1, field: 'further' }],
    defaults: { make: 'Apple' },
    cells: [
      { row: 4, column: 0, value: 'b' },
      { row: 4, column: 1, value: 'c' },
    ],
    values: [{ field: 'vat', seen: '21', means: null }],
    decimal: ',',
  })
  expect(later).toEqual({
    mapping: [
      { column: 1, field: 'further' },
      { column: 2, field: null },
    ],
    defaults: { vat: null, make: 'Apple' },
    cells: [
      { row: 4, column: 0, value: 'b' },
      { row: 4, column: 1, value: 'c' },
    ],
    values: [{ field: 'vat', seen: '21', means: null }],
    decimal: ',',
  })
})

test('a field that another column is given is left by the one that had it', () => {
  const before = { mapping: [{ column: 1, field: 'imei' as const }] }
  const now = together(before, { mapping: [{ column: 2, field: 'imei' }] })
  expect(now.mapping).toEqual([
    { column: 1, field: null },
    { column: 2, field: 'imei' },
  ])
  expect(withChanges(plan, before).columns.map(({ field }) => field)).toEqual([null, 'imei'])
})

test('a choice is in the plan at once', () => {
  expect(withChanges(plan, {})).toEqual(plan)
  const shown = withChanges(plan, {
    mapping: [
      { column: 0, field: null },
      { column: 1, field: 'colour' },
    ],
    defaults: { vat: null, status: 'In Stock' },
    values: [
      { field: 'supplier', seen: 'Foxway AB', means: 'Foxway' },
      { field: 'make', seen: 'Aple', means: null },
    ],
    decimal: ',',
    update_existing: true,
    supplier_id: null,
    rates: [{ currency: 'PLN', rate: '4.25' }],
  })
  expect(shown).toMatchObject({ decimal: ',', update_existing: true, supplier: null, encoding: 'utf-8' })
  expect(shown.defaults).toEqual({ status: 'In Stock' })
  expect(shown.currencies).toMatchObject([{ currency: 'PLN', rate: '4.25' }])
  expect(shown.columns.map(({ field, how }) => [field, how])).toEqual([
    [null, 'chosen'],
    ['colour', 'chosen'],
  ])
  expect(shown.unknown.map(({ seen }) => seen)).toEqual(['Fox'])
  expect(shown.meanings).toMatchObject([{ field: 'supplier', seen: 'Foxway AB', means: 'Foxway' }])
  expect(withChanges(plan, { dates: 'month' })).toMatchObject({ dates: 'month', asked: ['decimal'] })
  expect(withChanges(plan, { supplier_id: 9 }).supplier?.id).toBe(9)
})
