import pg from 'pg'
import { bankEntryInvariants } from './bank-entries.ts'
import { bulkEditInvariants } from './bulk-edits.ts'
import { customerReturnInvariants } from './customer-returns.ts'
import { deliveryCheckInvariants } from './delivery-checks.ts'
import { documentInvariants } from './documents.ts'
import { importInvariants } from './imports.ts'
import { letterInvariants } from './letters.ts'
import { purchaseReceiptInvariants } from './purchase-receipts.ts'
import { recordInvariants } from './records.ts'
import { referenceInvariants } from './references.ts'
import { TOTALS_INVARIANT, wrongTotals } from './sale-totals.ts'
import { saleInvariants } from './sales.ts'
import { stockInvariants } from './stock.ts'
import { supplierClaimInvariants } from './supplier-claims.ts'

export type Violation = { invariant: string; what: string }

/** The most violations of one invariant in the output, so that they do not hide the others. */
const TOLD = 1000
const invariants = [
  ...stockInvariants,
  ...saleInvariants,
  ...documentInvariants,
  ...supplierClaimInvariants,
  ...customerReturnInvariants,
  ...importInvariants,
  ...bulkEditInvariants,
  ...deliveryCheckInvariants,
  ...bankEntryInvariants,
  ...purchaseReceiptInvariants,
  ...letterInvariants,
  ...recordInvariants,
]

/**
 * Looks for contradictions in the whole database, as of one moment. It only reads, and takes no lock for which a writer
 * would wait, so people can go on working. `heard` is called with each invariant's name after its check.
 */
export async function violationsIn(
  connection: pg.ClientConfig,
  heard: (invariant: string) => void = () => undefined,
): Promise<Violation[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined) // the running query reports it too
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    // The limits end the transaction if the caller is gone, and make it fail rather than wait for a migration.
    await client.query(`set local statement_timeout = '30min'; set local lock_timeout = '3s'; set local jit = off;
      set local idle_in_transaction_session_timeout = '60s'`)
    return await violationsSeenBy(client, heard)
  } finally {
    await client.end()
  }
}

/** Looks for contradictions within the caller's transaction: to all invariants, or to the one of this name. */
export async function violationsSeenBy(
  client: pg.ClientBase,
  heard: (invariant: string) => void = () => undefined,
  only?: string,
): Promise<Violation[]> {
  const found: Violation[] = []
  const isAsked = (name: string) => only === undefined || name === only
  for (const { name, violations } of [...invariants, ...(await referenceInvariants(client))]) {
    if (!isAsked(name)) continue
    const { rows } = await client.query<{ violation: string }>(`select violation from (${violations}) v limit ${TOLD}`)
    found.push(...rows.map(({ violation }) => ({ invariant: name, what: violation })))
    heard(name)
  }
  if (!isAsked(TOTALS_INVARIANT)) return found
  for await (const what of wrongTotals(client)) {
    found.push({ invariant: TOTALS_INVARIANT, what })
    if (found.at(-TOLD)?.invariant === TOTALS_INVARIANT) break
  }
  heard(TOTALS_INVARIANT)
  return found
}
