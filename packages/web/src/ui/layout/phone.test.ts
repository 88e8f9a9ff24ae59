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

test('the letters of fields on a phone are so large that the phone does not zoom in', () => {
  const sheet = readFileSync(path.join(import.meta.dirname, 'touch.css'), 'utf8')
  const sizes = [...sheet.matchAll(/--input-fz: (\d+)px/g)].map(([, px]) => Number(px))
  expect(sizes.length).toBeGreaterThan(0)
  for (const px of sizes) expect(px).toBeGreaterThanOrEqual(16)
})
