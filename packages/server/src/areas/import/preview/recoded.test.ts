import { BYTE_ENCODINGS } from '@backstock/contract/csv-form.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encoded } from '../../../testing/encoded.ts'
import { recodedPieces, recoding } from './recoded.ts'

const CITY = 'Łódź, Źródło'

test('letters come out as the right encoding has them, whichever wrong ones were tried before', () => {
  const polish = encoded(CITY, 'windows-1250')
  const read = new TextDecoder('windows-1252').decode(polish)
  const tried = recoding('windows-1252', 'utf-8')(read)
  expect(tried).not.toBe(read)
  expect(recoding('utf-8', 'windows-1250')(tried)).toBe(CITY)
  const greek = recoding('windows-1252', 'windows-1253')(read)
  expect(recoding('windows-1253', 'windows-1250')(greek)).toBe(CITY)
})

test('rows that were split come out right too, but for cells that a person has typed', () => {
  const read = new TextDecoder('windows-1252').decode(encoded(CITY, 'windows-1250'))
  const pieces = { rows: { 2: { 0: read, 3: read }, 5: { 0: read } }, of: { 3: 2 } }
  expect(recodedPieces({ pieces, encoding: 'windows-1252', mended: { '2 3': true } }, 'windows-1250')).toEqual({
    ...pieces,
    rows: { 2: { 0: CITY, 3: read }, 5: { 0: CITY } },
  })
})

test('a character that no byte of the file can have been stays', () => {
  expect(recoding('windows-1252', 'windows-1250')('Ω')).toBe('Ω')
})

test('no byte is lost between any two encodings', () => {
  const bytes = fc.uint8Array({ min: 1, maxLength: 40 })
  const encoding = fc.constantFrom(...BYTE_ENCODINGS)
  fc.assert(
    fc.property(bytes, fc.array(encoding, { minLength: 1, maxLength: 4 }), (raw, tried) => {
      const first = new TextDecoder('windows-1252').decode(raw)
      let text = first
      for (const [n, to] of tried.entries()) text = recoding(tried[n - 1] ?? 'windows-1252', to)(text)
      expect(recoding(tried.at(-1)!, 'windows-1252')(text)).toBe(first)
    }),
  )
})
