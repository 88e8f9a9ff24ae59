import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
})
afterAll(() => t.close())

test('the logs of some records by type and id, several of each; ids beyond all bounds match nothing', async () => {
  const supplier = (await user.post('/api/supplier/create', { company_name: 'Pallets' })).body.data.id
  const other = (await user.post('/api/supplier/create', { company_name: 'Crates' })).body.data.id
  await user.post('/api/batch/create', { name: 'Mixed' })
  const found = async (query: string) =>
    (await user.get(`/api/log/find?${query}`)).body.data.map(
      (log: { loggable_type: string; loggable_id: number }) => `${log.loggable_type} ${log.loggable_id}`,
    )
  expect(await found(`loggable_type=Supplier&loggable_id=${supplier}`)).toEqual([`Supplier ${supplier}`])
  expect(await found(`loggable_type=Supplier&loggable_id=${supplier},${other}`)).toHaveLength(2)
  expect(await found('loggable_type=Supplier,Batch')).toHaveLength(3)
  expect(await found('loggable_id=99999999999')).toEqual([])
  expect(await found('ids=')).toEqual([])
  expect(await user.get('/api/log/find?loggable_type=Nope')).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^loggable_type must be one of/) },
  })
})
