import type { ScanFound } from '@backstock/contract/stock-scan.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
})
afterAll(() => t.close())

const item = async (columns: Parameters<typeof stockItems>[3]) => (await stockItems(t.db, shop, 1, columns))[0]!
const ask = async (codes: string[]): Promise<ScanFound[]> => {
  const { status, body } = await staff.post('/api/stock/scan-find', { codes })
  expect(status).toBe(200)
  return body.data
}
const said = async (codes: string[]) => (await ask(codes)).map(({ item, message }) => item?.id ?? message)

test('each code has its line, in their order: the item as a list shows it, or what the code is instead', async () => {
  const imei = newImei()
  const one = await item({ imei, imei2: newImei(), serial_number: 'F2LXQ1ABCDE' })
  const coming = await item({ imei: null, serial_number: 'COMING-1', status: 'Inbound' })
  const lines = await ask([`]C1${imei}`, 'nothing', '', 'sf2lxq1abcde', 'COMING-1', imei, `#${one}`])
  expect(lines.map(({ code }) => code)).toEqual([...[imei, 'nothing', 'sf2lxq1abcde', 'COMING-1', imei], `#${one}`])
  expect(lines.map((line) => line.item?.id ?? null)).toEqual([one, null, one, coming, one, one])
  expect(lines[0]!.item).toMatchObject({ imei, status: 'In Stock', product_display_name: expect.any(String) })
  expect(lines[3]!.item).toMatchObject({ status: 'Inbound' })
  expect(await said(['8'.repeat(32), '4006381333931', '#999999999', 'nothing'])).toEqual([
    expect.stringMatching(/^That is the EID/),
    expect.stringMatching(/^That is the EAN/),
    'There is no item #999999999.',
    null,
  ])
  // Behind its marks, such a code has no letter or digit.
  expect(await said([`(01)'-`, 'COMING-1', imei])).toEqual([null, coming, one])
})

test('a code is never taken for another phone', async () => {
  const imei = newImei()
  await item({ imei })
  const wrong = imei.slice(0, 14) + ((Number(imei[14]) + 1) % 10)
  expect(await said([wrong])).toEqual([expect.stringMatching(/check digit/)])
  const numbered = await item({ imei: newImei(), serial_number: wrong })
  expect(await said([wrong])).toEqual([numbered])
  const other = newImei()
  const alike = other.slice(0, 14) + ((Number(other[14]) + 1) % 10)
  await item({ imei: other })
  const own = await item({ imei: newImei(), backstock_id: alike })
  expect(await said([alike])).toEqual([own])
  const twins = [
    await item({ imei: newImei(), serial_number: 'TWIN-5' }),
    await item({ imei: newImei(), backstock_id: 'TWIN-5' }),
  ]
  const [message] = await said(['TWIN-5'])
  expect(message).toMatch(/^This code fits several items/)
  for (const id of twins) expect(message).toContain(`#${id}`)
  // Apple prints an S in front of serial numbers. With it, the code means one phone; without it, another.
  await item({ imei: newImei(), serial_number: 'SC02XK1ABCD' })
  await item({ imei: newImei(), serial_number: 'C02XK1ABCD' })
  expect(await said(['SC02XK1ABCD'])).toEqual([expect.stringMatching(/^This code fits several items/)])
})

test('a phone that the shop has bought twice is the one that it has now, else the newest of them', async () => {
  const [imei, other, backstock_id] = [newImei(), newImei(), 'AGAIN-1']
  const gone = { status: 'Returned to Supplier', in_hand: false } as const
  const first = await item({ ...gone, imei, imei2: other, serial_number: 'again-s', backstock_id })
  const second = await item({ ...gone, imei: other, imei2: imei, serial_number: 'AGAIN-S' })
  expect(await said([imei, other, 'AGAIN-S'])).toEqual([second, second, second])
  // The second time, somebody has entered the serial number alone.
  await item({ ...gone, imei: newImei(), serial_number: 'AGAIN-T' })
  const serial = await item({ ...gone, imei: null, serial_number: 'again-t' })
  expect(await said(['AGAIN-T'])).toEqual([serial])
  const here = await item({ imei, serial_number: 'AGAIN-S' })
  const later = await item({ ...gone, imei })
  expect(later).toBeGreaterThan(here)
  expect(await said([imei, 'AGAIN-S', backstock_id])).toEqual([here, here, first])
  // Two phones that have left are not one, though they had the same number of the shop.
  await item({ ...gone, imei: newImei(), backstock_id })
  expect(await said([backstock_id])).toEqual([expect.stringMatching(/^This code fits several items/)])
  const newest: number[] = []
  for (let n = 0; n < 5; n++) newest.unshift(await item({ ...gone, imei: newImei(), backstock_id }))
  const five = newest.map((id) => `#${id}`).join(', ')
  expect(await said([backstock_id])).toEqual([
    `This code fits several items: ${five}. Scan the IMEI, or type one of these numbers.`,
  ])
})

test('5,000 codes are one question; more are refused', async () => {
  const many = Array.from({ length: 5001 }, (_, n) => `N${n}`)
  expect((await staff.post('/api/stock/scan-find', { codes: many })).status).toBe(422)
  expect(await ask(many.slice(1))).toHaveLength(5000)
})
