import type { ImportPreview, PreviewChanges, PreviewColumn, UnknownName } from '@backstock/contract/import-preview.ts'
import { expect, test } from 'vitest'
import { together, withChanges } from './changes.ts'

const column = (column: number, name: string, field: PreviewColumn['field'] = null): PreviewColumn => ({
  ...{ column, name, field, how: field ? 'name' : 'none', last: null, samples: [] },
})
const unknown = (seen: string): UnknownName => ({ field: 'supplier', seen, rows: 41, is_made: false, nearest: [] })

const plan: ImportPreview = {
  ...{ import_id: 7, file_name: 'foxway.csv', format: 'csv', state: 'previewed', error: null, progress: 100 },
  plan_no: 1,
  ...{ total_rows: 60, sheets: [], sheet: null, delimiter: ';', encoding: 'utf-8', decimal: 'mixed', header_row: 1 },
  ...{
    notes: [],
    several: null,
    leaves_out_hidden: false,
    encoding_guessed: false,
    top: [],
    titles: [],
    proposed: {},
    dollar: null,
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
  expect(withChanges(plan, {})).toStrictEqual(plan)
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

test('a change of one kind brings none of another', () => {
  expect(together({}, {})).toStrictEqual({})
  const each: PreviewChanges[] = [
    { mapping: [{ column: 1, field: 'colour' }] },
    { values: [{ field: 'vat', seen: '21', means: '21%' }] },
    { rates: [{ currency: 'PLN', rate: '4.25' }] },
    { cells: [{ row: 4, column: 0, value: 'a' }] },
    { defaults: { vat: '21%' } },
  ]
  for (const one of each) {
    expect(together(one, {})).toStrictEqual(one)
    expect(together({}, one)).toStrictEqual(one)
  }
})

test('rates of two currencies both stay, and the later one of a currency holds', () => {
  const before: PreviewChanges = {
    rates: [
      { currency: 'PLN', rate: '4' },
      { currency: 'USD', rate: '1.1' },
    ],
  }
  expect(together(before, { rates: [{ currency: 'PLN', rate: '4.25' }] }).rates).toEqual([
    { currency: 'PLN', rate: '4.25' },
    { currency: 'USD', rate: '1.1' },
  ])
})

test('names of two fields, or two names of a field, are not the same thing', () => {
  const value = (field: 'vat' | 'make', seen: string, means: string) => ({ field, seen, means })
  const before = { values: [value('vat', '21', '21%'), value('make', '21', 'Apple')] }
  const later = together(before, { values: [value('vat', '9', '9%'), value('make', '21', 'Xiaomi')] })
  expect(later.values).toEqual([value('vat', '21', '21%'), value('make', '21', 'Xiaomi'), value('vat', '9', '9%')])
})

test('several columns may be left out or be further ones, and a column is chosen twice', () => {
  for (const field of [null, 'further'] as const) {
    const before: PreviewChanges = { mapping: [{ column: 1, field }] }
    const mapping = [
      { column: 1, field },
      { column: 2, field },
    ]
    expect(together(before, { mapping: [{ column: 2, field }] }).mapping).toEqual(mapping)
    const both = { ...plan, columns: [column(0, 'A', field), column(1, 'B')] }
    expect(withChanges(both, { mapping: [{ column: 1, field }] }).columns[0]).toBe(both.columns[0])
  }
  const again = together({ mapping: [{ column: 1, field: 'imei' }] }, { mapping: [{ column: 1, field: 'imei' }] })
  expect(again.mapping).toEqual([{ column: 1, field: 'imei' }])
  // A mapping to another field does not change the first column.
  const other = together({ mapping: [{ column: 1, field: 'imei' }] }, { mapping: [{ column: 2, field: 'colour' }] })
  expect(other.mapping).toEqual([
    { column: 1, field: 'imei' },
    { column: 2, field: 'colour' },
  ])
  expect(withChanges(plan, { mapping: [{ column: 1, field: 'colour' }] }).columns[0]).toBe(plan.columns[0])
})

test('a guessed encoding is one until a person chooses it, and so are the meanings of rows with several IMEIs', () => {
  const guessed: ImportPreview = {
    ...plan,
    encoding_guessed: true,
    several: { rows: 2, items: 4, means: null, left_out: [], is_total: false },
  }
  expect(withChanges(guessed, {})).toStrictEqual(guessed)
  expect(withChanges(guessed, { encoding: 'windows-1250' })).toMatchObject({
    encoding: 'windows-1250',
    encoding_guessed: false,
  })
  expect(withChanges(guessed, { several: 'items' }).several).toMatchObject({ rows: 2, items: 4, means: 'items' })
  expect(withChanges({ ...guessed, several: null }, { several: 'items' }).several).toBeNull()
})

const SAID = { by: 'Ada', at: '2026-11-20T00:00:00Z' }

test('the sign $ is shown as what a person says it means, and that is remembered from nowhere', () => {
  const remembered: ImportPreview = { ...plan, dollar: { rows: 3, means: 'USD', remembered: SAID } }
  expect(withChanges(remembered, {}).dollar).toBe(remembered.dollar)
  expect(withChanges(remembered, { dollar: 'CAD' }).dollar).toStrictEqual({ rows: 3, means: 'CAD', remembered: null })
  expect(withChanges({ ...plan, dollar: null }, { dollar: 'CAD' }).dollar).toBeNull()
})

test('a value for all rows that a person says is remembered from nowhere', () => {
  const said: ImportPreview = { ...plan, remembered_defaults: { vat: SAID, make: SAID } }
  const shown = withChanges(said, { defaults: { vat: '9%' } })
  expect(shown.defaults).toEqual({ vat: '9%' })
  expect(shown.remembered_defaults).toStrictEqual({ make: SAID })
})

test('a meaning is changed for its own field alone, and is remembered from nowhere', () => {
  const shown = withChanges(plan, { values: [{ field: 'colour', seen: 'Aple', means: 'Green' }] })
  expect(shown.meanings).toStrictEqual([
    ...plan.meanings,
    { field: 'colour', seen: 'Aple', means: 'Green', remembered: null },
  ])
  const other = { ...plan.currencies[0]!, currency: 'USD' }
  const two = { ...plan, currencies: [...plan.currencies, other] }
  expect(withChanges(two, { rates: [{ currency: 'PLN', rate: '4.25' }] }).currencies[1]).toBe(other)
})
