import { expect, test } from 'vitest'
import type { z } from 'zod'
import { AddressInput, CountryCode } from './address.ts'
import { BatchInput } from './batch.ts'
import { CompanyInput } from './company.ts'
import { countryName } from './country.ts'
import { CustomerInput } from './customer.ts'
import { PartnerProductQuery, PushedItem, PushInput } from './partner-api.ts'
import { halfCapacity, ProductCreateInput } from './product.ts'
import { GenerateInvoiceInput, SaleCreateInput } from './sale.ts'
import { QuickOrderInput, StockCreateInput, StockFileQuery, StockQuery } from './stock.ts'
import { SupplierInput } from './supplier.ts'
import { UserCreateInput, UserInput } from './user.ts'

/** The value that a schema reads from a body, or the messages with which it refuses the body, by field. */
const read = (schema: z.ZodType, body: unknown) => {
  const { success, data, error } = schema.safeParse(body)
  return success ? data : Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message]))
}
const part = (schema: z.ZodType, base: object, patch: object) => {
  const found = read(schema, { ...base, ...patch }) as Record<string, unknown>
  return Object.fromEntries(Object.keys(patch).map((name) => [name, found[name]]))
}

const NO_ADDRESS = { address_1: null, address_2: null, city: null, state: null, postal_code: null, country_code: null }
const IN_ADDRESS = 'This field is required in an address.'
test('an address is whole or none', () => {
  expect(read(AddressInput, {})).toEqual(NO_ADDRESS)
  expect(read(AddressInput, { state: 'Hesse' })).toEqual({
    ...{ address_1: IN_ADDRESS, city: IN_ADDRESS, postal_code: IN_ADDRESS, country_code: IN_ADDRESS },
  })
  const whole = { ...NO_ADDRESS, address_1: '1 Quay', city: 'Dublin', postal_code: 'D01', country_code: 'IE' }
  expect(read(AddressInput, whole)).toEqual(whole)
})

test('a country is one of the list, however its code is written', () => {
  expect([' ie ', '', null].map((code) => CountryCode.parse(code))).toEqual(['IE', null, null])
  expect(read(CountryCode, 'XX')).toEqual({ '': 'Must be a country from the list.' })
  expect(read(CountryCode, 'toString')).toEqual({ '': 'Must be a country from the list.' })
  expect(read(CountryCode, 5)).toEqual({ '': 'Must be a country.' })
  expect(['IE', 'XX', null].map(countryName)).toEqual(['Ireland', 'XX', null])
})

const TOGETHER = 'Enter both capacity and unit, or neither.'
test.each([
  [{}, {}],
  [{ capacity: 1, capacity_unit: 'GB' }, {}],
  [{ capacity: '', capacity_unit: null }, {}],
  [{ capacity: 1 }, { capacity_unit: TOGETHER }],
  [{ capacity: 1, capacity_unit: '' }, { capacity_unit: TOGETHER }],
  [{ capacity: null, capacity_unit: 'GB' }, { capacity: TOGETHER }],
])('capacity and unit of %j', (product, problem) => {
  expect(halfCapacity(product)).toEqual(problem)
})

const PRODUCT = { make_id: 1, category_id: 1, model: 'X' }
test.each([
  [
    { capacity: '128', capacity_unit: 'GB' },
    { capacity: 128, capacity_unit: 'GB' },
  ],
  [
    { capacity: '', capacity_unit: '' },
    { capacity: null, capacity_unit: null },
  ],
  [{ capacity: 'x1', capacity_unit: 'GB' }, { capacity: 'Must be a whole number.' }],
  [{ capacity: '1x', capacity_unit: 'GB' }, { capacity: 'Must be a whole number.' }],
  [{ capacity: 1, capacity_unit: 'KB' }, { capacity_unit: 'Must be MB, GB or TB.' }],
  [
    { model: '', capacity: 1 },
    { model: 'This field is required.', capacity_unit: TOGETHER },
  ],
])('a new product with %j', (patch, expected) => {
  expect(read(ProductCreateInput, { ...PRODUCT, ...patch })).toMatchObject(expected)
})

const NEEDS = 'An IMEI or a serial number is needed.'
test('a new item has an IMEI or a serial number, which is told together with all else', () => {
  expect(read(StockCreateInput, { imei: '', serial_number: null })).toEqual({
    ...{ actual_product_id: 'This field is required.', purchase_price: 'This field is required.' },
    ...{ imei: NEEDS, serial_number: NEEDS },
  })
  const item = { actual_product_id: 1, purchase_price: 5 }
  expect(read(StockCreateInput, { ...item, serial_number: 'A-17' })).toEqual({ ...item, serial_number: 'A-17' })
  expect(read(StockCreateInput, { ...item, imei: '49015420323751' })).toEqual({ ...item, imei: '49015420323751' })
})

const TOO_MANY_LINES = 'At most 5000 lines at once.'
test('a quick order takes 5,000 lines that say something', () => {
  const lines = Array<string>(5000).fill('x')
  expect(read(QuickOrderInput, lines)).toEqual({ lines })
  expect(read(QuickOrderInput, { lines: [...lines, '', ' - '] })).toEqual({ lines: [...lines, '', ' - '] })
  expect(read(QuickOrderInput, [...lines, 'x'])).toEqual({ lines: TOO_MANY_LINES })
  expect(read(QuickOrderInput, Array(20_001).fill(''))).toEqual({ lines: TOO_MANY_LINES })
})

const names = (count: number) => Array.from({ length: count }, (_, n) => `attr:${n}`)
test.each([
  [StockQuery, { further: 'a%2Cb,c,c' }, ['a,b', 'c']],
  [StockQuery, { further: ['a', 'b,'] }, ['a', 'b']],
  [StockQuery, { further: '' }, undefined],
  [StockQuery, { further: '%zz' }, 'must be names of further columns'],
  [StockQuery, { further: '%00' }, 'must be names of further columns'],
  [StockQuery, { further: 'x'.repeat(256) }, 'must have names of at most 255 characters'],
  [StockQuery, { further: names(30).join(',') }, names(30)],
  [StockQuery, { further: names(31).join(',') }, 'takes at most 30 names'],
  [StockFileQuery, { columns: 'imei,attr:Zone%2C1,imei' }, ['imei', 'attr:Zone%2C1']],
  [StockFileQuery, { columns: '' }, undefined],
  [StockFileQuery, { columns: 'imei,cost' }, 'must be columns of the stock list'],
  [StockFileQuery, { columns: 'attr:' }, 'must be columns of the stock list'],
  [StockFileQuery, { columns: names(30).join(',') }, names(30)],
  [StockFileQuery, { columns: names(31).join(',') }, 'takes at most 30 columns'],
])('%# a list is asked for columns', (schema, query, expected) => {
  const [field] = Object.keys(query) as ['further' | 'columns']
  const { data, error } = schema.safeParse(query)
  expect(data ? (data as Record<string, unknown>)[field] : error?.issues[0]?.message).toEqual(expected)
})

const PHONE = { actual_product_id: 1, serial_number: 'F2LZK100000', purchase_price: 1 }
test.each([
  [BatchInput, { name: 'A' }, { priority: '' }, { priority: 0 }],
  [BatchInput, { name: 'A' }, { priority: '-12' }, { priority: -12 }],
  [BatchInput, { name: 'A' }, { priority: 'x1' }, { priority: 'Must be a whole number.' }],
  [BatchInput, { name: 'A' }, { priority: '1x' }, { priority: 'Must be a whole number.' }],
  [CompanyInput, { name: 'A' }, { email: '', payment_days: '14' }, { email: null, payment_days: 14 }],
  [CompanyInput, { name: 'A' }, { payment_days: 'x1' }, { payment_days: 'Must be a number of days.' }],
  [CompanyInput, { name: 'A' }, { payment_days: '1x' }, { payment_days: 'Must be a number of days.' }],
  [CompanyInput, { name: 'A' }, { time_zone: 'UTC' }, { time_zone: 'UTC' }],
  [CompanyInput, { name: 'A' }, { time_zone: 'Europe/Dublin' }, { time_zone: 'Europe/Dublin' }],
  [CompanyInput, { name: 'A' }, { time_zone: 'Europe/Kiev' }, { time_zone: 'Europe/Kyiv' }],
  [CompanyInput, { name: 'A' }, { time_zone: 'Asia/Kolkata' }, { time_zone: 'Asia/Kolkata' }],
  [CompanyInput, { name: 'A' }, { time_zone: 'Moon' }, { time_zone: 'Must be a time zone such as Europe/Dublin.' }],
  [SupplierInput, { company_name: 'A' }, { email_address: '' }, { email_address: null }],
  [StockCreateInput, PHONE, { fx_rate: '0,05' }, { fx_rate: 0.05 }],
  [StockCreateInput, PHONE, { fx_rate: '1000000' }, { fx_rate: 1_000_000 }],
  [
    StockCreateInput,
    PHONE,
    { purchase_treatment: 'exempt' },
    { purchase_treatment: 'Must be one of unknown, standard, margin, reverse_charge, intra_community, import.' },
  ],
  [
    SaleCreateInput,
    { stock_items: [{ id: 1 }] },
    { includeVat: '', send_email: '' },
    { includeVat: false, send_email: true },
  ],
  [SaleCreateInput, { stock_items: [{ id: 1 }] }, { create_excel: '' }, { create_excel: undefined }],
  [SaleCreateInput, {}, { stock_items: [] }, { stock_items: 'Choose at least one item.' }],
  [GenerateInvoiceInput, {}, { lang: '' }, { lang: undefined }],
  [GenerateInvoiceInput, {}, { lang: 'xx' }, { lang: 'Must be one of en, de, fr, nl, es, it, pl.' }],
  [
    CustomerInput,
    { first_name: 'A', last_name: 'B', email: 'a@b.test' },
    { lang: '', payment_days: '14' },
    { lang: null, payment_days: 14 },
  ],
  [
    CustomerInput,
    { first_name: 'A', last_name: 'B', email: 'a@b.test' },
    { payment_days: 366 },
    { payment_days: 'At most 365.' },
  ],
])('%# reads its own values', (schema, base, patch, expected) => {
  expect(part(schema, base, patch)).toEqual(expected)
})

test('a password is needed for a new user; an empty one keeps that of an old user', () => {
  const user = { name: 'A', email: 'a@b.test', role: 'ROLE_USER' }
  const required = { password: 'This field is required.' }
  expect([undefined, ''].map((password) => read(UserCreateInput, { ...user, password }))).toEqual([required, required])
  expect(read(UserCreateInput, { ...user, password: 'short' })).toEqual({
    password: expect.stringMatching(/^At least \d+ characters\.$/),
  })
  expect(['', null].map((password) => read(UserInput, { ...user, password }))).toEqual([user, user])
})

test.each([
  [{}, { limit: 100 }],
  [
    { after: ['5', '6'], limit: '250' },
    { after: 5, limit: 250 },
  ],
  [{ after: '', limit: ' ' }, { limit: 100 }],
  [{ after: '-1' }, { after: 'must be from 0 to 2147483647' }],
  [{ limit: '251' }, { limit: 'must be from 1 to 250' }],
  [{ limit: '0' }, { limit: 'must be from 1 to 250' }],
  [{ limit: '1x' }, { limit: 'must be a whole number' }],
  [{ limit: 'x1' }, { limit: 'must be a whole number' }],
  [{ make: ' Apple ' }, { make: ['Apple'], limit: 100 }],
  [{ make: ['Apple', '', 'LG'] }, { make: ['Apple', 'LG'], limit: 100 }],
  [{ make: '' }, { limit: 100 }],
  [{ make: 'a\0' }, { 'make.0': 'has a character that no name has' }],
])('a partner asks for products with %j', (query, expected) => {
  expect(read(PartnerProductQuery, query)).toEqual(expected)
})

test('a partner asks for at most 50 makes, with names that a make can have', () => {
  expect(read(PartnerProductQuery, { make: Array(50).fill('a') })).toMatchObject({ make: Array(50).fill('a') })
  expect(read(PartnerProductQuery, { make: Array(51).fill('a') })).toEqual({ make: 'takes at most 50 names' })
  expect(read(PartnerProductQuery, { make: 'a'.repeat(256) })).toEqual({ 'make.0': 'must have at most 255 characters' })
})

test.each([
  ['grading_x', undefined],
  ['Box', undefined],
  ['x'.repeat(255), undefined],
  ['x'.repeat(256), 'Is not a valid name for a field.'],
  ['', 'Is not a valid name for a field.'],
  [' a', 'Is not a valid name for a field.'],
  ['a\u0007', 'Is not a valid name for a field.'],
  ['grading___proto__', 'Is not a valid name for a field.'],
  ['IMEI', 'Is not a field of a pushed item, or must be written in small letters with underscores.'],
  ['Sales Price', 'Is not a field of a pushed item, or must be written in small letters with underscores.'],
  ['backstock_item', 'Is not a field of a pushed item, or must be written in small letters with underscores.'],
])('a pushed item with a field %j', (field, problem) => {
  const item = { imei: '1', [field]: 'x' }
  expect(read(PushedItem, item)).toEqual(problem ? { [field]: problem } : item)
})

test('a push has items, prices in whole hundredths', () => {
  expect(read(PushInput, { items: [] })).toEqual(read(PushInput, {}))
  expect(read(PushInput, { items: [{ sales_price: 1.5, purchase_price: -1 }] })).toEqual({
    'items.0.sales_price': expect.stringContaining('hundredths'),
    'items.0.purchase_price': 'Must not be negative.',
  })
})
