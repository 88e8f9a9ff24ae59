import { Done, writeAnswer } from '@backstock/contract/answer.ts'
import { MAX_ID } from '@backstock/contract/fields.ts'
import { type ListQuery, pageOf } from '@backstock/contract/page.ts'
import { z } from 'zod'
import type { Database, Db, Tx } from '../db/connect.ts'
import type { Found } from '../db/page.ts'
import { done, warned } from './answer.ts'
import type { ConstraintWords } from './errors.ts'
import { onceByActor } from './idempotency.ts'
import { pageAnswer } from './list.ts'
import { BODY } from './read-bodies.ts'
import { missing } from './refusal.ts'
import { type Access, type Actor, actorOf } from './session.ts'
import { type App, answerAs } from './typed-routes.ts'

/** A replacer for JSON. The hash of a body is kept for a day, and it is too quick for a password. */
const withoutPassword = (name: string, value: unknown) => (name === 'password' ? undefined : value)

/**
 * The answer to a write: the record's id, a warning if there is something that the person should know, and a message if
 * more was done than to create the record.
 */
export type Written = { id: number; warning?: string | undefined; message?: string | undefined }

/**
 * An area with the five usual routes. `row` is the schema of a list's row, `record` that of a whole record (`id=`),
 * `hit` that of the quick search; each names exactly the fields that leave the server. An area leaves out the verbs for
 * which it has routes of its own.
 */
export type Crud<
  Query extends z.ZodType<ListQuery>,
  Input extends z.ZodObject,
  Row extends z.ZodType = z.ZodType,
  Whole extends z.ZodType = Row,
> = ConstraintWords & {
  /** The name in the path: `/api/{area}/find`. */
  area: string
  /** The name of a record at the start of a sentence: `Colour`. */
  title: string
  query: Query
  input: Input
  /** The schema for creating a record, if it differs from that for editing. */
  createInput?: z.ZodObject
  /** The largest body that creates a record, in bytes, if it may be larger than usual. */
  createBytes?: number
  /** The largest body that edits a record, in bytes, if it may be larger than usual. */
  editBytes?: number
  row: Row
  record: Whole
  hit?: z.ZodType
  access?: { read?: Access; write?: Access }
  find(db: Db, query: z.output<Query>, actor: Actor): Promise<Found<z.input<Row>>>
  /** Finds only the fields of `hit`, if a whole row costs more. */
  findHits?(db: Db, query: z.output<Query>, actor: Actor): Promise<Found<unknown>>
  /** One whole record; undefined if there is none. After a write, `db` is the transaction. */
  one(db: Db, id: number, actor: Actor): Promise<z.input<Whole> | undefined>
  create?(tx: Tx, input: z.output<Input>, actor: Actor): Promise<Written>
  /** Gets only the fields that were sent; the others stay as they are. It must throw 404 itself. */
  edit?(tx: Tx, id: number, input: Partial<z.output<Input>>, actor: Actor): Promise<Written>
  remove?(tx: Tx, id: number, actor: Actor): Promise<void>
}

/** An area whose create and edit are also called by other code. */
export type WritableCrud<
  Query extends z.ZodType<ListQuery>,
  Input extends z.ZodObject,
  Row extends z.ZodType = z.ZodType,
  Whole extends z.ZodType = Row,
> = Crud<Query, Input, Row, Whole> & Required<Pick<Crud<Query, Input, Row, Whole>, 'create' | 'edit'>>

/** An id in a path: digits only, so that neither `0x1` nor `1e3` is one. */
export const PathId = z.preprocess(
  (text) => (typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : text),
  z.int().min(1).max(MAX_ID),
)
export const IdParams = z.object({ id: PathId })

/** Registers the routes of an area: find, create (POST and PUT), edit (POST and PATCH), and delete. */
export function crud<
  Query extends z.ZodType<ListQuery>,
  Input extends z.ZodObject,
  Row extends z.ZodType,
  Whole extends z.ZodType,
>(app: App, db: Database, area: Crud<Query, Input, Row, Whole>): void {
  app.constraintWords.push(area)
  const read = area.access?.read ?? 'user'
  const write = area.access?.write ?? 'user'
  const base = `/api/${area.area}`
  const written: z.ZodType = writeAnswer(area.record)
  const hit = area.hit ?? area.row
  const pages = { record: pageOf(area.record), row: pageOf(area.row), hit: pageOf(hit) }
  const finds: { querystring: z.ZodType; response: { 200: z.ZodType } } = {
    querystring: area.query,
    response: { 200: pageOf(z.union([area.record, area.row, hit])) },
  }
  app.get(`${base}/find`, { schema: finds, config: { access: read } }, async (request, reply) => {
    const query = request.query as z.output<Query>
    const actor = actorOf(request)
    if (query.id !== undefined) {
      const record = query.id > 0 ? await area.one(db.read, query.id, actor) : undefined
      const found = { rows: record ? [record] : [], total: record ? 1 : 0 }
      return answerAs(reply, pages.record, pageAnswer(request, { ...query, page: 1 }, found))
    }
    const found: Found<unknown> =
      query.quick && area.findHits ? await area.findHits(db.read, query, actor) : await area.find(db.read, query, actor)
    return answerAs(reply, query.quick ? pages.hit : pages.row, pageAnswer(request, query, found))
  })

  const { create, edit, remove } = area
  if (create)
    app.route({
      method: ['POST', 'PUT'],
      url: `${base}/create`,
      schema: { body: area.createInput ?? area.input, response: { 201: written } },
      config: { access: write },
      bodyLimit: area.createBytes ?? BODY.record,
      handler: async (request, reply) => {
        const actor = actorOf(request)
        const body = `${area.area}/create ${JSON.stringify(request.body, withoutPassword)}`
        const { answer } = await onceByActor(db, request, body, async (tx) => {
          const written = await create(tx, request.body as z.output<Input>, actor)
          const { id, warning, message = `${area.title} #${id} created.` } = written
          const record = await area.one(tx, id, actor)
          return { status: 201, answer: warning ? warned(warning, record) : done(message, record) }
        })
        reply.code(201)
        return answer
      },
    })
  if (edit)
    app.route({
      method: ['POST', 'PATCH'],
      url: `${base}/:id/edit`,
      schema: { params: IdParams, body: area.input.partial(), response: { 200: written } },
      config: { access: write },
      bodyLimit: area.editBytes ?? BODY.record,
      handler: async (request) => {
        const actor = actorOf(request)
        const { id } = request.params
        const input = request.body as Partial<z.output<Input>>
        const { record, warning } = await db.write(async (tx) => {
          const written = await edit(tx, id, input, actor)
          return { record: await area.one(tx, id, actor), warning: written.warning }
        })
        return warning ? warned(warning, record) : done(`${area.title} #${id} saved.`, record)
      },
    })
  if (remove)
    app.delete(
      `${base}/:id/delete`,
      { schema: { params: IdParams, response: { 200: Done } }, config: { access: write } },
      async (request) => {
        const actor = actorOf(request)
        const { id } = request.params
        await db.write((tx) => remove(tx, id, actor))
        return done(`${area.title} #${id} deleted.`, { id })
      },
    )
}

/** Whether an edit changes anything. If it does not, nothing is written, neither the record nor the log. */
export function isChanged<After extends object>(before: Record<keyof After, unknown>, after: After): boolean {
  return Object.entries(after).some(([field, value]) => before[field as keyof After] !== value)
}

/** The fields that an input may write: all but `updated_at`. */
export type Fields<Input extends z.ZodObject> = {
  [Field in keyof z.output<Input> as Exclude<Field, 'updated_at'>]-?: Exclude<z.output<Input>[Field], undefined>
}

/** The names of the fields that an input may write, as columns to select. */
export const fieldsOf = <Input extends z.ZodObject>(input: Input) =>
  Object.keys(input.shape).filter((field) => field !== 'updated_at') as (keyof Fields<Input> & string)[]

/** A record's fields after an edit: the fields that were sent, and the others as they were. */
export function patched<Input extends z.ZodObject>(
  before: Fields<Input>,
  sent: { [Field in keyof z.output<Input>]?: z.output<Input>[Field] | undefined },
  input: Input,
): Fields<Input> {
  const fields = fieldsOf(input).map((field) => [field, sent[field] === undefined ? before[field] : sent[field]])
  return Object.fromEntries(fields) as Fields<Input>
}

/** A record that was read, for example before an edit. Throws 404 if there is none. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (!row) throw missing(what)
  return row
}
