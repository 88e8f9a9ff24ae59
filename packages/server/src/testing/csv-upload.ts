import { importJobs } from '../areas/import/jobs.ts'
import type { Answer, Client, testApp } from './app.ts'

export type ImportForm = {
  csv?: string | Buffer
  name?: string
  type?: string
  delimeter?: string
  update_existing?: string
}

const BOUNDARY = 'backstock-test'
const part = (disposition: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])

type File = { content: string | Buffer | undefined; name: string; type: string }

/** Sends a form with a file as its first or its last part. */
export function sendForm(
  client: Client,
  url: string,
  { content, name, type }: File,
  fields: Record<string, string | Buffer>,
  { key, fileFirst = true, part: called = 'csv' }: { key?: string; fileFirst?: boolean; part?: string } = {},
): Promise<Answer> {
  const file =
    content === undefined ? [] : [part(`name="${called}"; filename="${name}"\r\nContent-Type: ${type}`, content)]
  const others = Object.entries(fields).map(([field, value]) => part(`name="${field}"`, value))
  return client.send({
    method: 'POST',
    url,
    payload: Buffer.concat([
      ...(fileFirst ? [...file, ...others] : [...others, ...file]),
      Buffer.from(`--${BOUNDARY}--\r\n`),
    ]),
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  })
}

/** Sends the form of an import as the screen does. */
export function uploadCsv(
  client: Client,
  { csv, name = 'stock.csv', type = 'text/csv', ...fields }: ImportForm,
  options: { key?: string; fileFirst?: boolean } = {},
): Promise<Answer> {
  return sendForm(client, '/api/stock/import/csv', { content: csv, name, type }, fields, options)
}

type App = Awaited<ReturnType<typeof testApp>>

/** Applies an import to its end, as the worker does. */
export function applyImport({ db, config, app }: App, import_id: number): Promise<void> {
  const { import_apply } = importJobs({ db, config, dataDir: '', log: app.log }, app.pace)
  return import_apply({ import_id }, new AbortController().signal)
}

/** Carries out the undo of an import that was asked for, as the worker does. */
export function applyUndo({ db, config, app }: App, import_id: number): Promise<void> {
  const { import_undo } = importJobs({ db, config, dataDir: '', log: app.log }, app.pace)
  return import_undo({ import_id }, new AbortController().signal)
}

/** Uploads a file, applies the import, and returns its entry in the history. */
export async function importCsv(t: App, client: Client, form: ImportForm): Promise<Answer['body']> {
  const answer = await uploadCsv(client, form)
  if (answer.status !== 202) throw new Error(`Refused: ${JSON.stringify(answer.body)}`)
  const id: number = answer.body.data.import_id
  await applyImport(t, id)
  return (await client.get(`/api/stock/import/history?id=${id}`)).body.data[0]
}
