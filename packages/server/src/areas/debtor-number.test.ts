import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { nextDebtorNumber } from './debtor-number.ts'

test('if the last number of a wide range is taken, the lowest free one is found at once', async () => {
  const t = await testApp()
  const admin = await t.user('ROLE_ADMIN')
  const range = { account_length: 8, debtor_first: 100_000_000, debtor_last: 699_999_999 }
  expect((await admin.post('/api/accounting/settings/edit', range)).status).toBe(200)
  const create = async (fields: object) => {
    const buyer = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test', ...fields }
    const { status, body } = await admin.post('/api/customer/create', buyer)
    expect(status, body.message).toBe(201)
    return body.data.debtor_number as number
  }
  expect(await create({})).toBe(100_000_000)
  expect(await create({ debtor_number: 699_999_999 })).toBe(699_999_999)
  expect(await create({ debtor_number: 100_000_002 })).toBe(100_000_002)
  const next = await t.db.write(async (tx) => {
    // All numbers of the range would not fit into the memory of a query.
    await sql`set local temp_file_limit = '1MB'`.execute(tx)
    return nextDebtorNumber(tx)
  })
  expect(next).toBe(100_000_001)
  expect([await create({}), await create({})]).toEqual([100_000_001, 100_000_003])
  // A form sends an empty field.
  expect(await create({ debtor_number: '' })).toBe(100_000_004)
  await t.close()
})
