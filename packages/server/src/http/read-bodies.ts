import type { FastifyRequest } from 'fastify'
import { single } from '../lists.ts'
import { FORM } from './openapi.ts'
import { ownTurn } from './own-turn.ts'
import { Refusal } from './refusal.ts'
import type { App } from './typed-routes.ts'
import { refuseWildJson } from './wild-json.ts'

const KB = 1024
/**
 * The most bytes of a body: of a login; of a record with its notes; of a list with 5,000 ids, prices or pasted lines.
 */
export const BODY = { login: 64 * KB, record: 256 * KB, list: 2048 * KB }

/** The most fields of a form. This is enough for a sale of 5,000 items. */
const MAX_FORM_FIELDS = 25_000
/** A body up to this size is read in one step. */
const SMALL = 64 * KB

/** Reads JSON and urlencoded bodies. An empty body counts as `{}`. */
export function readBodies(app: App): void {
  const standard = app.getDefaultJsonParser('error', 'error')
  const json = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void standard(request, text, (error, value) => (error ? reject(error) : resolve(value)))
    })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return {}
    if (body.length > SMALL) await ownTurn()
    refuseWildJson(body)
    return json(request, body.toString())
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => {
      if (body.length > SMALL) await ownTurn()
      return formFields(body)
    },
  )
  app.addHook('preValidation', async (request) => {
    const { schema } = request.routeOptions
    if (request.isMultipart() && schema?.body && !schema.consumes?.includes(FORM))
      throw new Refusal(415, 'Send the fields as JSON or urlencoded: there is no file to send here.')
    if (request.body === undefined && ['POST', 'PUT', 'PATCH'].includes(request.method)) request.body = {}
  })
}

/** The JSON value in a form's field, or the text itself if it is no JSON. Throws 400 and 413. */
export function readJson(text: string): unknown {
  refuseWildJson(Buffer.from(text))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The fields of an urlencoded form. A field that appears several times is a list. Throws 413. */
function formFields(form: string): Record<string, string | string[]> {
  if (form.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw new Refusal(413, `A form may have ${MAX_FORM_FIELDS.toLocaleString('en')} fields at most.`)
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(form)) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? single(values) : values]))
}
