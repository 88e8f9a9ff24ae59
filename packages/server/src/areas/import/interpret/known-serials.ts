import { imeiKey } from '@backstock/contract/imei.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { IS_IMEI } from '../../stock/identifiers.ts'
import { imeiInSerial, imeiOfSerial, type ParsedRow } from '../read/parse-row.ts'

/**
 * Decides whether serial numbers that look like IMEIs are IMEIs. In a column of serial numbers, one of ten numbers with
 * 15 digits looks like one by chance. It counts as an IMEI only if a phone of the shop has it; otherwise one number
 * could find two items.
 */
export async function settleSerials(db: Db, rows: readonly ParsedRow[]): Promise<void> {
  const asked = rows.flatMap((row) => {
    const imei = row.keepsSerial ? imeiInSerial(row) : null
    return imei === null ? [] : [{ row, key: imeiKey(imei) }]
  })
  if (asked.length === 0) return
  const { rows: known } = await sql<{ key: string }>`
    select k.key from unnest(${[...new Set(asked.map(({ key }) => key))]}::text[]) as k (key)
    where exists (select from stock_identifier where ${IS_IMEI} and left(value, 14) = k.key)`.execute(db)
  const keys = new Set(known.map(({ key }) => key))
  for (const { row, key } of asked) if (keys.has(key)) imeiOfSerial(row)
}
