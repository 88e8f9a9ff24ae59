import type pg from 'pg'
import { violationsIn } from '../invariants/check.ts'

/**
 * What `check:data` names in a database, but for what faults and random requests may rightly leave: documents with a
 * number that a person took off before they were made, or while which processes were killed twice. A person makes those.
 */
export async function contradictionsIn(connection: pg.ClientConfig) {
  const found = await violationsIn(connection)
  return found.filter(
    ({ what }) => !/ has a number and no file: (it was taken off|.*The server stopped twice)/.test(what),
  )
}
