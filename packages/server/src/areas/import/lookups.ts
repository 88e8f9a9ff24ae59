import { vatDisplayName } from '@backstock/contract/vat-rate.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'

type Known = { id: number; name: string }

/** Suppliers and VAT rates by the name that a row gives: all that it may mean, oldest first. */
export type Lookups = {
  suppliers(name: string): Known[]
  vats(name: string): Known[]
}

function grouped(entries: Iterable<[string, Known]>): Map<string, Known[]> {
  const groups = new Map<string, Known[]>()
  for (const [key, known] of entries) {
    const group = groups.get(key)
    if (!group) groups.set(key, [known])
    else if (!group.some(({ id }) => id === known.id)) group.push(known)
  }
  return groups
}

/** Loads what the names of one part need: one query for suppliers, one for the few VAT rates. */
export async function loadLookups(tx: Tx, supplierNames: Iterable<string>): Promise<Lookups> {
  const names = [...new Set(supplierNames)]
  const { rows } = await sql<Known & { typed: string }>`
    select n.typed, s.id, s.company_name as name from unnest(${names}::text[]) as n (typed)
    join supplier s on lower(trim(s.company_name)) = lower(n.typed) order by s.id`.execute(tx)
  const suppliers = grouped(rows.map(({ typed, id, name }) => [typed, { id, name }]))
  const rates = await tx.selectFrom('vat').select(['id', 'name', 'rate']).orderBy('id').execute()
  const vats = grouped(
    rates.flatMap(({ id, name, rate }) =>
      [name.trim(), vatDisplayName(name, rate)].map((known): [string, Known] => [known.toLowerCase(), { id, name }]),
    ),
  )
  return { suppliers: (name) => suppliers.get(name) ?? [], vats: (name) => vats.get(name.toLowerCase()) ?? [] }
}
