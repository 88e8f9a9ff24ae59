import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { storeFile } from './file.ts'

let t: Awaited<ReturnType<typeof testApp>>
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('everyone reads the company, administrators edit the fields that they send', async () => {
  const [admin, staff] = [await t.user('ROLE_ADMIN'), await t.user()]
  const before = (await staff.get('/api/company')).body
  expect(before).toMatchObject({ success: true, data: { name: 'Backstock', time_zone: 'UTC', logo: null } })
  expect((await staff.post('/api/company/edit', { name: 'Mine' })).status).toBe(403)

  const profile = {
    name: 'Phones Ltd',
    country_code: 'ie',
    iban: 'IE29',
    time_zone: 'Europe/Dublin',
    payment_days: '30',
  }
  expect((await admin.post('/api/company/edit', profile)).status).toBe(200)
  expect((await admin.patch('/api/company/edit', { iban: null, updated_at: undefined })).status).toBe(200)
  expect((await staff.get('/api/company')).body.data).toMatchObject({
    ...{ name: 'Phones Ltd', country_code: 'IE', iban: null, time_zone: 'Europe/Dublin', payment_days: 30 },
  })

  expect((await admin.post('/api/company/edit')).status).toBe(200)
  const stale = await admin.post('/api/company/edit', { name: 'Old', updated_at: before.data.updated_at })
  expect(stale.status).toBe(409)
  const wrong = await admin.post('/api/company/edit', { name: '', time_zone: 'Mars/Olympus', email: 'nobody' })
  expect(Object.keys(wrong.body.data.errors).sort()).toEqual(['email', 'name', 'time_zone'])
  expect((await staff.get('/api/company')).body.data.name).toBe('Phones Ltd')
})

test('a logo is answered as a data URL', async () => {
  const content = Buffer.from('a picture')
  await t.db.write(async (tx) => {
    const logo = await storeFile(tx, { name: 'logo.png', mediaType: 'image/png', content })
    await tx.updateTable('company').set({ logo_file_id: logo }).execute()
  })
  const { data } = (await (await t.user()).get('/api/company')).body
  expect(data.logo).toBe(`data:image/png;base64,${content.toString('base64')}`)
})
