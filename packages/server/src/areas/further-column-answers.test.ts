import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../testing/answers.ts'
import type { Client } from '../testing/app.ts'
import { listIds } from '../testing/list-ids.ts'
import { columnJobs } from './further-column.ts'

// Further columns and their take-over, compared with `further-column-answers.txt`. `npm run words` stores it anew.

let tape: Tape
let admin: Client
let user: Client
let quiet: Client

const run = async (sql: string, ...values: unknown[]) => (await tape.t.db.pool.query(sql, values)).rows
const imei = (n: number) => {
  const first = `35600000${String(n).padStart(6, '0')}`
  return first + luhnCheckDigit(first)
}
const quietly = async (work: () => Promise<unknown>) => {
  await work()
  await tape.forgetChanges()
}
type Columns = Record<string, string | number | boolean | object | null>
let items = 0
async function item(columns: Columns): Promise<void> {
  const row = { status: 'In Stock', actual_product_id: 1, purchase_price: 100, imei: imei(++items), ...columns }
  const names = Object.keys(row)
  await run(`insert into stock (${names}) values (${names.map((_, n) => `$${n + 1}`)})`, ...Object.values(row))
}

beforeAll(async () => {
  tape = await openTape()
  admin = await tape.person('Admin', 'ROLE_ADMIN')
  user = await tape.person('Person')
  quiet = await tape.t.user('ROLE_ADMIN')
  await run('truncate grade restart identity cascade')
  await run(`insert into make (name) values ('Apple')`)
  await run(`insert into category (name) values ('Phone')`)
  await run(`insert into grade (name, position) values ('A', 1), ('B  plus', 2)`)
  await run(`insert into product (make_id, category_id, model, display_name) values (1, 1, 'iPhone', 'Apple iPhone')`)
  await run(`insert into partner (name) values ('Shop')`)
  await run(`insert into attribute_name (kind, name, partner_id) values
    ('attribute', 'shelf 10', null), ('grading', 'screen', 1), ('attribute', 'Shelf 9', 1), ('attribute', 'battery', null),
    ('attribute', 'state', null), ('attribute', 'unused', null)`)
  const gone = { status: 'Deleted', in_hand: false }
  await item({
    attributes: { 'shelf 10': 'A1', battery: '90 %', state: 'Minor_Faults' },
    grading_data: { screen: 'a' },
  })
  await item({
    attributes: { 'shelf 10': 'A1', battery: '101', state: 'good' },
    grading_data: { screen: 'b plus' },
    location: 'Here',
  })
  await item({ attributes: { 'shelf 10': ' ', battery: 'x', state: 'good' }, grading_data: { screen: 'C' } })
  await item({
    attributes: { 'shelf 10': 'B2', battery: 'x', 'Shelf 9': 'z' },
    grading_data: { screen: 'A' },
    grade_id: 2,
    ...gone,
  })
  await item({ attributes: { 'shelf 10': 'B2', battery: 80, state: null }, functional: 'working' })
  await item({ attributes: { 'shelf 10': 'y'.repeat(256), state: 'faulty' } })
  await item({ grading_data: { 'shelf 10': 'Not this one', screen: 'C' } })
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const base = '/api/further-column'

/** Carries out the jobs that wait, as a worker does. It stops before the second part if `isStopping`. */
async function removals(isStopping = false): Promise<void> {
  const { column_remove } = columnJobs({ db: tape.t.db, config: tape.t.config, dataDir: '', log: tape.t.app.log })
  const jobs = await run(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = 'column_remove' returning j.payload`,
  )
  for (const { payload } of jobs) {
    let parts = 0
    const signal = { ...new AbortController().signal, aborted: false }
    Object.defineProperty(signal, 'aborted', { get: () => ++parts > 1 && isStopping })
    await column_remove(payload, signal)
  }
}

test('further columns: the answers and the rows that they leave', async () => {
  tape.title('The list of further columns, for administrators')
  await admin.get(`${base}/find`)
  await admin.get(`${base}/find?id=3`)
  await admin.get(`${base}/find?id=99`)
  await admin.get(`${base}/counts`)
  const list = listIds(tape, quiet)
  for (const query of [
    'order=id_asc',
    'order=id_desc',
    'order=name_asc',
    'order=name_desc',
    'search=shelf',
    'search=shop',
    'search=grading',
    'ids=4,2',
    'per_page=2&page=2',
  ])
    await list(`${base}/find?${query}`)
  for (const url of ['find', 'counts', '1/take-over?field=grade']) await user.get(`${base}/${url}`)
  await user.delete(`${base}/1/delete`)
  await user.post(`${base}/1/take-over`, { field: 'grade' })

  tape.title('What a take-over would do')
  for (const [id, field] of [
    [1, 'location'],
    [2, 'grade'],
    [4, 'battery_health'],
    [5, 'functional'],
    [6, 'grade'],
    [3, 'location'],
  ] as const)
    await admin.get(`${base}/${id}/take-over?field=${field}`)
  await admin.get(`${base}/1/take-over?field=x`)
  await admin.get(`${base}/99/take-over?field=grade`)

  tape.title('Values are taken over')
  for (const [id, field] of [
    [1, 'location'],
    [2, 'grade'],
    [4, 'battery_health'],
    [5, 'functional'],
  ] as const)
    await admin.post(`${base}/${id}/take-over`, { field })
  await admin.post(`${base}/1/take-over`, { field: 'location' })
  await admin.post(`${base}/6/take-over`, { field: 'location' })
  await admin.post(`${base}/1/take-over`, {})
  await admin.post(`${base}/99/take-over`, { field: 'grade' })
  await admin.post('/api/stock/bulk/2/undo')
  await admin.get('/api/stock/bulk/find?per_page=2')
  await quietly(() =>
    run(`insert into stock (status, actual_product_id, purchase_price, serial_number, attributes)
      select 'In Stock', 1, 1, 'MANY' || n, jsonb_build_object('unused', 'v' || n) from generate_series(1, 2001) n`),
  )
  await admin.get(`${base}/6/take-over?field=location`)
  await quietly(() => run(`update stock set attributes = '{}' where serial_number like 'MANY%'`))

  tape.title('A column is removed, and a job removes its values')
  await admin.delete(`${base}/2/delete`)
  await tape.act('the job removes the values', () => removals())
  await admin.delete(`${base}/3/delete`)
  await tape.act('the job stops after a part', () => removals(true))
  await tape.act('the job goes on', () => removals())
  await admin.delete(`${base}/6/delete`)
  await admin.delete(`${base}/6/delete`)
  await admin.delete(`${base}/5/delete`)
  await quietly(() => run(`insert into attribute_name (kind, name) values ('attribute', 'state')`))
  await tape.act('the column has come back, so its values stay', () => removals())
  await admin.get(`${base}/find?order=id_asc`)
  await admin.get(`${base}/counts`)
  await admin.get(`/api/user/find?id=${admin.id}`)
  await expect(tape.text()).toMatchFileSnapshot('further-column-answers.txt')
})
