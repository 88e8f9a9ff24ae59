import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let staff: Client
/** The ids of records to which products, stock and sales in these tests refer. */
const base: Record<'make' | 'category' | 'product' | 'customer' | 'sale' | 'stock', number> = {} as never

async function insert(statement: string, ...values: unknown[]): Promise<number> {
  const { rows } = await t.db.pool.query(`insert into ${statement} returning *`, values)
  return rows[0].id
}
let serials = 0
const stock = (column: string, id: number) =>
  insert(
    `stock (status, actual_product_id, serial_number, purchase_price, ${column})
     values ('In Stock', $1, $2, 100, $3)`,
    base.product,
    `S${++serials}`,
    id,
  )

beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  staff = await t.user()
  base.make = await insert(`make (name) values ('Base make')`)
  base.category = await insert(`category (name) values ('Base category')`)
  base.product = await insert(
    `product (make_id, category_id, model, display_name) values ($1, $2, 'Base', 'Base make Base')`,
    base.make,
    base.category,
  )
  base.customer = await insert(`customer (first_name, last_name, email) values ('Base', 'Customer', 'base@x.test')`)
  base.sale = await insert(
    `sale (customer_id, buyer, prices_include_vat, total_items, total_purchase_price, total_sales_price,
       total_sales_price_vat) values ($1, '{"full_name": "Base Customer"}', false, 1, 1, 1, 1)`,
    base.customer,
  )
  base.stock = await insert(
    `stock (status, actual_product_id, serial_number, purchase_price) values ('In Stock', $1, 'BASE', 100)`,
    base.product,
  )
})
afterAll(() => t.close())

type Case = {
  area: string
  title: string
  /** The role that may write. The other role gets a 403. */
  writer: 'staff' | 'admin'
  reader: 'staff' | 'admin'
  /** The field that the tests search, sort by and edit. */
  name: string
  input: (name: string) => Record<string, unknown>
  /** The message for a second record with the same name in another case; undefined if two are allowed. */
  duplicate?: string
  optional?: { field: string; value: unknown }
  /**
   * `use` makes a record that refers to the entry, and `used` is that record's name in the refusal to delete the entry.
   * Both are missing if nothing can refer to such an entry.
   */
  use?: (id: number) => Promise<unknown>
  used?: string
}

const product = (column: 'make_id' | 'category_id' | 'colour_id', id: number) => {
  const ids = { make_id: base.make, category_id: base.category, colour_id: null, [column]: id }
  return insert(
    `product (make_id, category_id, colour_id, model, display_name) values ($1, $2, $3, $4, 'x')`,
    ids.make_id,
    ids.category_id,
    ids.colour_id,
    `Model ${++serials}`,
  )
}
const sale = (customer: number) =>
  insert(
    `sale (customer_id, buyer, prices_include_vat, total_items, total_purchase_price, total_sales_price,
       total_sales_price_vat) values ($1, '{"full_name": "Base Customer"}', false, 1, 1, 1, 1)`,
    customer,
  )

/** The small lists, and everything that behaves like them. A new list needs a new entry here. */
const cases: Case[] = [
  {
    area: 'make',
    title: 'Make',
    writer: 'staff',
    reader: 'staff',
    name: 'name',
    input: (name) => ({ name }),
    duplicate: 'There is already a make with this name.',
    optional: { field: 'logo_image', value: 'apple.png' },
    use: (id) => product('make_id', id),
    used: '1 product',
  },
  {
    area: 'colour',
    title: 'Colour',
    writer: 'staff',
    reader: 'staff',
    name: 'name',
    input: (name) => ({ name }),
    duplicate: 'There is already a colour with this name.',
    use: (id) => product('colour_id', id),
    used: '1 product',
  },
  {
    area: 'category',
    title: 'Category',
    writer: 'staff',
    reader: 'staff',
    name: 'name',
    input: (name) => ({ name }),
    duplicate: 'There is already a category with this name.',
    use: (id) => product('category_id', id),
    used: '1 product',
  },
  {
    area: 'grade',
    title: 'Grade',
    writer: 'admin',
    reader: 'staff',
    name: 'name',
    input: (name) => ({ name }),
    duplicate: 'There is already a grade with this name.',
    optional: { field: 'description', value: 'Light marks of use' },
    use: (id) => stock('grade_id', id),
    used: '1 stock item',
  },
  {
    area: 'vat',
    title: 'VAT type',
    writer: 'admin',
    reader: 'staff',
    name: 'name',
    input: (name) => ({ name, rate: 21 }),
    duplicate: 'There is already a VAT type with this name.',
    use: async (id) => {
      await stock('vat_id', id)
      await t.db.pool.query(
        `insert into sale_item (sale_id, stock_id, position, product_name, vat_id, vat_rate, sales_price, cost)
         values ($1, $2, 1, 'x', $3, 2100, 1, 1)`,
        [base.sale, base.stock, id],
      )
    },
    used: '1 stock item and 1 sale item',
  },
  {
    area: 'supplier',
    title: 'Supplier',
    writer: 'staff',
    reader: 'staff',
    name: 'company_name',
    input: (company_name) => ({ company_name }),
    optional: { field: 'email_address', value: 'office@supplier.test' },
    use: async (id) => {
      for (const _ of [1, 2]) await stock('supplier_id', id)
      await insert('supplier_claim (supplier_id) values ($1)', id)
      await insert(`delivery_check (supplier_id, name, expected) values ($1, 'Box', '{}')`, id)
      await insert(
        `purchase_receipt (supplier_id, year, number, kind, seller_name, issued_on, bought_on, currency, total, items, lang,
           data, identifiers)
         values ($1, 2026, 1, 'private', 'Ann', '2026-01-02', '2026-01-02', 'EUR', 1, 1, 'en', '{}', '')`,
        id,
      )
    },
    used: '2 stock items, 1 supplier claim, 1 delivery check and 1 purchase receipt',
  },
  {
    area: 'product',
    title: 'Product',
    writer: 'staff',
    reader: 'staff',
    name: 'model',
    input: (model) => ({ make_id: base.make, category_id: base.category, model }),
    duplicate: 'There is already a product with this make, model, capacity and colour.',
    optional: { field: 'image_url', value: 'https://pictures.test/1.png' },
    use: async (id) => {
      const expected = await stock('expected_product_id', id)
      await t.db.pool.query('update stock set actual_product_id = $1 where id = $2', [id, expected])
    },
    used: '1 stock item',
  },
  {
    area: 'customer',
    title: 'Customer',
    writer: 'staff',
    reader: 'staff',
    name: 'last_name',
    input: (last_name) => ({ first_name: 'Q', last_name, email: 'someone@customer.test' }),
    optional: { field: 'vat_number', value: 'IE1234567T' },
    use: async (id) => {
      await sale(id)
      await insert(`partner (name, customer_id) values ('Buyer', $1)`, id)
    },
    used: '1 sale and 1 partner',
  },
  {
    area: 'partner',
    title: 'Partner',
    writer: 'admin',
    reader: 'admin',
    name: 'name',
    input: (name) => ({ name }),
    optional: { field: 'customer_id', value: 1 },
    use: (id) => stock('partner_id', id),
    used: '1 stock item',
  },
]

describe.each(cases)('$area', ({ area, title, writer, reader, name, input, duplicate, optional, use, used }) => {
  const url = `/api/${area}`
  let who: Client
  let number = 0
  beforeAll(() => {
    who = writer === 'admin' ? admin : staff
  })
  const create = async (text = `Record ${++number}`): Promise<number> => {
    const answer = await who.post(`${url}/create`, input(text))
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data.id
  }
  const load = async (id: number) => (await who.get(`${url}/find?id=${id}`)).body.data[0]
  const find = async (query: string): Promise<string[]> =>
    (await who.get(`${url}/find?${query}`)).body.data.map((row: Record<string, unknown>) => row[name])

  test('POST and PUT create, an edit changes what it sends and null clears', async () => {
    const posted = await who.post(`${url}/create`, { ...input('Posted'), ...(optional && pair(optional)) })
    const put = await who.put(`${url}/create`, input('Put'))
    for (const [answer, text] of [
      [posted, 'Posted'],
      [put, 'Put'],
    ] as const) {
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({ success: true, message: `${title} #${answer.body.data.id} created.` })
      expect((await load(answer.body.data.id))[name]).toBe(text)
    }
    const id = posted.body.data.id
    const edited = await who.patch(`${url}/${id}/edit`, { [name]: 'Edited' })
    expect(edited.body).toMatchObject({ success: true, message: `${title} #${id} saved.` })
    expect(await load(id)).toMatchObject({ [name]: 'Edited', ...(optional && pair(optional)) })
    if (optional) {
      expect((await who.post(`${url}/${id}/edit`, { [optional.field]: null })).status).toBe(200)
      expect(await load(id)).toMatchObject({ [name]: 'Edited', [optional.field]: null })
    }
    expect((await who.post(`${url}/${id}/edit`)).status).toBe(200)
    expect((await who.post(`${url}/${id}/edit`, { [name]: null })).body.data.errors).toHaveProperty(name)
    expect((await who.post(`${url}/create`)).body.data.errors).toHaveProperty(name)
    expect((await who.post(`${url}/999999/edit`, { [name]: 'x' })).status).toBe(404)
  })

  test('names are unique, ignoring case, if they must be', async () => {
    await create('Only one')
    const other = await create()
    const twice = await who.post(`${url}/create`, input('ONLY one'))
    const renamed = await who.post(`${url}/${other}/edit`, { [name]: 'only ONE' })
    if (duplicate) {
      for (const answer of [twice, renamed]) {
        expect(answer.status).toBe(422)
        expect(answer.body.data.errors).toEqual({ [name]: duplicate })
      }
      expect((await load(other))[name]).not.toBe('only ONE')
    } else expect([twice.status, renamed.status]).toEqual([201, 200])
  })

  test('a stale edit is refused and changes nothing', async () => {
    const id = await create()
    const { updated_at } = await load(id)
    expect((await who.post(`${url}/${id}/edit`, { [name]: 'First', updated_at })).status).toBe(200)
    const stale = await who.post(`${url}/${id}/edit`, { [name]: 'Second', updated_at })
    expect(stale.status).toBe(409)
    expect(stale.body.message).toMatch(/^Changed by Person \d .+ ago$/)
    expect((await load(id))[name]).toBe('First')
  })

  test('an edit that changes nothing leaves no trace', async () => {
    const id = await create()
    const before = await load(id)
    expect((await who.post(`${url}/${id}/edit`, { ...input(String(before[name])), [name]: before[name] })).status).toBe(
      200,
    )
    expect(await load(id)).toEqual(before)
  })

  test('lists are searched, ordered, chosen by ids and headed by ajax_id', async () => {
    const [tenth, ninth, accented] = [await create('Zümo 10'), await create('zumo 9'), await create('Égoïste')]
    expect(await find('search=ZUMO&order=id_asc')).toEqual(['Zümo 10', 'zumo 9'])
    expect(await find('search=go%C3%AFs')).toEqual(['Égoïste'])
    expect(await find('search=eg')).toEqual(['Égoïste'])
    expect(await find('search=go')).toEqual([])
    expect(await find(`search=${tenth}`)).toContain('Zümo 10')
    if (area !== 'customer') expect(await find(`search=zumo&order=${name}_asc`)).toEqual(['zumo 9', 'Zümo 10'])
    expect(await find(`ids=${tenth},${accented}&order_by=id_asc`)).toEqual(['Zümo 10', 'Égoïste'])
    expect(await find('ids=')).toEqual([])
    const shown = await who.get(`${url}/find?search=zumo&ajax_id=${accented}&order=id_asc`)
    expect(shown.body.data.map((row: { id: number }) => row.id)).toEqual([accented, tenth, ninth])
    expect(shown.body.total).toBe(2)
    const unknown = await who.get(`${url}/find?order=password_desc`)
    expect([unknown.status, unknown.body.message]).toEqual([400, expect.stringContaining('order')])
    expect((await who.get(`${url}/find?per_page=251`)).status).toBe(400)
  })

  test('a record in use cannot be deleted; one that nobody uses can', async () => {
    const [id, free] = [await create(), await create()]
    if (use) {
      await use(id)
      const refused = await who.delete(`${url}/${id}/delete`)
      expect(refused.status).toBe(409)
      expect(refused.body.message).toBe(`${title} #${id} is used by ${used} and cannot be deleted.`)
      expect(await load(id)).toBeDefined()
    }
    expect((await who.delete(`${url}/${free}/delete`)).status).toBe(200)
    expect(await load(free)).toBeUndefined()
    expect((await who.delete(`${url}/${free}/delete`)).status).toBe(404)
  })

  test('roles hold', async () => {
    const id = await create()
    expect((await staff.get(`${url}/find`)).status).toBe(reader === 'admin' ? 403 : 200)
    const allowed = writer === 'admin' ? [403, 403, 403] : [201, 200, 200]
    const wrote = [
      await staff.post(`${url}/create`, input('By staff')),
      await staff.post(`${url}/${id}/edit`, { [name]: 'By staff too' }),
      await staff.delete(`${url}/${id}/delete`),
    ]
    expect(wrote.map(({ status }) => status)).toEqual(allowed)
  })
})

const pair = ({ field, value }: { field: string; value: unknown }) => ({ [field]: value })

test('a VAT rate is percent on the wire and exact hundredths of a percent in the table', async () => {
  for (const [rate, stored, display] of [
    [8.35, 835, 'Rate 8.35 (8.35%)'],
    [0, 0, 'Rate 0 (0%)'],
    ['19,6', 1960, 'Rate 19,6 (19.6%)'],
    [100, 10_000, 'Rate 100 (100%)'],
  ] as const) {
    const { data } = (await admin.post('/api/vat/create', { name: `Rate ${rate}`, rate })).body
    expect(data).toMatchObject({ rate: stored / 100, display_name: display })
    const { rows } = await t.db.pool.query('select rate from vat where id = $1', [data.id])
    expect(rows).toEqual([{ rate: stored }])
  }
  for (const rate of [-1, 100.01, 8.355, 'many', null, undefined])
    expect((await admin.post('/api/vat/create', { name: 'Bad', rate })).body.data.errors).toHaveProperty('rate')
})

test('a VAT type says why it is exempt as long as it is, and a rate above 0 always means VAT', async () => {
  const reason = { exemption_text: 'Article 132', exemption_code: 'VATEX-EU-132' }
  const input = { name: 'Exempt so far', rate: 0, treatment: 'exempt', ...reason }
  const { data } = (await admin.post('/api/vat/create', input)).body
  expect(data).toMatchObject(input)
  const none = { exemption_text: null, exemption_code: null }
  for (const [fields, after] of [
    [{ treatment: 'zero' }, { treatment: 'zero', ...none }],
    [{ treatment: 'exempt' }, { treatment: 'exempt', ...none }],
    [reason, { treatment: 'exempt', ...reason }],
    [{ rate: 7 }, { treatment: 'standard', rate: 7, ...none }],
    [{ rate: 0 }, { treatment: null, rate: 0 }],
  ])
    expect((await admin.post(`/api/vat/${data.id}/edit`, fields)).body.data).toMatchObject(after!)
})

test('names that begin with the search come first for a select, page by page; elsewhere the newest do', async () => {
  for (const company_name of ['Northern Kestrel', 'Kestrel Two', 'Old Kestrel', 'Kestrel One'])
    await staff.post('/api/supplier/create', { company_name })
  const found = async (query: string) =>
    (await staff.get(`/api/supplier/find?search=kestr&${query}`)).body.data.map(
      (row: { company_name: string }) => row.company_name,
    )
  expect(await found('select=true')).toEqual(['Kestrel One', 'Kestrel Two', 'Old Kestrel', 'Northern Kestrel'])
  expect(await found('select=true&per_page=3&page=2')).toEqual(['Northern Kestrel'])
  expect(await found('')).toEqual(['Kestrel One', 'Old Kestrel', 'Kestrel Two', 'Northern Kestrel'])
})

test('a supplier keeps who changed what, also after it is deleted', async () => {
  const input = { company_name: 'Phones Ltd', first_name: 'Pat', last_name: 'Byrne', phone_number: '' }
  const { data } = (await staff.post('/api/supplier/create', input)).body
  expect(data).toMatchObject({ full_name: 'Pat Byrne', phone_number: null })
  await admin.post(`/api/supplier/${data.id}/edit`, { first_name: null, company_name: 'Phones Ltd' })
  const [edited, created] = (await staff.get(`/api/supplier/find?id=${data.id}`)).body.data[0].logs
  expect(edited).toMatchObject({
    user_id: admin.id,
    content: { type: 'model_update', data: [{ attributeName: 'first_name', from: 'Pat', to: null }] },
  })
  expect(created.content.data).toEqual(
    ['company_name', 'first_name', 'last_name'].map((attributeName) => ({
      attributeName,
      from: null,
      to: input[attributeName as keyof typeof input],
    })),
  )
  // In its country, VAT numbers begin with letters.
  const numbered = await staff.post(`/api/supplier/${data.id}/edit`, { country_code: 'pl', vat_number: '8567346215' })
  expect(numbered.body).toMatchObject({
    ...{ type: 'warning', message: expect.stringMatching(/^Supplier #\d+ saved\. 8567346215 .+ such as PL\.$/) },
    data: { country_code: 'PL', vat_number: '8567346215' },
  })
  expect(numbered.body.data.logs[0].content.data).toEqual([
    { attributeName: 'vat_number', from: null, to: '8567346215' },
    { attributeName: 'country', from: null, to: 'Poland' },
  ])
  // Each save says so, also one of another field.
  expect((await staff.post(`/api/supplier/${data.id}/edit`, { first_name: 'Pat' })).body.type).toBe('warning')
  await staff.delete(`/api/supplier/${data.id}/delete`)
  const logs = (await staff.get(`/api/log/find?loggable_type=Supplier&loggable_id=${data.id}`)).body
  expect([logs.total, logs.data[0].content.data.message]).toEqual([5, 'Supplier Phones Ltd was deleted.'])
})
