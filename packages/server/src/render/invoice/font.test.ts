import { expect, test } from 'vitest'
import { canPrint, printed } from './font.ts'

test.each([
  ['A  B', 'A B'],
  [' A\t B\u00a0C ', 'A B C'],
  ['A\r\nB\rC\u2028D', 'A\nB\nC\nD'],
  ['a\u0000b\u202ec', 'abc'],
  ['e\u0301', 'é'],
  ['Łódź', 'Łódź'],
  ['Ａ ㎏', 'A kg'],
])('%j is printed as %j', (text, paper) => {
  expect([printed(text), canPrint(text)]).toEqual([paper, true])
})

test('a reader sees that there were letters which the font lacks', () => {
  expect(printed('A 手机 📱')).toBe('A \ufffd\ufffd \ufffd')
  expect(canPrint('A 手机')).toBe(false)
})
