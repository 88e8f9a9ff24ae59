import { createHash } from 'node:crypto'
import type { BankFileRead } from '@backstock/contract/bank-entry.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { ownTurn } from '../../http/own-turn.ts'
import { invalid } from '../../http/refusal.ts'
import { at, single } from '../../lists.ts'
import type { BankLine, ReadLine } from './read/bank-line.ts'
import type { BankUpload } from './read/read-upload.ts'

/**
 * The most entries of one insert. It takes some milliseconds to write their texts for PostgreSQL, and nothing else runs
 * meanwhile.
 */
const SLICE = 200
/** The columns of an entry. */
const COLUMNS = sql.raw('account, booked_on, amount, is_reversal, name, iban, end_to_end, bank_reference, remittance')

/**
 * Stores the entries of a bank's file that are new. An entry may be in several files. Throws 422 under `file` if the
 * file has no entries, or if this very file was taken in before.
 */
export async function takeIn(tx: Tx, upload: BankUpload, userId: number): Promise<BankFileRead> {
  const { lines, not_booked, name, sha256 } = upload
  if (lines.length === 0)
    throw invalid({
      file:
        not_booked > 0
          ? `This file has no booked entries: ${pendingWords(not_booked)} Download it again when they are booked.`
          : 'This file has no entries.',
    })
  const made = await tx
    .insertInto('bank_file')
    .values({ name, sha256, created_by: userId })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw invalid({ file: await takenBefore(tx, sha256) })
  const fingerprintOf = fingerprints()
  const formerNumberOf = numbering()
  const byDay = lines.toSorted((a, b) => (a.booked_on < b.booked_on ? -1 : Number(a.booked_on > b.booked_on)))
  let taken = 0
  for (let from = 0; from < byDay.length; from += SLICE) {
    await ownTurn()
    const slice = byDay.slice(from, from + SLICE).map((line) => ({ ...line, fingerprint: fingerprintOf(line) }))
    const known = await knownFromBefore(tx, slice, formerNumberOf)
    const entries = slice.filter((line) => !known.has(line))
    if (entries.length > 0) taken += await keep(tx, made.id, entries)
  }
  if (taken === 0)
    throw invalid({ file: `All ${lines.length.toLocaleString('en')} entries of this file have been imported already.` })
  return { id: made.id, taken, repeated: lines.length - taken, not_booked }
}

/** For example `3 entries are still pending at the bank.` */
export const pendingWords = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'entry is' : 'entries are'} still pending at the bank.`

type Sql = RawBuilder<unknown>

/** SQL for lines as rows `line` with the columns of an entry, `nth` from 1, and a column `name` with these values. */
function rowsOf(lines: readonly BankLine[], name: string, values: Sql): Sql {
  const list = <Field extends keyof BankLine>(field: Field) => lines.map((line) => line[field])
  return sql`unnest(${values}, ${list('account')}::text[], ${list('booked_on')}::date[], ${list('amount')}::bigint[],
    ${list('is_reversal')}::boolean[], ${list('name')}::text[], ${list('iban')}::text[], ${list('end_to_end')}::text[],
    ${list('bank_reference')}::text[], ${list('remittance')}::text[])
    with ordinality as line (${sql.ref(name)}, ${COLUMNS}, nth)`
}

/**
 * The lines whose entries version 1.0.0 has stored. It read their references otherwise, so they have other fingerprints;
 * everything that it read is compared. Equal lines are counted: as many are known as entries are stored.
 */
async function knownFromBefore<Line extends ReadLine>(
  tx: Tx,
  lines: readonly Line[],
  numberOf: (key: string) => number,
): Promise<Set<Line>> {
  const formers = lines.flatMap((line) => (line.former ? [{ line, former: line.former }] : []))
  if (formers.length === 0) return new Set()
  const numbers = formers.map(({ former }) => numberOf(JSON.stringify(former)))
  const asBefore = formers.map(({ former }) => former)
  const { rows } = await sql<{ nth: number }>`
    select nth from ${rowsOf(asBefore, 'alike', sql`${numbers}::int[]`)} where alike <= (
      select count(*) from bank_entry e
      where e.amount = line.amount and e.booked_on = line.booked_on and e.account = line.account
        and (e.name, e.iban, e.end_to_end, e.bank_reference, e.remittance) is not distinct from
          (line.name, line.iban, line.end_to_end, line.bank_reference, line.remittance))`.execute(tx)
  return new Set(rows.map(({ nth }) => at(formers, nth - 1).line))
}

/** Stores the entries that are new, and returns how many they are. */
async function keep(tx: Tx, fileId: number, entries: readonly (BankLine & { fingerprint: Buffer })[]): Promise<number> {
  const fingerprints = entries.map(({ fingerprint }) => fingerprint)
  const { rows } = await sql<{ id: number }>`
    insert into bank_entry (file_id, fingerprint, ${COLUMNS})
    select ${fileId}, fingerprint, ${COLUMNS} from ${rowsOf(entries, 'fingerprint', sql`${fingerprints}::bytea[]`)}
    order by booked_on, nth on conflict (fingerprint) do nothing returning id`.execute(tx)
  return rows.length
}

async function takenBefore(tx: Tx, sha256: Buffer): Promise<string> {
  const { rows } = await sql<{ name: string; day: string }>`
    select f.name, (f.created_at at time zone c.time_zone)::date as day from bank_file f, company c
    where f.sha256 = ${sha256}`.execute(tx)
  const before = single(rows)
  return `This file was imported already, on ${before.day} as '${before.name}'.`
}

/** Makes a function that numbers equal keys: 1 for the first. */
function numbering(): (key: string) => number {
  const seen = new Map<string, number>()
  return (key) => {
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return nth
  }
}

/**
 * Makes the fingerprints by which an entry is recognised in another file: account, day, amount and the bank's
 * reference, or its whole content if it has no reference. Equal entries of one file are numbered.
 */
function fingerprints(): (line: BankLine) => Buffer {
  const numberOf = numbering()
  return (line) => {
    const { account, booked_on, amount, bank_reference, end_to_end, name, iban, remittance } = line
    const said = bank_reference === null ? [end_to_end, name, iban, remittance] : [bank_reference, end_to_end]
    const key = JSON.stringify([account, booked_on, amount, ...said])
    return createHash('sha256')
      .update(`${numberOf(key)} ${key}`)
      .digest()
  }
}
