import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../packages/server/src/testing/app.ts'
import { applyImport, importCsv, uploadCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range, shuffled } from './shop.ts'

// Promise B12 of docs/promises.md: an export is true after any history of an item, and importing it again changes
// nothing. SEED=… repeats a run.
const histories = turns(4, 150)

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
  for (const company_name of ['Supply & Co', '=Sum', 'Händler; GmbH'])
    await t.staff.post('/api/supplier/create', { company_name })
  // One phone that was sold and bought back, before any drawn history.
  const bought = { kind: 'create', imei: '86753090000999', imei2: '', serial: '', ownId: 'B-1', notes: '' } as const
  await take(bought)
  await take({ kind: 'sell', n: 0, at: 0 })
  await take({ kind: 'sale', at: 0, moves: ['Awaiting Dispatch', 'Dispatched'] })
  await take({ ...bought, ownId: '' })
})
afterAll(() => closeSound(t))

/** Only 20 phones, so that the same phone often comes back. */
const phones = range(20).map((n) => `86753090000${String(n).padStart(3, '0')}`)
const imei = fc
  .tuple(fc.constantFrom(...phones), fc.constantFrom('14', '15', '15', '15', '16'))
  .map(([first14, form]) =>
    form === '14' ? first14 : form === '15' ? first14 + luhnCheckDigit(first14) : `${first14}02`,
  )
/** Mostly no second IMEI; sometimes that of another phone, or the phone's own first one. */
const imei2 = fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: imei })
const serial = fc.constantFrom('', '', '', '', '', '', 'SN-1', 'sn-1', 'SN-2', "O'NEIL", '-7', '=1+1', '12345678')
const ownId = fc.constantFrom('', '', '', '', 'B-1', 'B-2', "'B", ';=B')
const notes = fc.oneof(
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...'=+-@\'";,|\t\r\n \u00a0aé0'), maxLength: 30 }),
  fc.constantFrom('6.1" wide', '"quoted"', 'two\nlines', 'x;=1+1', '350000100000015,Apple\n1', 'N/A', '0012.0', '=“”'),
)
/** Values that older versions accepted. */
const strange = fc.constantFrom(
  'N/A',
  'n/a',
  '0',
  '-',
  "'x",
  '="5"',
  '1.0',
  '3.56E+14',
  'a\u200bb',
  'two\nlines',
  '\u00a0',
)

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('create' as const), imei, imei2, serial, ownId, notes }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      rows: fc.array(fc.record({ imei, imei2, serial, ownId, notes, box: notes, grade: notes }), {
        minLength: 1,
        maxLength: 4,
      }),
      update: fc.boolean(),
      status: fc.constantFrom('', 'Inbound', 'In Stock', 'In Stock', 'Deleted'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sell' as const), n: fc.nat(2), at: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('sale' as const),
      at: fc.nat(),
      moves: fc.constantFrom(['Awaiting Dispatch'], ['Awaiting Dispatch', 'Dispatched'], ['Dispatched'], ['Voided']),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('return' as const), at: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      at: fc.nat(),
      change: fc.oneof(
        fc.constantFrom({ status: 'Deleted' }, { status: 'In Stock' }, { vat_type_id: 1 }, { supplier_id: 2 }),
        fc.constantFrom({ sales_price: 12_345 }, { sales_price: null }, { network_locked: true }),
        fc.record({ imei }),
        fc.record({ imei2 }),
        fc.record({ imei, imei2 }),
        fc.record({ engineer_notes: notes }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('batch' as const), at: fc.nat(), lock: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('supplier return' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('old' as const), at: fc.nat(), text: strange }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const one = async (sql: string, at: number): Promise<number | undefined> => {
  const ids = await t.rows<{ id: number }>(sql)
  return ids[at % Math.max(1, ids.length)]?.id
}

/** Does one step of a shop's history. A refusal is a valid answer, an error is not. */
async function take(step: Step): Promise<void> {
  const answer = await done(step)
  if (answer) expect([answer.status < 500, answer.body.message]).toEqual([true, answer.body.message])
}

async function done(step: Step): Promise<Answer | undefined> {
  switch (step.kind) {
    case 'create':
      return t.staff.post('/api/stock/create', {
        ...{
          actual_product_id: t.shop.product,
          purchase_price: 100,
          status: 'In Stock',
          imei: step.imei,
          imei2: step.imei2,
        },
        ...{ serial_number: step.serial, backstock_id: step.ownId, engineer_notes: step.notes },
      })
    case 'import': {
      const head =
        'imei,imei2,serial_number,backstock_id,engineer_notes,Box,grading_grade,make,model,category,purchase_price,status'
      const rows = step.rows.map(({ imei, imei2, serial, ownId, notes, box, grade }) =>
        [imei, imei2, serial, ownId, notes, box, grade, 'Nokia', `${serial} 8.1`, 'Phone', '99,90', step.status]
          .map(quoted)
          .join(),
      )
      const answer = await uploadCsv(t.staff, { csv: [head, ...rows].join('\n'), update_existing: String(step.update) })
      if (answer.status === 202) await applyImport(t, answer.body.data.import_id)
      return answer
    }
    case 'sell': {
      const ids = await t.rows<{ id: number }>(
        `select id from stock where status in ('In Stock', 'In Batch') order by id`,
      )
      const from = step.at % Math.max(1, ids.length)
      const sold = ids.slice(from, from + 1 + step.n).map(({ id }) => id)
      return sold.length
        ? t.sell(t.staff, sold, { stock_items: sold.map((id) => ({ id, sales_price: 500 })) })
        : undefined
    }
    case 'sale': {
      const id = await one(`select id from sale where status not in ('Voided') order by id desc limit 5`, step.at)
      if (id === undefined) return undefined
      const answers = []
      for (const status of step.moves) answers.push(await t.staff.post(`/api/sale/${id}/edit`, { status }))
      return answers.at(-1)
    }
    case 'return': {
      const dispatched = await t.rows<{ sale_id: number; stock_id: number }>(
        `select sale_id, stock_id from sale_item join sale on sale.id = sale_id
         where status = 'Dispatched' and released is null order by 1, 2`,
      )
      const line = dispatched[step.at % Math.max(1, dispatched.length)]
      return line && t.staff.post(`/api/sale/${line.sale_id}/return-item/${line.stock_id}`)
    }
    case 'edit': {
      const id = await one('select id from stock order by id desc limit 30', step.at)
      return id === undefined ? undefined : t.staff.post(`/api/stock/${id}/edit`, step.change)
    }
    case 'batch': {
      const id = await one(`select id from stock where status = 'In Stock' order by id`, step.at)
      return t.staff.post('/api/batch/create', {
        name: '=B;=1',
        is_locked: step.lock,
        items: id === undefined ? [] : [id],
      })
    }
    case 'supplier return':
    case 'old': {
      const id = await one(`select id from stock where status = 'In Stock' order by id`, step.at)
      const set =
        step.kind === 'old'
          ? `serial_number = $2, engineer_notes = $2, backstock_id = case when backstock_id is null then $2 end`
          : `status = 'Returned to Supplier', in_hand = false where id = $1 and $2 = ''`
      const where = step.kind === 'old' ? ' where id = $1' : ''
      // Two items in stock could never have the same serial number, so the update may fail.
      if (id !== undefined)
        await t
          .rows(`update stock set ${set}${where}`, [id, step.kind === 'old' ? step.text : ''])
          .catch(() => undefined)
      return undefined
    }
  }
}

const TABLES = ['stock', 'stock_identifier', 'product', 'make', 'colour', 'category', 'sale', 'sale_item', 'batch']
const state = async () =>
  t.rows(
    `select ${TABLES.map((name) => `(select md5(string_agg(r::text, '|' order by r::text)) from ${name} r) as ${name}`)},
      (select count(*) from log) as logs, (select count(*) from attribute_name) as names`,
  )

test('B12: an export comes back as it is, whatever has happened', async () => {
  let rows = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 90 }), fc.boolean(), async (steps, saved) => {
      for (const one of steps) await take(one)
      const { raw } = await t.staff.get('/api/stock/export/csv')
      const [header, ...records]: string[][] = parse(raw, { bom: true })
      // The export as it is, or as a spreadsheet saves it, with its rows in another order.
      const csv = saved
        ? [header!, ...shuffled(records)].map((cells) => cells.map(quoted).join(';')).join('\r\n')
        : raw.toString()
      const before = await state()
      const form = { csv, update_existing: 'true', delimeter: saved ? ';' : ',' }
      const { content, id } = await importCsv(t, t.staff, form)
      const others = await t.rows(
        `select line, action, errors from import_part p cross join lateral unnest(lines, actions) r (line, action)
         left join import_error e on e.import_id = p.import_id and row_no = line
         where p.import_id = $1 and action <> 'unchanged'`,
        [id],
      )
      expect(others.map((other) => [other, records[Number(other['line']) - 2]])).toEqual([])
      expect(content.data).toMatchObject({ processed_rows: records.length, failed_rows: 0 })
      expect(await state()).toEqual(before)
      rows += records.length
    }),
    { numRuns: histories, endOnFailure: true },
  )
  const [twice] = await t.rows<{ n: number }>(
    `select count(*)::int as n from (select left(imei, 14) from stock group by 1 having count(*) > 1) phones`,
  )
  expect(twice!.n).toBeGreaterThanOrEqual(turns(1, 10))
  reached(
    'B12',
    `${histories} histories, ${rows} rows exported and imported again: all unchanged`,
    'nothing changes, no row fails',
  )
})
