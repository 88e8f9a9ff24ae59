import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { applyUndo, importCsv } from '../../testing/csv-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const phone = (imei: string, price = '200') => `${imei},Apple,Phone X,Phone,${price},=1+1`
const HEADER = 'imei,make,model,category,purchase_price,=box'

test('failed rows alone are a file that says why, and that can be imported once it is mended', async () => {
  const [good, ...bad] = Array.from({ length: 3 }, newImei)
  const rows = [phone(good!), phone(bad[0]!, 'a lot'), phone(bad[1]!, '')]
  const entry = await importCsv(t, user, { csv: [HEADER, ...rows].join('\n') })
  const url = `/api/stock/import/history/${entry.id}/csv?only=failed`
  const { body, headers } = await user.get(url)
  expect(headers['content-disposition']).toContain(`import-${entry.id}-failed.csv`)
  const lines = String(body).trimEnd().split('\r\n')
  expect(lines[0]).toBe("\uFEFFrow,result,id,message,imei,make,model,category,purchase_price,'=box")
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(new RegExp(`^3,failed,,.*Purchase price: .*,${bad[0]},Apple,Phone X,Phone,a lot,'=1\\+1$`)),
    `4,failed,,Purchase price: This field is required.,${bad[1]},Apple,Phone X,Phone,,'=1+1`,
  ])
  const mended = lines.map((line) => line.replace(',a lot,', ',10,').replace(',Phone,,', ',Phone,10,'))
  const again = await importCsv(t, user, { csv: mended.join('\r\n') })
  expect(again.content.data).toMatchObject({ successed_rows: 2, failed_rows: 0 })
  const updating = [HEADER, phone(good!, '300'), phone(bad[0]!, '10')].join('\n')
  const updated = await importCsv(t, user, { csv: updating, update_existing: 'true' })
  expect(updated.content.data.details).toMatchObject([{ type: 'updated' }, { type: 'unchanged' }])
  for (const { id } of [again, updated]) {
    const none = await user.get(`/api/stock/import/history/${id}/csv?only=failed`)
    expect(String(none.body).trimEnd().split('\r\n')).toEqual([lines[0]])
  }
  expect((await user.get(url.replace('failed', 'bad'))).status).toBe(400)
})

test('a row that was split off another is told by that row of its own file', async () => {
  const split = async (of: number) => {
    const { id } = await importCsv(t, user, { csv: [HEADER, phone(newImei()), phone(newImei(), '')].join('\n') })
    const pieces = JSON.stringify({ rows: {}, of: { 3: of } })
    await t.db.pool.query('update import_part set pieces = $2 where import_id = $1', [id, pieces])
    return id
  }
  const [first, second, whole] = [
    await split(7),
    await split(9),
    (await importCsv(t, user, { csv: `${HEADER}\nbad` })).id,
  ]
  const { data } = (await user.get('/api/stock/import/history?per_page=3')).body
  const told = data.map(
    ({ id, content }: { id: number; content: { data: { details: { row: number; of_row: number }[] } } }) => [
      id,
      ...content.data.details.map(({ row, of_row }) => [row, of_row]),
    ],
  )
  expect(told).toEqual([
    [whole, [2, null]],
    [second, [3, 9], [2, null]],
    [first, [3, 7], [2, null]],
  ])
  const results = String((await user.get(`/api/stock/import/history/${second}/csv`)).body).split('\r\n')
  expect(results.slice(1, 3).map((line) => line.split(',').slice(0, 2))).toEqual([
    ['2', 'created'],
    ['9', 'failed'],
  ])
})

test('a list of the items of an import: made, changed or as they were, whatever their status', async () => {
  const [changed, same] = await stockItems(t.db, shop, 2)
  const imeiOf = async (id: number) =>
    (await t.db.pool.query('select imei from stock where id = $1', [id])).rows[0].imei
  const [mine, other] = [newImei(), newImei()]
  const csv = [
    'imei,make,model,category,purchase_price,status',
    `${mine},Apple,iPhone 13,Phone,200,In Stock`,
    `${await imeiOf(changed!)},,,,,Deleted`,
    `${await imeiOf(same!)},,,,200,`,
    'bad,Apple,iPhone 13,Phone,200,',
  ]
  const entry = await importCsv(t, user, { csv: csv.join('\n'), update_existing: '1' })
  const later = await importCsv(t, user, { csv: [HEADER, phone(other)].join('\n') })
  const found = async (query: string) => {
    const { body } = await user.get(`/api/stock/find?${query}`)
    expect(body.total).toBe(body.data.length)
    return body.data.map((row: { id: number }) => row.id)
  }
  const made = entry.content.data.details.find(({ type }: { type: string }) => type === 'created').id
  expect(await found(`import=${entry.id}`)).toEqual([made, same, changed])
  expect(await found(`import=${entry.id}&status=In Stock&order_by=id_asc`)).toEqual([same, made])
  expect(await found(`import=${entry.id},${later.id}`)).toHaveLength(4)
  expect(await found('import=999999')).toEqual([])
  await user.post(`/api/stock/import/history/${entry.id}/undo`)
  await applyUndo(t, entry.id)
  expect(await found(`import=${entry.id}`)).toEqual([same, changed])
})

test('a row of an import tells that the undo of another has removed its item', async () => {
  const imei = newImei()
  const first = await importCsv(t, user, { csv: [HEADER, phone(imei)].join('\n') })
  const second = await importCsv(t, user, { csv: `imei,purchase_price\n${imei},200`, update_existing: '1' })
  await user.post(`/api/stock/import/history/${first.id}/undo`)
  await applyUndo(t, first.id)
  const { body } = await user.get(`/api/stock/import/history/${second.id}/details`)
  expect(body.data).toMatchObject([{ message: 'Nothing to change. Removed since: another import was undone.' }])
})
