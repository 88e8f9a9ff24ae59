import { expect, test } from 'vitest'
import { linesTable } from './frame.ts'

test('a word without an end is broken into rows that fit; other texts stay as they are', () => {
  const endless = `${'W'.repeat(200)}\u{1f4f1}${'W'.repeat(54)}`
  const texts = ['Apple iPhone 13 128 GB', endless, `S/N ${endless}`]
  const columns = [
    { heading: 'One', width: 70, cell: (text: string) => ({ text }) },
    { heading: 'Other', width: 0, cell: (text: string) => ({ stack: [{ text }, { text: 'small' }] }) },
  ]
  const { table } = linesTable(columns, texts) as { table: { body: unknown[][] } }
  const [, usual, one, other] = table.body as [unknown, ...{ text: string; stack: { text: string }[] }[][]]
  expect(usual![0]!.text).toBe(texts[0])
  expect(usual![1]!.stack.map(({ text }) => text)).toEqual([texts[0], 'small'])
  for (const row of [one, other].flatMap((cells) => [cells![0]!.text, cells![1]!.stack[0]!.text])) {
    expect(row.replaceAll('\n', '')).toBe(row.startsWith('S/N') ? texts[2] : endless)
    for (const part of row.split(/\n| /)) expect(part.length).toBeLessThan(60)
  }
  for (const part of one![0]!.text.split('\n')) expect([...part].length).toBeLessThanOrEqual(70 / 9)
})
