import { type RawBuilder, sql } from 'kysely'

/**
 * The order of the versions `v` of a document, newest first. A copy without a file comes last, unless it is being made:
 * it could not be made, and the document stays as it was.
 */
export const newestFirst = (document = 'd'): RawBuilder<unknown> =>
  sql`(v.is_copy and v.file_id is null and ${sql.ref(document)}.status <> 'pending'), v.version desc`
