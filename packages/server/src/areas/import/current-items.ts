import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import type { NamedItem } from '../stock/columns.ts'

/** What a locked item is now, with the names that rows and logs speak of. */
export type CurrentItem = NamedItem & {
  /** Its batch, where the row moves the item and the batch is therefore locked. */
  batch: Selectable<Tables['batch']> | undefined
}

type Names = CurrentItem['product'] & { id: number; supplier: string | null; vat: string | null; batch: string | null }

export async function loadCurrent(
  tx: Tx,
  stock: ReadonlyMap<number, Selectable<Tables['stock']>>,
  batches: ReadonlyMap<number, Selectable<Tables['batch']>>,
): Promise<Map<number, CurrentItem>> {
  const { rows } = await sql<Names>`
    select s.id, m.name as make, p.model, p.capacity, p.capacity_unit, c.name as colour, g.name as category,
      p.display_name, u.company_name as supplier, v.name as vat, b.name as batch
    from stock s
    join product p on p.id = s.actual_product_id
    join make m on m.id = p.make_id
    join category g on g.id = p.category_id
    left join colour c on c.id = p.colour_id
    left join supplier u on u.id = s.supplier_id
    left join vat v on v.id = s.vat_id
    left join batch b on b.id = s.batch_id
    where s.id = any(${[...stock.keys()]}::int[])`.execute(tx)
  return new Map(
    rows.map(({ id, supplier, vat, batch: batchName, ...product }) => {
      const row = stock.get(id)!
      return [id, { row, batch: batches.get(row.batch_id ?? 0), product, supplier, vat, batchName }]
    }),
  )
}
