import { createHash } from 'node:crypto'
import type { BankFileRead } from '@backstock/contract/bank-entry.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { ownTurn } from '../../http/own-turn.ts'
import { invalid } from '../../http/refusal.ts'
import { single } from '../../lists.ts'
import type { BankLine } from './read/bank-line.ts'
import type { BankUpload } from './read/read-upload.ts'

/**
 * The most entries of one insert. It takes some milliseconds to write their texts for PostgreSQL, and nothing else runs
 * meanwhile.
 */
const SLICE = 200
/** The columns that an insert of entries fills. */
const COLUMNS = sql.raw(
  'fingerprint, account, booked_on, amount, is_reversal, name, iban, end_to_end, bank_reference, remittance',
)

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
          ? `This file has no booked entries; the bank has only announced ${not_booked}. Download it again when they are booked.`
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
  const byDay = lines.toSorted((a, b) => (a.booked_on < b.booked_on ? -1 : Number(a.booked_on > b.booked_on)))
  let taken = 0
  for (let from = 0; from < byDay.length; from += SLICE) {
    await ownTurn()
    const entries = byDay.slice(from, from + SLICE).map((line) => ({ ...line, fingerprint: fingerprintOf(line) }))
    taken += await keep(tx, made.id, entries)
  }
  if (taken === 0)
    throw invalid({ file: `All ${lines.length.toLocaleString('en')} entries of this file have been imported already.` })
  return { id: made.id, taken, repeated: lines.length - taken, not_booked }
}

/** Stores the entries that are new, and returns how many they are. */
async function keep(tx: Tx, fileId: number, entries: readonly (BankLine & { fingerprint: Buffer })[]): Promise<number> {
  const list = <Field extends keyof (typeof entries)[number]>(field: Field) => entries.map((entry) => entry[field])
  const { rows } = await sql<{ id: number }>`
    insert into bank_entry (file_id, ${COLUMNS})
    select ${fileId}, ${COLUMNS} from unnest(${list('fingerprint')}::bytea[], ${list('account')}::text[],
      ${list('booked_on')}::date[], ${list('amount')}::bigint[], ${list('is_reversal')}::boolean[], ${list('name')}::text[],
      ${list('iban')}::text[], ${list('end_to_end')}::text[], ${list('bank_reference')}::text[], ${list('remittance')}::text[])
      with ordinality as entry (${COLUMNS}, nth)
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

/**
 * Makes the fingerprints by which an entry is recognised in another file: account, day, amount and the bank's
 * reference, or its whole content if it has no reference. Equal entries of one file are numbered.
 */
function fingerprints(): (line: BankLine) => Buffer {
  const alike = new Map<string, number>()
  return (line) => {
    const { account, booked_on, amount, bank_reference, end_to_end, name, iban, remittance } = line
    const said = bank_reference === null ? [end_to_end, name, iban, remittance] : [bank_reference, end_to_end]
    const key = JSON.stringify([account, booked_on, amount, ...said])
    const nth = (alike.get(key) ?? 0) + 1
    alike.set(key, nth)
    return createHash('sha256').update(`${nth} ${key}`).digest()
  }
}
