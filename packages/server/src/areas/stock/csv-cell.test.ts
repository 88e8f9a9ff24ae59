import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { formulaGuard, guardCell, unguardCell } from './csv-cell.ts'

let t: Awaited<ReturnType<typeof testApp>>
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const odd = fc.string({ unit: fc.constantFrom(...`'=+-@＝＋－＠,;|\t\r\n" \u00a0a1é`), maxLength: 20 })
/**
 * Cuts a file at every delimiter that a spreadsheet may use. Quotation marks protect only the delimiter with which the
 * file was written.
 */
const cellsOf = (text: string) => text.split(/[,;|\t\r\n]/)

test('a cell gives its text back, and no part of it runs, at every delimiter of a spreadsheet', () => {
  fc.assert(
    fc.property(odd, (text) => {
      expect(unguardCell(guardCell(text))).toBe(text)
      for (const cell of cellsOf(guardCell(text))) expect(cell).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/)
      expect(guardCell(text)).not.toMatch(/^[ "\u00a0]*[\t\r\n]/)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['x;=1+1', "x;'=1+1"],
  ['x\t=1+1', "x\t'=1+1"],
  ["x|'=1", "x|''=1"],
  ['two\r\n-lines', "two\r\n'-lines"],
  ['a; @b,+c', "a;' @b,'+c"],
  ['=1;=2', "'=1;'=2"],
  ['x;"=1+1"', `x;'"=1+1"`],
  ['A-1; B+2, c=3', 'A-1; B+2, c=3'],
])('%j goes out as %j', (text, cell) => {
  expect(guardCell(text)).toBe(cell)
})

test('PostgreSQL guards as we do', async () => {
  const texts = fc.sample(odd, 3000)
  const { rows } = await sql<{ cell: string }>`
    select ${formulaGuard(sql.ref('text'))} as cell
    from unnest(${texts}::text[]) with ordinality as t (text, n) order by n`.execute(t.db.read)
  expect(rows.map(({ cell }) => cell)).toEqual(texts.map(guardCell))
})

test('a megabyte of what looks like it takes no time to speak of', () => {
  for (const text of ["'".repeat(1_000_000), "; '".repeat(300_000), ';'.repeat(1_000_000)])
    expect(unguardCell(guardCell(text))).toBe(text)
})
