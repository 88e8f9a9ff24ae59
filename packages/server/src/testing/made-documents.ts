import { sql } from 'kysely'
import { newestFirst } from '../areas/document/newest-first.ts'
import { renderDocuments } from '../areas/document/render.ts'
import type { Database } from '../db/connect.ts'
import { storeFile } from '../records/file.ts'

/**
 * Does the jobs that make documents, one sale after another. A real PDF takes long, so each pending document gets an
 * empty file.
 */
export async function makeDocuments(db: Database): Promise<void> {
  const pending = await db.read
    .selectFrom('document')
    .select(['id', 'sale_id'])
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute()
  for (const { id } of pending)
    await db.write(async (tx) => {
      const name = `Document ${id}.pdf`
      const file_id = await storeFile(tx, { name, mediaType: 'application/pdf', content: Buffer.from('%PDF') })
      const newest = sql<number>`(select v.version from document d join document_version v on v.document_id = d.id
        where d.id = ${id} order by ${newestFirst()} limit 1)`
      await tx
        .updateTable('document_version')
        .set({ file_id })
        .where('document_id', '=', id)
        .where('version', '=', newest)
        .execute()
      await tx.updateTable('document').set({ status: 'ready' }).where('id', '=', id).execute()
    })
  for (const saleId of new Set(pending.map(({ sale_id }) => sale_id))) await renderDocuments(db, saleId, null)
  await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where task_identifier = 'invoice_render'`.execute(db.read)
}
