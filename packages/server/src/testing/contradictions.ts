import type pg from 'pg'
import { violationsIn } from '../invariants/check.ts'

/**
 * What `check:data` names in a database, but for what faults and random requests may rightly leave: documents with a
 * number whose file could not be made, or that a person took off before. A person makes those.
 */
export async function contradictionsIn(connection: pg.ClientConfig) {
  const found = await violationsIn(connection)
  return found.filter(({ what }) => !/ has a number and no file: /.test(what))
}
