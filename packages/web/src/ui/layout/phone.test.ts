import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PHONE } from './phone.ts'

test('the stylesheets mean the same width by a phone as the screens', () => {
  const source = path.resolve(import.meta.dirname, '../..')
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  const texts = sheets.map((sheet) => readFileSync(path.join(source, sheet), 'utf8'))
  const widths = texts.flatMap((text) =>
    [...text.matchAll(/@media (\(max-width: 5\d\dpx\))/g)].map(([, width]) => width),
  )
  expect(widths.length).toBeGreaterThan(10)
  expect([...new Set(widths)]).toEqual([PHONE])
})
