import { importJobs } from '../areas/import/jobs.ts'
import type { Answer, Client, testApp } from './app.ts'
import { applyImport, sendForm } from './csv-upload.ts'

type App = Awaited<ReturnType<typeof testApp>>
export type PreviewForm = { csv: string | Buffer; name?: string } & Record<string, string | Buffer>

/** Sends the form of a preview as the screen does. */
export function uploadPreview(client: Client, { csv, name = 'stock.csv', ...fields }: PreviewForm): Promise<Answer> {
  return sendForm(client, '/api/stock/import/preview', { content: csv, name, type: 'text/csv' }, fields)
}

/** Plans a preview to its end, as the worker does. */
export async function planPreview({ db, config, app }: App, import_id: number): Promise<void> {
  const found = await db.read.selectFrom('import').select('plan_no').where('id', '=', import_id).executeTakeFirst()
  const { import_plan } = importJobs({ db, config, dataDir: '', log: app.log }, app.pace)
  await import_plan({ import_id, plan_no: found!.plan_no }, new AbortController().signal)
}

/** Uploads a file, plans the preview, and returns the preview. */
export async function previewed(t: App, client: Client, form: PreviewForm): Promise<Answer['body']> {
  const answer = await uploadPreview(client, form)
  if (answer.status !== 202) throw new Error(`Refused: ${JSON.stringify(answer.body)}`)
  await planPreview(t, answer.body.data.import_id)
  return (await client.get(`/api/stock/import/preview/${answer.body.data.import_id}`)).body.data
}

/** Changes a preview, plans it again, and returns it. */
export async function replanned(t: App, client: Client, id: number, changes: object): Promise<Answer['body']> {
  const answer = await client.patch(`/api/stock/import/preview/${id}`, changes)
  if (answer.status !== 200) throw new Error(`Refused: ${JSON.stringify(answer.body)}`)
  await planPreview(t, id)
  return (await client.get(`/api/stock/import/preview/${id}`)).body.data
}

/** Starts the import of a preview, applies it, and returns its entry in the history. */
export async function committed(t: App, client: Client, id: number): Promise<Answer['body']> {
  const answer = await client.post(`/api/stock/import/preview/${id}/commit`)
  if (answer.status !== 202) throw new Error(`Refused: ${JSON.stringify(answer.body)}`)
  await applyImport(t, id)
  return (await client.get(`/api/stock/import/history?id=${id}`)).body.data[0]
}

/** Cuts a preview into parts of `size` rows, as it happens to a file of thousands of rows. It must be planned again. */
export async function cutPreview({ db }: App, id: number, size: number): Promise<void> {
  await db.pool.query(
    `with rows as (
       delete from import_part where import_id = $1 returning lines, cells),
     each as (
       select line, cell from rows cross join lateral (
         select * from unnest(lines) with ordinality l (line, n) join jsonb_array_elements(cells) with ordinality c (cell, n)
           using (n)) r)
     insert into import_part (import_id, part, lines, cells)
     select $1, (n - 1) / $2, array_agg(line order by n), jsonb_agg(cell order by n)
     from (select *, row_number() over (order by line) as n from each) numbered group by (n - 1) / $2`,
    [id, size],
  )
}
