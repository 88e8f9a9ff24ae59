import { readCode } from '@backstock/contract/scan-code.ts'
import type { ScanFound } from '@backstock/contract/stock-scan.ts'
import type { Database } from '../../db/connect.ts'
import { mapTexts } from '../../http/own-turn.ts'
import { zip } from '../../lists.ts'
import { meaningsOf } from './code-meanings.ts'
import { stockRows } from './queries.ts'

/** The item that each code means, in the order of the codes. If a code may mean several items, it gets none. */
export async function findScanned(db: Database, given: readonly string[]): Promise<ScanFound[]> {
  const codes = (await mapTexts(given, readCode)).filter((code) => code !== null)
  const meanings = await meaningsOf(db, codes)
  const ids = meanings.flatMap((meaning) => (typeof meaning === 'object' && 'item' in meaning ? meaning.item : []))
  const rows = await stockRows(db.read, [...new Set(ids)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return zip(codes, meanings).map(([{ code }, meaning]) => {
    if (meaning === 'unknown') return { code, item: null, message: null }
    return 'hint' in meaning
      ? { code, item: null, message: meaning.hint }
      : { code, item: byId.get(meaning.item) ?? null, message: null }
  })
}
