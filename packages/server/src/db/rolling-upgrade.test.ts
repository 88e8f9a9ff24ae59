import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testClient, testDatabase } from '../testing/database.ts'
import { migrate, readMigrations } from './migrate.ts'

let database: TestDatabase
let client: pg.Client

/** The test begins with an empty database, as at a first start. */
beforeAll(async () => {
  database = await testDatabase()
  client = testClient(database.connection)
  await client.connect()
  await client.query('drop schema public cascade; create schema public; drop schema if exists graphile_worker cascade')
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

type Column = { type: string; isGenerated: boolean; mustBeFilled: boolean }
type Rule = { name: string; text: string; columns: string[] }
/** `file` is the number of the table's file, which changes if PostgreSQL writes the whole table anew. */
type Table = { file: number; columns: Map<string, Column>; rules: Rule[] }
type Schema = Map<string, Table>

/** The parts of tables and views on which a statement of an older version may fail. */
async function schema(): Promise<Schema> {
  const { rows } = await client.query(`
    select c.relname as table, c.relfilenode::int as file, a.attname as name,
      format_type(a.atttypid, a.atttypmod) as type, a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated",
      a.attnotnull and not a.atthasdef and a.attidentity = '' as "mustBeFilled"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and c.relname <> 'migration'`)
  const tables: Schema = new Map()
  for (const { table, file, name, ...column } of rows) {
    if (!tables.has(table)) tables.set(table, { file, columns: new Map(), rules: [] })
    tables.get(table)!.columns.set(name, column)
  }
  const rules = await client.query(`
    select c.relname as table, r.name, r.text, array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum = any (r.columns)) as columns
    from pg_class c join (
      select conrelid as id, conname as name, pg_get_constraintdef(oid) as text, conkey as columns from pg_constraint
        where contype in ('c', 'f', 'x')
      union all
      select indrelid, indexrelid::regclass::name, pg_get_indexdef(indexrelid), indkey::int2[] from pg_index where indisunique
    ) r on r.id = c.oid where c.relnamespace = 'public'::regnamespace and c.relname <> 'migration'`)
  for (const { table, ...rule } of rules.rows) tables.get(table)!.rules.push(rule)
  return tables
}

/**
 * The uses of the schema `before` that fail or wait with the schema `after`. A rule that is only about new columns does
 * not concern an older server.
 */
function breaks(before: Schema, after: Schema): string[] {
  return [...before].flatMap(([table, old]) => {
    const now = after.get(table)
    if (!now) return [`${table} is gone`]
    const known = [...old.columns].flatMap(([name, was]) => {
      const is = now.columns.get(name)
      if (!is) return [`${table}.${name} is gone`]
      return [
        ...(is.type === was.type ? [] : [`${table}.${name} has another type`]),
        ...(is.isGenerated && !was.isGenerated ? [`${table}.${name} cannot be written`] : []),
      ]
    })
    const filled = [...now.columns].flatMap(([name, { mustBeFilled }]) =>
      mustBeFilled && !old.columns.get(name)?.mustBeFilled ? [`${table}.${name} must be filled`] : [],
    )
    const asked = now.rules.flatMap(({ name, text, columns }) =>
      old.rules.some((rule) => rule.text === text) ||
      (columns.length > 0 && !columns.some((one) => old.columns.has(one)))
        ? []
        : [`${table} obeys ${name}`],
    )
    return [...known, ...filled, ...asked, ...(now.file === old.file ? [] : [`${table} is written anew`])]
  })
}

/** The last migration of 0.1.0. Earlier versions were never released, so nobody runs one beside a newer server. */
const FIRST_RELEASE = '0033_series_of_a_rule.sql'
/**
 * The later migrations on which an older server fails or waits, with the reason. docs/operations.md says how to upgrade
 * then.
 */
const NAMED: Record<string, { why: string; breaks: string[] }> = {
  '0037_purchase_given_back.sql': {
    why: 'A return of a part gave back a part of the purchase: an older server would go on with wrong VAT.',
    breaks: ['document_line obeys document_line_margin_vat', 'sale_item.returned_sales is gone'],
  },
  '0041_supplier_credit.sql': {
    why: 'The cost of an item is a column that PostgreSQL works out, so the new rule writes each row.',
    breaks: ['accounting_settings obeys accounting_settings_check1', 'stock is written anew'],
  },
  '0047_allowances.sql': {
    why: 'A reason more is allowed. The rule on the allowed price holds while it is 0, as an older server leaves it.',
    breaks: ['document obeys document_reason_check', 'sale_item obeys sale_item_allowed_price'],
  },
  '0065_e_invoice_profiles.sql': {
    why: 'More kinds of XML are allowed. An older server writes the two that were allowed before.',
    breaks: ['document_xml obeys document_xml_syntax_check'],
  },
}

test('a migration leaves an older server all that it reads and writes, unless it is named with a reason', async () => {
  const all = await readMigrations()
  const found: typeof NAMED = {}
  let before: Schema = new Map()
  for (const [n, { name }] of all.entries()) {
    await migrate(database.connection, all.slice(0, n + 1))
    const after = await schema()
    const broken = breaks(before, after)
    if (name > FIRST_RELEASE && broken.length > 0)
      found[name] = {
        why: NAMED[name]?.why ?? 'Give a reason, or keep what an older server uses.',
        breaks: broken.sort(),
      }
    before = after
  }
  const named = Object.entries(NAMED).filter(([name]) => all.some((migration) => migration.name === name))
  expect(found).toEqual(Object.fromEntries(named))
})

/** The last migration before the rule against long locks. */
const LAST_WITH_LONG_LOCKS = '0059_bank_entries.sql'
/** The tables of a few rows in every shop: to read one of them takes no time. */
const SHORT_TABLES = new Set(['accounting_settings', 'company', 'reverse_charge_rule', 'supplier'])
/** The later migrations that lock a table for long, with the reason. docs/operations.md says for how long. */
const NAMED_LOCKS: Record<string, { why: string; locks: string[] }> = {
  '0060_debtors.sql': {
    why: 'It came before this rule. It reads the customers, of whom few shops have a hundred thousand.',
    locks: ['customer gets an index while tables are locked', 'customer is read for a check'],
  },
  '0063_sold_products.sql': {
    why: 'It came before this rule, and fills the new column too, which locks longer. The changelog says so.',
    locks: ['sale_item gets an index while tables are locked'],
  },
  '0065_e_invoice_profiles.sql': {
    why: 'It came before this rule. It reads the XML of all documents for one more kind of file.',
    locks: ['customer is read for a check', 'document_xml is read for a check'],
  },
  '0067_letters.sql': {
    why: 'It came before this rule. The index has no row, but PostgreSQL reads all mails for it.',
    locks: ['mail gets an index while tables are locked'],
  },
  '0072_vat_checks.sql': {
    why: 'It came before this rule. The index has no row, but PostgreSQL reads all sales for it.',
    locks: ['sale gets an index while tables are locked'],
  },
}

/** The statements of a migration in lower case, without comments, texts and the bodies of functions. */
const statementsOf = (text: string) =>
  text
    .replace(/'(?:[^']|'')*'|--[^\n]*|\$\$[\s\S]*?\$\$/g, (part) => (part.startsWith("'") ? "''" : ''))
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase())

/**
 * The existing tables that PostgreSQL reads from end to end while nobody can read or write a table that the migration
 * alters. A check can be added `not valid`, and validated by the next migration. An index can be built by a migration of
 * its own: then it only blocks writes.
 */
function longLocks(text: string): string[] {
  const statements = statementsOf(text)
  const made = statements.flatMap((one) => one.match(/^create table (?:if not exists )?(\w+)/)?.[1] ?? [])
  const known = new Set([...made, ...SHORT_TABLES])
  const altered = statements.flatMap((statement) => {
    const [, table, change = ''] = statement.match(/^alter table (?:only )?(\w+) (.*)/) ?? []
    return !table || /^(?:dis|en)able trigger/.test(change) ? [] : [{ table, change }]
  })
  const count = (change: string, part: RegExp) => change.match(part)?.length ?? 0
  const read = altered.flatMap(({ table, change }) =>
    !known.has(table) && count(change, /\bcheck\b/g) > count(change, /\bnot valid\b/g)
      ? [`${table} is read for a check`]
      : [],
  )
  const built = statements.flatMap((statement) => {
    const table = statement.match(/^create (?:unique )?index (?:if not exists )?(?:\w+ )?on (?:only )?(\w+)/)?.[1]
    const isLocked = altered.some((one) => !made.includes(one.table))
    return table && isLocked && !known.has(table) ? [`${table} gets an index while tables are locked`] : []
  })
  return [...new Set([...read, ...built])]
}

test('a migration locks no table while it reads all of it, unless it is named with a reason', async () => {
  const found: typeof NAMED_LOCKS = {}
  for (const { name, text } of await readMigrations()) {
    const locks = longLocks(text)
    if (name > LAST_WITH_LONG_LOCKS && locks.length > 0)
      found[name] = { why: NAMED_LOCKS[name]?.why ?? 'Give a reason, or divide the migration.', locks: locks.sort() }
  }
  expect(found).toEqual(NAMED_LOCKS)
})

test.each([
  ["alter table sale add constraint short check (note <> ';')", ['sale is read for a check']],
  ['alter table sale add column hue int check (hue > 0)', ['sale is read for a check']],
  ['alter table sale add constraint short check (hue > 0) not valid', []],
  ['alter table sale validate constraint short', []],
  ['alter table company add column hue int check (hue > 0)', []],
  [
    'alter table sale add column hue int; -- a new one\ncreate index on sale (hue)',
    ['sale gets an index while tables are locked'],
  ],
  [
    'alter table sale add column hue int; create unique index hue on stock (id)',
    ['stock gets an index while tables are locked'],
  ],
  ['create index hue on sale (id)', []],
  ['create table hue (id int check (id > 0)); alter table hue add column a int; create index on hue (id)', []],
])('long locks of %s', (text, expected) => {
  expect(longLocks(text)).toEqual(expected)
})

test.each([
  ['alter table colour add column hue int', []],
  ['alter table colour add column hue int not null default 1 check (hue > 0)', []],
  ['create table hue (id int primary key, colour_id int references colour)', []],
  ['create index hue on colour (created_at)', []],
  ['alter table colour add column hue int not null', ['colour.hue must be filled']],
  ['alter table colour drop column updated_by', ['colour.updated_by is gone']],
  ['alter table colour rename column updated_by to changed_by', ['colour.updated_by is gone']],
  ['alter table colour alter column updated_by set not null', ['colour.updated_by must be filled']],
  [
    'alter table colour alter column updated_by type text',
    ['colour.updated_by has another type', 'colour is written anew'],
  ],
  ["alter table colour add constraint short check (name < 'x')", ['colour obeys short']],
  ['create unique index once on colour (created_at)', ['colour obeys once']],
  ['alter table sale_vat rename to hue', ['sale_vat is gone']],
  ['drop view sale_line_left', ['sale_line_left is gone']],
])('an older server and %s', async (statement, expected) => {
  await migrate(database.connection)
  const before = await schema()
  await client.query('begin')
  try {
    await client.query(statement)
    expect(breaks(before, await schema())).toEqual(expected)
  } finally {
    await client.query('rollback')
  }
})
