import { expect, test } from 'vitest'
import { newImei } from '../../../testing/shop.ts'
import { inPieces, settleSeveral } from './several-imeis.ts'

const MANY = 50
const PLACES = { imei: 0, quantity: -1, price: -1, ofRow: [] }

test('a part of a file is never split into more rows than can be written at once; the other rows say why', () => {
  const imeis = () => Array.from({ length: MANY }, newImei).join(' ')
  const cells = Array.from({ length: 110 }, (_, n) => [imeis(), `row ${n}`])
  let last = cells.length
  const part = { lines: cells.map((_, n) => n + 1), cells, pieces: null }
  const split = inPieces(part, PLACES, { isDivided: false, decimal: null }, () => ++last)
  // 99 rows became 50 rows each, and 11 rows stayed whole.
  expect([split.lines.length, split.cells.length]).toEqual([99 * MANY + 11, 99 * MANY + 11])
  const whole = split.cells.filter(([imei]) => imei!.includes(' '))
  expect(whole.map(([, name]) => name)).toEqual(Array.from({ length: 11 }, (_, n) => `row ${99 + n}`))
  const errors: Record<string, string> = {}
  settleSeveral({ cells: {}, errors }, { kind: 'items', imeis: whole[0]![0]!.split(' ') }, 'items')
  expect(errors['imei']).toMatch(/^Too many rows of this file have several IMEIs/)
})
