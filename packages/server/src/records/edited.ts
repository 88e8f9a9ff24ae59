import type { LoggableType } from '@backstock/contract/log.ts'
import type { z } from 'zod'
import type { Tx } from '../db/connect.ts'
import { type Fields, found, isChanged, patched } from '../http/crud.ts'
import { refuseStale } from './log/stale.ts'

/**
 * The fields that a caller has sent, and the `updated_at` that the record had when the caller loaded it. A field that
 * is absent stays.
 */
type Sent<Input extends z.ZodObject> = { [Field in keyof z.output<Input>]?: z.output<Input>[Field] | undefined } & {
  updated_at?: string | undefined
}

/**
 * A record's fields before and after an edit. If `isChanged` is false, write nothing, neither the record nor a log
 * entry. `row` is the locked record, undefined if there is none. `name` is its name at the start of a sentence: `Colour
 * #7`. If the area has a log, give the record as `logged`. Throws 404, and 409 if the record has changed since the
 * caller loaded it.
 */
export async function edited<
  Input extends z.ZodObject,
  Row extends Fields<Input> & { updated_at: string; updated_by?: number | null },
>(
  tx: Tx,
  input: Input,
  {
    name,
    row,
    sent,
    logged,
  }: { name: string; row: Row | undefined; sent: Sent<Input>; logged?: { type: LoggableType; id: number } },
): Promise<{ before: Row; after: Fields<Input>; isChanged: boolean }> {
  const before = found(row, name)
  await refuseStale(tx, before, sent.updated_at, logged)
  const after = patched(before, sent, input)
  return { before, after, isChanged: isChanged(before, after) }
}
