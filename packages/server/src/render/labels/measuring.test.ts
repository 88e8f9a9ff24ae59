import { fitText } from '@backstock/contract/label-fit.ts'
import { expect, test } from 'vitest'
import { measuring } from './measuring.ts'

test('pdfkit measures each letter of any text once, and nothing longer', () => {
  const asked: string[] = []
  const doc = {
    fontSize: (size: number) => ({
      widthOfString(text: string) {
        asked.push(text)
        return (size * text.length) / 2
      },
    }),
  }
  const measure = measuring(doc, new Map())
  expect(measure('ABBA', 10)).toBe(20)
  for (const rows of [1, 2]) fitText('ABC'.repeat(85), { width: 100, rows, size: 8, smallest: 4.5, measure })
  expect(asked.toSorted()).toEqual(['A', 'B', 'C', '…'])
})
