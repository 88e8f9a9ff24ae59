import type { Bench } from '../bench.ts'
import { compare } from '../measure.ts'
import { comparedRow, times } from '../row.ts'
import type { Workload } from './workload.ts'

const SPECIFIED = 'status=In%20Stock'
/** The requirement: a view takes at most twice as long as the standard list. */
const ASKED = 2

/** Views like those that people save: with other columns and with filters. */
async function viewsOf({ db }: Bench): Promise<[title: string, query: string][]> {
  const { rows } = await db.query<{ supplier: number; product: number; make: number; batch: number }>(`
    select s.supplier_id as supplier, s.actual_product_id as product, p.make_id as make,
      (select min(batch_id) from stock where status = 'In Batch') as batch
    from stock s join product p on p.id = s.actual_product_id
    where s.status = 'In Stock' and s.supplier_id is not null order by hashint4(s.id) limit 1`)
  const { supplier, product, make, batch } = rows[0]!
  return [
    ['all columns', `${SPECIFIED}&also=category,vat,age`],
    ['a supplier', `${SPECIFIED}&supplier_id=${supplier}`],
    ['a product', `${SPECIFIED}&product_id=${product}`],
    ['a batch', `status=In%20Batch&batch_id=${batch}`],
    ['without a price', `${SPECIFIED}&unpriced=true`],
    ['Inbound and In Stock', 'status=Inbound,In%20Stock'],
    ['a make', `${SPECIFIED}&make_id=${make}`],
    ['over 90 days old', `${SPECIFIED}&age=over-90`],
    ['price from and to', `${SPECIFIED}&price_from=20000&price_to=21000`],
    ['network locked', `${SPECIFIED}&network_locked=true`],
  ]
}

/** Compares the list as saved views show it with the standard list. Both sides are the server. */
export const views: Workload = {
  id: 'S1v',
  async measure(bench) {
    const { server } = bench.sides
    const path = (query: string) => [{ method: 'GET' as const, path: `/api/stock/find?${query}&per_page=10` }]
    const rows = []
    for (const [title, query] of await viewsOf(bench)) {
      const turns = {
        operations: (side: 'limit' | 'server') => [path(side === 'limit' ? SPECIFIED : query)],
      }
      const compared = await compare(bench.load, { limit: server, server }, turns, 1)
      const row = comparedRow('S1v', `Stock list of a view: ${title}`, compared, undefined)
      rows.push({ ...row, ratioAsked: times(ASKED), met: compared.p50 <= ASKED * compared.limitP50 })
    }
    return rows
  },
}
