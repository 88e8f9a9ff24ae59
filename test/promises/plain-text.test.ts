import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { PASSWORD } from '../../packages/server/src/testing/app.ts'
import { newImei } from '../../packages/server/src/testing/shop.ts'
import { full, reached } from './figures.ts'
import { otherAreas } from './routes.ts'
import { closeSound, type PromiseShop, promiseShop, shuffled } from './shop.ts'

// Promise B14 of docs/promises.md: characters that are invisible or look like others do not make a second record.
let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

/** Characters that cannot be seen: zero-width characters, marks of direction, fillers, tags, blanks. */
const UNSEEN = ['\u200b', '\u200d', '\u202e', '\u2066', '\ufeff', '\u00ad', '\u034f', '\u3164', '\u2800', '\u{e0041}']
const CONTROLS = ['\u0000', '\u0007', '\u001b', '\u007f', '\u009f']
const wide = (text: string) =>
  text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000')
const within = (text: string, one: string) => `${text.slice(0, 1)}${one}${text.slice(1)}`
/** All of these in the full run, twelve of them in the daily run. */
const some = <Item>(all: readonly Item[]) => (full ? all : shuffled(all).slice(0, 12))

/** Texts that look like this one. */
const doubles = (text: string) => [
  ...UNSEEN.flatMap((one) => [one + text, text + one, within(text, one)]),
  wide(text),
  `\u00a0${text}\u2003`,
]

/** Every field of a schema with its path, also those in nested schemas, lists and alternatives. */
function fieldsOf(schema: z.core.$ZodType, at: string): [string, z.ZodType][] {
  const { def } = schema._zod
  const inner = Object.values(def).flat().filter(isSchema)
  const fields = def.type === 'object' ? Object.entries((def as z.core.$ZodObjectDef).shape) : []
  return [
    ...fields.map(([name, field]): [string, z.ZodType] => [`${at}.${name}`, field as z.ZodType]),
    ...fields.flatMap(([name, field]) => fieldsOf(field, `${at}.${name}`)),
    ...inner.flatMap((part) => fieldsOf(part, at)),
  ]
}
const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value

/** The fields of all schemas for input that the contract exports. */
async function writtenFields(): Promise<[string, z.ZodType][]> {
  const folder = path.join(import.meta.dirname, '../../packages/contract/src')
  const files = readdirSync(folder).filter((name) => !name.includes('.test.'))
  const exported = await Promise.all(files.map((file): Promise<object> => import(path.join(folder, file))))
  return exported.flatMap((module) =>
    Object.entries(module).flatMap(([name, schema]) =>
      isSchema(schema) && /Input$|^New/.test(name) ? fieldsOf(schema, name) : [],
    ),
  )
}

/** A field takes free text if it accepts one of these and leaves it unchanged. */
const SAMPLES = ['Abc 12', 'someone@example.test', '490154203237518']

test('B14: no field takes text that cannot be seen, or one text in two forms', async () => {
  const checked: string[] = []
  for (const [name, field] of await writtenFields()) {
    const read = (text: string) => field.safeParse(text)
    const sample = SAMPLES.find((text) => read(text).data === text)
    // A password may contain any character, so it is not checked.
    if (!sample || name.endsWith('.password')) continue
    checked.push(name)
    // Notes are not looked up, so their wide letters stay.
    const isNotes = read('a\nb').data === 'a\nb'
    for (const one of doubles(sample))
      if (!isNotes || one !== wide(sample)) expect([name, one, read(one).data]).toEqual([name, one, sample])
    for (const one of UNSEEN) expect([name, one, read(` ${one}`).data ?? null]).toEqual([name, one, null])
    for (const one of CONTROLS) expect([name, one, read(within(sample, one)).success]).toEqual([name, one, false])
  }
  // Fields that must be among them: proof that nested schemas, lists and alternatives were read.
  for (const name of ['MakeInput.name', 'UserCreateInput.email', 'LoginInput.username', 'StockInput.serial_number'])
    expect(checked).toContain(name)
  for (const name of ['CustomerInput.billing_address.city', 'PushInput.items.imei', 'NewCustomer.customer_email'])
    expect(checked).toContain(name)
  fields = checked.length
})
let fields = 0

/** Areas besides the known ones whose records need only a name, which must be unique. */
async function otherNames(known: readonly string[]): Promise<[string, string, string, object][]> {
  const admin = await t.user('ROLE_ADMIN')
  const found: [string, string, string, object][] = []
  for (const area of otherAreas(t.app, known)) {
    const create = async () => (await admin.post(`/api/${area}/create`, { name: 'One alone' })).status
    if ((await create()) === 201 && (await create()) === 422) found.push([area, 'name', 'Nothing', {}])
  }
  return found
}

test('B14: nothing that looks like a make, an account or an item becomes a second one', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const imei = newImei()
  const { vat, product } = t.shop
  const { body } = await admin.get(`/api/product/find?id=${product}`)
  const { make_id, category_id } = body.data[0]
  const item = { actual_product_id: product, vat_type_id: vat.zero, purchase_price: 100 }
  const kinds: [string, string, string, object][] = [
    ['make', 'name', 'Nothing', {}],
    ['colour', 'name', 'Deep Blue', {}],
    ['category', 'name', 'Watches', {}],
    ['vat', 'name', 'Reduced', { rate: 7 }],
    ['product', 'model', 'Pixel 9', { make_id, category_id }],
    ['user', 'email', 'someone@shop.test', { name: 'Someone', role: 'ROLE_USER', password: PASSWORD }],
    ['stock', 'serial_number', 'F2LX 77', item],
    ['stock', 'backstock_id', 'B-77', { ...item, serial_number: 'F2LX 78' }],
    ['stock', 'imei', imei, item],
  ]
  kinds.push(...(await otherNames(kinds.map(([area]) => area))))
  let tried = 0
  for (const [area, field, text, others] of kinds) {
    expect((await admin.post(`/api/${area}/create`, { ...others, [field]: text })).status).toBe(201)
    const count = async () => (await admin.get(`/api/${area}/find?per_page=1`)).body.total
    const before = await count()
    for (const one of some([...doubles(text), ...CONTROLS.map((control) => within(text, control)), ...UNSEEN])) {
      const serial = field === 'backstock_id' && { serial_number: `F2LX ${tried}` }
      // A Backstock ID that consists only of invisible characters is empty, and an item needs no Backstock ID.
      if (field === 'backstock_id' && UNSEEN.includes(one)) continue
      const answer = await admin.post(`/api/${area}/create`, { ...others, ...serial, [field]: one })
      expect([area, field, one, answer.status]).toEqual([area, field, one, 422])
      tried++
    }
    expect(await count()).toBe(before)
  }

  // Each of these texts finds the record.
  const found = async (search: string) =>
    (await admin.get(`/api/make/find?search=${encodeURIComponent(search)}`)).body.total
  for (const one of some(doubles('Nothing'))) expect([one, await found(one)]).toEqual([one, 1])
  for (const text of [imei, 'F2LX 77', 'B-77'])
    expect((await admin.post('/api/stock/quick-order-find', { lines: doubles(text) })).body).toMatchObject({
      data: [{ [text === imei ? 'imei' : text === 'B-77' ? 'backstock_id' : 'serial_number']: text }],
      not_found: [],
    })
  for (const one of some(doubles('someone@shop.test')).slice(0, 5))
    expect((await admin.post('/api/login', { username: one, password: PASSWORD })).status).toBe(200)
  reached('B14', `${fields} fields, ${tried} doubles refused`, 'no second one, none counts as filled in')
})
