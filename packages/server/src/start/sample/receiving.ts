import { readCode } from '@backstock/contract/scan-code.ts'
import { sql } from 'kysely'
import { createCheck } from '../../areas/delivery-check/create.ts'
import { type Read, scan } from '../../areas/delivery-check/scan.ts'
import type { Meaning } from '../../areas/stock/code-meanings.ts'
import type { Tx } from '../../db/connect.ts'
import { at, first, single } from '../../lists.ts'
import { daysAgo, type Happening } from './backdate.ts'
import { oldestItems } from './sales.ts'
import { seededRandom } from './seeded-random.ts'
import type { Shop } from './shop.ts'

/** The number of items in the newest delivery that have been scanned. */
const SCANNED = 31

/** The check of the newest delivery: some items are missing, and two phones came that nobody expected. */
export function receiving(tx: Tx, shop: Shop): Happening {
  const userId = at(shop.people, 3)
  return {
    at: daysAgo(shop.now, 2, 10),
    async happen() {
      const { rows } = await sql<{ id: number }>`
        select max(import_id) as id from import_part p, unnest(p.stock_ids) item (id) join stock s on s.id = item.id
        where s.status = 'Inbound'`.execute(tx)
      const check = await createCheck(tx, userId, { import_id: single(rows).id })
      const { rows: expected } = await sql<{ id: number; code: string }>`
        select s.id, coalesce(s.imei, s.serial_number) as code from delivery_check c, unnest(c.expected) item (id)
          join stock s on s.id = item.id
        where c.id = ${check.id} order by s.id limit ${SCANNED}`.execute(tx)
      const elsewhere = single(await oldestItems(tx, 1, seededRandom(2)))
      const found = [...expected, first(expected), { id: elsewhere, code: `#${elsewhere}` }]
      const read = (code: string, meaning: Meaning): Read[] => {
        const scanned = readCode(code)
        return scanned ? [{ code: scanned, meaning }] : []
      }
      const reads = found.flatMap(({ id, code }) => read(code, { item: id }))
      await scan(tx, userId, check.id, [...reads, ...read('356938035643809', 'unknown')])
    },
  }
}
