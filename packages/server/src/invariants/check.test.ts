import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROKEN } from '../testing/broken-data.ts'
import { type TestDatabase, testClient } from '../testing/database.ts'
import { sampleDatabase } from '../testing/sample-database.ts'
import { full } from '../testing/turns.ts'
import { violationsIn, violationsSeenBy } from './check.ts'

let shop: TestDatabase
let client: pg.Client
beforeAll(async () => {
  shop = await sampleDatabase()
  client = testClient(shop.connection)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.drop()
})

test('a shop that has traded for half a year has no violation', async () => {
  expect(await violationsIn(shop.connection)).toEqual([])
})

test.each(BROKEN)('%s breaks: %s', async (sql, invariant) => {
  await client.query('begin')
  try {
    // Triggers and foreign keys are switched off, because damaged data does not pass through them either.
    await client.query(`set local session_replication_role = replica; ${sql}`)
    // The daily run asks for this invariant alone: each of the others has broken data of its own.
    const found = await violationsSeenBy(client, undefined, full ? undefined : invariant)
    expect(found.map((violation) => violation.invariant)).toContain(invariant)
    expect(found.every(({ what }) => /#\d+|Inbound|administrator|\d{4}/.test(what))).toBe(true)
  } finally {
    await client.query('rollback')
  }
})

/** A row of each table that the database keeps for good, and a change of it. */
const KEPT: [table: string, row: string, change: string][] = [
  [
    'supplier_credit',
    `(booked_on, claim_id, stock_id, amount, lowers) values (now(), 1, 1, 100, 100)`,
    'amount = 1, lowers = 1',
  ],
  [
    'purchase_correction',
    `(booked_on, document_id, stock_id, claim_id, treatment, purchase, margin, margin_vat)
     values (now(), 1, 1, 1, 'standard', 100, 0, 0)`,
    'purchase = 1',
  ],
  ['bank_booking', `values (99999, 99999)`, 'entry_id = 1'],
  [
    'letter',
    `(customer_id, kind, way, lang, made_on, total, invoices, data, file_id)
     values (1, 'statement', 'email', 'en', now(), 100, 1, '{}', 1)`,
    'total = 1',
  ],
  [
    'letter_line',
    `(letter_id, document_id, sale_id, level, made_on, due_on, open_amount) values (99999, 1, 1, 1, now(), now(), 100)`,
    'open_amount = 1',
  ],
  [
    'purchase_receipt_file',
    `(receipt_id, lang, status, file_id) values (99999, 'de', 'ready', 1)`,
    `status = 'failed', file_id = null`,
  ],
  [
    'document_xml',
    `(document_id, version, syntax, content, sha256) values (99999, 1, 'ubl', 'x', sha256('x'))`,
    `syntax = 'cii'`,
  ],
  ['document_profile', `select id, 'peppol' from document where left_at is not null limit 1`, `profile = 'xrechnung'`],
]

test.each(KEPT)('a row of %s is written for good', async (table, row, change) => {
  for (const statement of [`update ${table} set ${change}`, `delete from ${table}`]) {
    await client.query(`begin; set local session_replication_role = replica; insert into ${table} ${row};
      set local session_replication_role = origin`)
    await expect(client.query(statement), statement).rejects.toThrow(/never changed or deleted|sealed|does not change/)
    await client.query('rollback')
  }
})

/** Runs the command. Returns its output and its exit code. */
async function run(): Promise<[string, number | null]> {
  const child = spawn(process.execPath, ['packages/server/src/commands/check-data.ts'], {
    cwd: path.resolve(import.meta.dirname, '../../../..'),
    env: { ...process.env, DATABASE_URL: shop.url },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  const [code] = await once(child, 'close')
  return [output, code]
}

test('the command names what is wrong with its ids, and says so by its exit code', async () => {
  expect(await run()).toEqual([expect.stringMatching(/^All \d+ rules hold\n$/), 0])
  await client.query(`update basket set items = items || 999999`)
  const [output, code] = await run()
  const said =
    /^Broken rule: .*: the basket of user #1 has item #999999, which is not there\n1 violation found, \d+ rules checked\n$/
  expect([output, code]).toEqual([expect.stringMatching(said), 1])
  await client.query(`update basket set items = array_remove(items, 999999)`)
  await client.query(`update migration set name = 'x' || name where name = (select min(name) from migration)`)
  expect(await run()).toEqual([
    'This database belongs to another version of Backstock. Start the server once, then check it.\n',
    2,
  ])
  await client.query(`update migration set name = substr(name, 2) where name like 'x%'`)
})
