import type { DeliveryCheckInput } from '@backstock/contract/delivery-check.ts'
import { StockQuery } from '@backstock/contract/stock.ts'
import { MAX_MANY } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { conflict, invalid } from '../../http/refusal.ts'
import { recordChanges } from '../../records/log/write.ts'
import { endedImport, inboundOfImport, SENT_BACK } from '../stock/bulk/receive.ts'
import { idsMatching } from '../stock/find.ts'
import { openCheckOf } from './locked-check.ts'

/**
 * Begins a delivery check. It expects the Inbound items of an import, or those that match a filter; without phones that
 * customers have sent back. If the import is being checked already, the answer is its open check. Throws 404 if there is
 * no such import; 409 if the import has not ended or has no Inbound item; 422 if nothing matches the filter, or too many
 * items.
 */
export async function createCheck(
  tx: Tx,
  userId: number,
  { import_id, filter, name }: DeliveryCheckInput,
): Promise<{ id: number; isNew: boolean }> {
  const open = import_id === undefined ? undefined : await openCheckOf(tx, import_id)
  if (open) return { id: open.id, isNew: false }
  const made = import_id === undefined ? await ofFilter(tx, filter ?? {}) : await ofImport(tx, import_id)
  const { expected } = made
  if (expected.length > MAX_MANY) {
    const problem = `At most ${MAX_MANY.toLocaleString('en')} items are checked at once.`
    throw invalid({ [import_id === undefined ? 'filter' : 'import_id']: problem })
  }
  const supplier = await onlySupplier(tx, expected)
  const { rows } = await sql<{ id: number; name: string }>`
    insert into delivery_check (import_id, supplier_id, name, expected, created_by)
    values (${import_id ?? null}, ${supplier?.id ?? null}, ${name ?? made.name ?? supplier?.company_name ?? 'Inbound items'},
      ${expected}::int[], ${userId})
    on conflict (import_id) where state = 'open' do nothing returning id, name`.execute(tx)
  const check = rows[0]
  if (!check) throw new RetryTransaction('Somebody has just begun to check this import.')
  await recordChanges(tx, { userId }, 'Delivery check', check.id, null, {
    name: check.name,
    state: 'open',
    import: import_id === undefined ? null : `#${import_id}`,
    supplier: supplier ? { id: supplier.id, name: supplier.company_name } : null,
    expected_items: expected.length,
  })
  return { id: check.id, isNew: true }
}

type Expected = { expected: number[]; name: string | null }

async function ofImport(tx: Tx, importId: number): Promise<Expected> {
  const { file_name } = await endedImport(tx, importId)
  const expected = await inboundOfImport(tx, importId)
  if (expected.length === 0) throw conflict(`There is nothing to check: no item of import #${importId} is Inbound.`)
  return { expected, name: file_name ?? `Import #${importId}` }
}

async function ofFilter(tx: Tx, filter: NonNullable<DeliveryCheckInput['filter']>): Promise<Expected> {
  const matching = await idsMatching(
    tx,
    StockQuery.parse({ ...filter, search: filter.search ?? undefined, status: 'Inbound' }),
    MAX_MANY,
  )
  const { rows } = await sql<{ id: number }>`
    select s.id from unnest(${matching}::int[]) s (id) where not ${SENT_BACK} order by s.id`.execute(tx)
  if (rows.length === 0) throw invalid({ filter: 'No Inbound item matches.' })
  return { expected: rows.map(({ id }) => id), name: null }
}

/** The supplier of these items, if all have the same one. */
async function onlySupplier(tx: Tx, ids: readonly number[]): Promise<{ id: number; company_name: string } | undefined> {
  const { rows } = await sql<{ id: number; company_name: string }>`
    select v.id, v.company_name from (
      select min(supplier_id) as id from stock where id = any(${ids}::int[])
      having count(distinct supplier_id) = 1 and count(*) = count(supplier_id)) one
    join supplier v on v.id = one.id`.execute(tx)
  return rows[0]
}
