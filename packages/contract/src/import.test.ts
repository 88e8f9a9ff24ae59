import { expect, test } from 'vitest'
import { columnCalled, EXPORT_COLUMNS } from './csv-columns.ts'

test.each(EXPORT_COLUMNS)('the column %s is known by its name, however it is written', (column) => {
  const words = column.replaceAll('_', ' ').toUpperCase()
  for (const name of [column, words, ` ${words}\u200b`, column.replaceAll('_', '-'), words.replaceAll(' ', '. ')])
    expect(columnCalled(name)).toBe(column)
})

test.each(['', 'colours', 'price', 'purchase+price', 'I/M/E/I'])('%j is none of ours', (name) => {
  expect(columnCalled(name)).toBeUndefined()
})

test('a wide letter is the plain one', () => {
  expect(columnCalled('ＩＭＥＩ')).toBe('imei')
})
