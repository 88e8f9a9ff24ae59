import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { NO_DEBTOR_NUMBER, nextDebtorNumber } from './debtor-number.ts'

test('if the last number of a wide range is taken, the lowest free one is found at once', async () => {
  const t = await testApp()
  const admin = await t.user('ROLE_ADMIN')
  const create = async (fields: object) => {
    const buyer = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test', ...fields }
    const { status, body } = await admin.post('/api/customer/create', buyer)
    expect(status, body.message).toBe(201)
    return body.data.debtor_number as number
  }
  // Numbers below and above the range do not count.
  expect(await create({ debtor_number: 4711 })).toBe(4711)
  const range = { account_length: 8, debtor_first: 100_000_000, debtor_last: 699_999_999 }
  expect((await admin.post('/api/accounting/settings/edit', range)).status).toBe(200)
  expect(await create({})).toBe(100_000_000)
  expect(await create({ debtor_number: 700_000_001 })).toBe(700_000_001)
  expect(await create({ debtor_number: 100_000_002 })).toBe(100_000_002)
  expect(await create({})).toBe(100_000_003)
  expect(await create({ debtor_number: 699_999_999 })).toBe(699_999_999)
  const next = await t.db.write(async (tx) => {
    // All numbers of the range would not fit into the memory of a query.
    await sql`set local temp_file_limit = '1MB'`.execute(tx)
    return nextDebtorNumber(tx)
  })
  expect(next).toBe(100_000_001)
  expect([await create({}), await create({})]).toEqual([100_000_001, 100_000_004])
  // A form sends an empty field.
  expect(await create({ debtor_number: '' })).toBe(100_000_005)
  await t.close()
})

test('if no number of the range is free, the answer and the customer’s log say so', async () => {
  const t = await testApp()
  const admin = await t.user('ROLE_ADMIN')
  const create = async () => {
    const buyer = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test' }
    return (await admin.post('/api/customer/create', buyer)).body
  }
  expect(await create()).toMatchObject({ type: 'success', data: { debtor_number: null } })
  const range = { account_length: 4, debtor_first: 10_000, debtor_last: 10_001 }
  expect((await admin.post('/api/accounting/settings/edit', range)).status).toBe(200)
  expect(await create()).toMatchObject({ type: 'success', data: { debtor_number: 10_001 } })
  const { type, message, data } = await create()
  expect([type, message]).toEqual(['warning', `Customer #${data.id} created. ${NO_DEBTOR_NUMBER}`])
  expect(data.logs[0].content.data.message).toBe(NO_DEBTOR_NUMBER)
  const edited = await admin.post(`/api/customer/${data.id}/edit`, { phone: '1' })
  expect([edited.body.type, edited.body.message]).toEqual(['success', `Customer #${data.id} saved.`])
  // A number that becomes free goes to the next new customer, whose answer says nothing about those without one.
  const { rows } = await t.db.pool.query('select id from customer where debtor_number = 10000')
  expect((await admin.post(`/api/customer/${rows[0].id}/edit`, { debtor_number: 20_000 })).status).toBe(200)
  expect(await create()).toMatchObject({ type: 'success', data: { debtor_number: 10_000 } })
  await t.close()
})
