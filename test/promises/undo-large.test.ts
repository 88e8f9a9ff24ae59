import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyUndo, importCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { newImei } from '../../packages/server/src/testing/shop.ts'
import { tableHashes } from '../../packages/server/src/testing/table-hashes.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'

const lines = turns(2_000, 100_000)

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

const HEADER = 'imei,make,model,capacity,capacity_unit,colour,category,purchase_price,sales_price,status,grading_screen'

test('B16: an import of many rows, undone, leaves every table as before', async () => {
  const imeis = range(lines).map(newImei)
  const line = (n: number, model: string, price: number) =>
    [imeis[n], 'Apple', model, 128, 'GB', `Colour ${n % 40}`, 'Phone', price, price + 50, 'In Stock', 'A'].join(',')
  // The shop has every tenth phone already, with another product and price.
  const known = range(lines).filter((n) => n % 10 === 0)
  await importCsv(t, t.staff, { csv: [HEADER, ...known.map((n) => line(n, 'iPhone 12', 90 + (n % 7)))].join('\n') })
  const before = await tableHashes(t.db.pool)

  const csv = [HEADER, ...range(lines).map((n) => line(n, `iPhone ${13 + (n % 3)}`, 200 + (n % 90)))].join('\n')
  const entry = await importCsv(t, t.staff, { csv, update_existing: '1' })
  expect(entry.content.data).toMatchObject({ successed_rows: lines, failed_rows: 0 })
  const after = await tableHashes(t.db.pool)
  for (const changed of ['stock', 'product', 'colour']) expect(after[changed]).not.toBe(before[changed])

  const url = `/api/stock/import/history/${entry.id}/undo`
  expect((await t.staff.post(url)).status).toBe(202)
  await applyUndo(t, entry.id)
  const made = lines - known.length
  expect((await t.staff.get(url)).body.data).toMatchObject({ removed: made, restored: known.length, kept_total: 0 })
  expect(await tableHashes(t.db.pool)).toEqual(before)
  reached('B16', `${lines} rows: ${made} gone, ${known.length} as before`, 'every table as before, by hash')
})
