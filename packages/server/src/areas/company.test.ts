import type { Vat } from '@backstock/contract/vat.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { openShop, stockItems } from '../testing/shop.ts'
import { renderDocuments } from './document/render.ts'

let t: Awaited<ReturnType<typeof testApp>>
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('administrators read the company and edit the fields that they send', async () => {
  const [admin, staff] = [await t.user('ROLE_ADMIN'), await t.user()]
  const before = (await admin.get('/api/company')).body
  expect(before).toMatchObject({ success: true, data: { name: 'Backstock', time_zone: 'UTC', logo: null } })
  expect((await staff.post('/api/company/edit', { name: 'Mine' })).status).toBe(403)
  expect((await staff.get('/api/company')).status).toBe(403)

  const profile = {
    name: 'Phones Ltd',
    country_code: 'ie',
    iban: 'IE29',
    time_zone: 'Europe/Dublin',
    payment_days: '30',
    registration: ' CRO  123456 ',
    group_invoice_lines: 'true',
  }
  expect((await admin.post('/api/company/edit', profile)).status).toBe(200)
  expect((await admin.patch('/api/company/edit', { iban: null, updated_at: undefined })).status).toBe(200)
  expect((await admin.get('/api/company')).body.data).toMatchObject({
    ...{ name: 'Phones Ltd', country_code: 'IE', iban: null, time_zone: 'Europe/Dublin', payment_days: 30 },
    ...{ registration: 'CRO 123456', group_invoice_lines: true },
  })

  expect((await admin.post('/api/company/edit')).status).toBe(200)
  const stale = await admin.post('/api/company/edit', { name: 'Old', updated_at: before.data.updated_at })
  expect([stale.status, stale.body.message]).toEqual([409, expect.stringMatching(/^Changed by Person \d+ .+ ago$/)])
  const wrong = await admin.post('/api/company/edit', {
    ...{ name: '', time_zone: 'Mars/Olympus', email: 'nobody' },
    ...{ registration: 'x'.repeat(256), group_invoice_lines: 'some', supply_day: 'soon' },
  })
  expect(Object.keys(wrong.body.data.errors).sort()).toEqual([
    ...['email', 'group_invoice_lines', 'name', 'registration', 'supply_day', 'time_zone'],
  ])
  expect((await admin.get('/api/company')).body.data.name).toBe('Phones Ltd')
})

test('a time zone that Node knows and the database does not is refused', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const { time_zone: before } = (await admin.get('/api/company')).body.data
  const zones = vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['Mars/Olympus'])
  const refused = await admin.post('/api/company/edit', { time_zone: 'Mars/Olympus' })
  zones.mockRestore()
  const said = 'The database does not know Mars/Olympus. Choose another zone with the same time.'
  expect(refused).toMatchObject({ status: 422, body: { data: { errors: { time_zone: said } } } })
  expect((await admin.get('/api/company')).body.data.time_zone).toBe(before)
})

test('a VAT number and an IBAN with wrong check digits are saved with a warning', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const wrong = await admin.post('/api/company/edit', { vat_number: 'NL004495446B01', iban: 'NL92 ABNA 0417 1643 00' })
  expect(wrong).toMatchObject({ status: 200, body: { type: 'warning', data: { iban: 'NL92ABNA0417164300' } } })
  expect(wrong.body.message).toMatch(
    /^Company saved\. NL0044.+Dutch VAT number.+NL92 ABNA.+valid IBAN: its check digits/,
  )
  const right = await admin.post('/api/company/edit', { vat_number: 'NL004495445B01', iban: 'NL91 ABNA 0417 1643 00' })
  expect(right.body).toMatchObject({ type: 'success', message: 'Company saved.' })
  // The company is in Ireland.
  expect((await admin.post('/api/company/edit', { vat_number: '004495445B01' })).body).toMatchObject({
    ...{ type: 'warning', message: expect.stringMatching(/^Company saved\. 004495445B01 .+ such as IE\.$/) },
  })
  const typed = { vat_number: 'nl 0044.95445.b01', iban: 'de89-3704-0044-0532-0130-00', bic: 'coba de ff xxx' }
  expect((await admin.post('/api/company/edit', typed)).body.data).toMatchObject({
    ...{ vat_number: 'NL004495445B01', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
  })
})

const upload = (client: Client, content: Buffer) => {
  const head =
    '--b\r\nContent-Disposition: form-data; name="logo"; filename="logo.png"\r\nContent-Type: image/png\r\n\r\n'
  return client.send({
    method: 'POST',
    url: '/api/company/logo',
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
}

test('an administrator uploads and removes the logo; it is drawn anew and answered as a data URL', async () => {
  const [admin, staff] = [await t.user('ROLE_ADMIN'), await t.user()]
  const wide = await sharp({ create: { width: 1200, height: 240, channels: 4, background: '#3366cc' } })
    .webp()
    .toBuffer()
  expect((await upload(staff, wide)).status).toBe(403)
  expect((await upload(admin, Buffer.from('<svg/>'))).status).toBe(415)
  expect((await upload(admin, wide)).status).toBe(200)
  expect((await upload(admin, wide)).status).toBe(200)
  const files = async () => (await t.db.pool.query('select name from file')).rows
  expect(await files()).toEqual([{ name: 'logo.png' }]) // the earlier logo is deleted, because no invoice has it
  const { logo } = (await admin.get('/api/company')).body.data
  expect(logo).toMatch(/^data:image\/png;base64,/)
  const drawn = await sharp(Buffer.from(logo.split(',')[1], 'base64')).metadata()
  expect(drawn).toMatchObject({ format: 'png', width: 600, height: 120 })
  // A small one is not enlarged. One that a camera has turned stands upright.
  const turned = await sharp({ create: { width: 60, height: 20, channels: 4, background: '#3366cc' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect((await upload(admin, turned)).status).toBe(200)
  const small = (await admin.get('/api/company')).body.data.logo
  expect(await sharp(Buffer.from(small.split(',')[1], 'base64')).metadata()).toMatchObject({ width: 20, height: 60 })
  expect((await staff.delete('/api/company/logo')).status).toBe(403)
  expect((await admin.delete('/api/company/logo')).status).toBe(200)
  expect((await admin.get('/api/company')).body.data.logo).toBeNull()
  expect(await files()).toEqual([])
})

test('the logo of an invoice stays for good, so that the invoice can be made after the company has another', async () => {
  const u = await testApp()
  const boss = await u.user('ROLE_ADMIN')
  const shop = await openShop(u.db)
  const picture = (background: string) =>
    sharp({ create: { width: 60, height: 20, channels: 4, background } })
      .png()
      .toBuffer()
  expect((await upload(boss, await picture('#3366cc'))).status).toBe(200)
  const [id] = await stockItems(u.db, shop, 1, { vat_id: shop.vat.standard })
  const order = { stock_items: [{ id }], customer_id: shop.customer, create_invoice: true, send_email: false }
  const sale = (await boss.post('/api/sale/create', order)).body.data.id
  for (const colour of ['#cc6633', '#66cc33']) expect((await upload(boss, await picture(colour))).status).toBe(200)
  // The second logo is on no invoice, so it has gone.
  const { rows } = await u.db.pool.query(`select name from file where name = 'logo.png'`)
  expect(rows).toHaveLength(2)
  await renderDocuments(u.db, sale, null)
  expect((await boss.get(`/api/sale/${sale}/invoice`)).raw.includes('/Subtype /Image')).toBe(true)
  // So does the logo of a purchase receipt.
  await u.db.pool.query(
    `insert into purchase_receipt (year, number, kind, seller_name, issued_on, bought_on, currency, total, items, lang, data,
       identifiers, logo_file_id)
     select 2026, 1, 'private', 'Ann', '2026-01-02', '2026-01-02', 'EUR', 1, 1, 'en', '{}', '', logo_file_id from company`,
  )
  expect((await upload(boss, await picture('#999999'))).status).toBe(200)
  expect((await u.db.pool.query(`select from file where name = 'logo.png'`)).rowCount).toBe(3)
  await u.close()
})

test('a margin rate that was entered stays when the usual VAT rates are added', async () => {
  const u = await testApp()
  const boss = await u.user('ROLE_ADMIN')
  const input = { country_code: 'FI', margin_rate: '14', with_usual_vat: true }
  expect((await boss.post('/api/company/edit', input)).body.data.margin_rate).toBe(14)
  expect((await boss.get('/api/vat/find')).body.data).toHaveLength(2)
  await u.close()
})

test('the usual VAT rates of the country, and categories, are added once, if there are none', async () => {
  const u = await testApp()
  const boss = await u.user('ROLE_ADMIN')
  const edit = (body: object) => boss.post('/api/company/edit', body)
  const rates = async () =>
    (await boss.get('/api/vat/find')).body.data.map(({ display_name, treatment }: Vat) => [display_name, treatment])
  await edit({ with_usual_vat: true })
  expect(await rates(), 'no country').toEqual([])
  await edit({ country_code: 'AQ', with_usual_vat: true })
  expect(await rates(), 'a rate that nobody knows').toEqual([])
  await edit({ country_code: 'FI' })
  expect(await rates(), 'nobody asked').toEqual([])
  expect((await edit({ with_usual_vat: true })).body.data.margin_rate).toBe(25.5)
  const finnish = [
    ['Margin scheme (0%)', 'margin'],
    ['Standard (25.5%)', 'standard'],
  ]
  expect(await rates()).toEqual(finnish)
  await edit({ country_code: 'DE', with_usual_vat: true })
  expect(await rates()).toEqual(finnish)
  expect((await boss.get('/api/company')).body.data.margin_rate).toBe(25.5)
  const categories = async () =>
    (await boss.get('/api/category/find?order_by=id_asc')).body.data.map(({ name }: { name: string }) => name)
  expect(await categories(), 'nobody asked').toEqual([])
  await edit({ with_usual_categories: true })
  const usual = ['Smartphones', 'Tablets', 'Laptops', 'Watches', 'Accessories']
  expect(await categories()).toEqual(usual)
  await boss.delete(`/api/category/${(await boss.get('/api/category/find?search=tablets')).body.data[0].id}/delete`)
  await edit({ with_usual_categories: true })
  expect(await categories()).toEqual(usual.filter((name) => name !== 'Tablets'))
  await u.close()
})
