import { createHash } from 'node:crypto'
import type { BankFileRead } from '@backstock/contract/bank-entry.ts'
import { shownDay } from '@backstock/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { ownTurn } from '../../http/own-turn.ts'
import { invalid } from '../../http/refusal.ts'
import { getFrom, single, zip } from '../../lists.ts'
import type { BankLine, ReadLine } from './read/bank-line.ts'
import type { BankUpload } from './read/read-upload.ts'
import { keyOf, numbering, otherwiseStored } from './read/recognise.ts'

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
  const { lines, in_several, not_booked, name, sha256 } = upload
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
  const known = await storedOtherwise(tx, lines)
  const fingerprintOf = fingerprints()
  const byDay = lines.toSorted((a, b) => (a.booked_on < b.booked_on ? -1 : Number(a.booked_on > b.booked_on)))
  let taken = 0
  for (let from = 0; from < byDay.length; from += SLICE) {
    await ownTurn()
    const slice = byDay.slice(from, from + SLICE).map((line) => ({ line, fingerprint: fingerprintOf(line) }))
    const entries = slice.filter(({ line }) => !known.has(line))
    if (entries.length > 0) taken += await keep(tx, made.id, entries)
  }
  if (taken === 0) throw invalid({ file: takenAll(lines.length) })
  return { id: made.id, taken, repeated: lines.length - taken, in_several, not_booked }
}

const takenAll = (count: number): string =>
  count === 1
    ? 'The only entry of this file has been imported already.'
    : `All ${count.toLocaleString('en')} entries of this file have been imported already.`

/** For example `3 entries are still pending at the bank.` */
export const pendingWords = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'entry is' : 'entries are'} still pending at the bank.`

type Sql = RawBuilder<unknown>

/** SQL for lines as rows `line` with the columns of an entry, and with `nth` from 1. */
function rowsOf(lines: readonly BankLine[]): Sql {
  const list = <Field extends keyof BankLine>(field: Field) => lines.map((line) => line[field])
  return sql`unnest(${list('account')}::text[], ${list('booked_on')}::date[], ${list('amount')}::bigint[],
    ${list('is_reversal')}::boolean[], ${list('name')}::text[], ${list('iban')}::text[], ${list('end_to_end')}::text[],
    ${list('bank_reference')}::text[], ${list('remittance')}::text[]) with ordinality as line (${COLUMNS}, nth)`
}

/**
 * The lines whose entries the database may have under other fingerprints, and has: everything that was read is compared
 * with the forms in which the entry may be stored. Equal entries are counted: if two are stored, two of three equal
 * lines are among the answer.
 */
async function storedOtherwise(tx: Tx, lines: readonly ReadLine[]): Promise<Set<ReadLine>> {
  const found = new Set<ReadLine>()
  /** How many stored entries of each form are not found in this file yet. */
  const left = new Map<string, number>()
  const inDoubt = lines.map((line) => ({ line, forms: otherwiseStored(line) })).filter(({ forms }) => forms.length > 0)
  for (let from = 0; from < inDoubt.length; from += SLICE) {
    await ownTurn()
    const slice = inDoubt.slice(from, from + SLICE).map(({ line, forms }) => ({
      line,
      forms: new Map(forms.map((form) => [JSON.stringify(form), form])),
    }))
    const uncounted = new Map(slice.flatMap(({ forms }) => [...forms].filter(([key]) => !left.has(key))))
    for (const [key, count] of zip([...uncounted.keys()], await countsOf(tx, [...uncounted.values()])))
      left.set(key, count)
    for (const { line, forms } of slice) {
      const stored = [...forms.keys()].find((key) => getFrom(left, key) > 0)
      if (stored === undefined) continue
      left.set(stored, getFrom(left, stored) - 1)
      found.add(line)
    }
  }
  return found
}

/** How many entries the database has with exactly these contents, in the order of the lines. */
async function countsOf(tx: Tx, lines: readonly BankLine[]): Promise<number[]> {
  if (lines.length === 0) return []
  const { rows } = await sql<{ count: number }>`
    select (select count(*)::int from bank_entry e
      where e.amount = line.amount and e.booked_on = line.booked_on and e.account = line.account
        and (e.is_reversal, e.name, e.iban, e.end_to_end, e.bank_reference, e.remittance) is not distinct from
          (line.is_reversal, line.name, line.iban, line.end_to_end, line.bank_reference, line.remittance)) as count
    from ${rowsOf(lines)} order by nth`.execute(tx)
  return rows.map(({ count }) => count)
}

/** Stores the entries that are new, and returns how many they are. */
async function keep(
  tx: Tx,
  fileId: number,
  entries: readonly { line: BankLine; fingerprint: Buffer }[],
): Promise<number> {
  const fingerprints = entries.map(({ fingerprint }) => fingerprint)
  const lines = entries.map(({ line }) => line)
  const { rows } = await sql<{ id: number }>`
    insert into bank_entry (file_id, fingerprint, ${COLUMNS})
    select ${fileId}, fingerprint, ${COLUMNS}
    from ${rowsOf(lines)} join unnest(${fingerprints}::bytea[]) with ordinality as print (fingerprint, nth) using (nth)
    order by booked_on, nth on conflict (fingerprint) do nothing returning id`.execute(tx)
  return rows.length
}

async function takenBefore(tx: Tx, sha256: Buffer): Promise<string> {
  const { rows } = await sql<{ name: string; day: string }>`
    select f.name, (f.created_at at time zone c.time_zone)::date as day from bank_file f, company c
    where f.sha256 = ${sha256}`.execute(tx)
  const before = single(rows)
  return `This file was imported already, on ${shownDay(before.day)} as '${before.name}'.`
}

/** Makes the fingerprints by which an entry is recognised in another file. Equal entries of one file are numbered. */
function fingerprints(): (line: ReadLine) => Buffer {
  const numberOf = numbering()
  return (line) => {
    const key = keyOf(line)
    return createHash('sha256')
      .update(`${numberOf(key)} ${key}`)
      .digest()
  }
}
