import { Done, writeAnswer } from '@backstock/contract/answer.ts'
import { MAX_ID } from '@backstock/contract/fields.ts'
import { type ListQuery, pageOf } from '@backstock/contract/page.ts'
import { z } from 'zod'
import type { Database, Db, Tx } from '../db/connect.ts'
import type { Found } from '../db/page.ts'
import { done, warned } from './answer.ts'
import type { ConstraintWords } from './errors.ts'
import { pageAnswer } from './list.ts'
import { BODY } from './read-bodies.ts'
import { missing } from './refusal.ts'
import { type Access, type Actor, actorOf } from './session.ts'
import { type App, answerAs } from './typed-routes.ts'

/** The answer of a write: its record's id, and a warning if the person should know something. */
export type Written = { id: number; warning?: string | undefined }

/**
 * An area with the usual five routes. `row` is a list's row, `record` the whole record (`id=`), `hit` a hit of
 * quick search; each names exactly the fields that leave the server. Leave out the verbs that an area writes
 * itself.
 */
export type Crud<
  Query extends z.ZodType<ListQuery>,
  Input extends z.ZodObject,
  Row extends z.ZodType = z.ZodType,
  Whole extends z.ZodType = Row,
> = ConstraintWords & {
  /** The path: `/api/{area}/find`. */
  area: string
  /** As a sentence starts: `Colour`. */
  title: string
  query: Query
  input: Input
  /** For creating, if that takes other fields than editing. */
  createInput?: z.ZodObject
  /** How large the body may be that creates one, if it takes more than a record's fields. */
  createBytes?: number
  /** The same of a body that edits one. */
  editBytes?: number
  row: Row
  record: Whole
  hit?: z.ZodType
  access?: { read?: Access; write?: Access }
  find(db: Db, query: z.output<Query>, actor: Actor): Promise<Found<z.input<Row>>>
  /** Finds no more than `hit` shows, if a whole row costs more. */
  findHits?(db: Db, query: z.output<Query>, actor: Actor): Promise<Found<unknown>>
  /** One whole record, or undefined. `db` is a transaction right after a write. */
  one(db: Db, id: number, actor: Actor): Promise<z.input<Whole> | undefined>
  create?(tx: Tx, input: z.output<Input>, actor: Actor): Promise<Written>
  /** Gets the fields that were sent; an absent one stays. Throws 404 itself. */
  edit?(tx: Tx, id: number, input: Partial<z.output<Input>>, actor: Actor): Promise<Written>
  remove?(tx: Tx, id: number, actor: Actor): Promise<void>
}

/** An area whose records other code makes and edits, too. */
export type WritableCrud<
  Query extends z.ZodType<ListQuery>,
  Input extends z.ZodObject,
  Row extends z.ZodType = z.ZodType,
  Whole extends z.ZodType = Row,
> = Crud<Query, Input, Row, Whole> & Required<Pick<Crud<Query, Input, Row, Whole>, 'create' | 'edit'>>

/** An id in a path: digits and nothing else, not `0x1` or `1e3`. */
export const PathId = z.preprocess(
  (text) => (typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : text),
  z.int().min(1).max(MAX_ID),
)
export const IdParams = z.object({ id: PathId })

/** Registers find, create (POST and PUT), edit (POST and PATCH) and delete of an area. */
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
        const { id, warning, record } = await db.write(async (tx) => {
          const written = await create(tx, request.body as z.output<Input>, actor)
          return { ...written, record: await area.one(tx, written.id, actor) }
        })
        reply.code(201)
        return warning ? warned(warning, record) : done(`${area.title} #${id} created.`, record)
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

/** Whether an edit changes anything: one that does not writes nothing, neither the record nor a log. */
export function isChanged<After extends object>(before: Record<keyof After, unknown>, after: After): boolean {
  return Object.entries(after).some(([field, value]) => before[field as keyof After] !== value)
}

/** The fields that an input may write: all of it but the time that the record was loaded at. */
export type Fields<Input extends z.ZodObject> = {
  [Field in keyof z.output<Input> as Exclude<Field, 'updated_at'>]-?: Exclude<z.output<Input>[Field], undefined>
}

/** The names of the fields that an input may write, as columns to select. */
export const fieldsOf = <Input extends z.ZodObject>(input: Input) =>
  Object.keys(input.shape).filter((field) => field !== 'updated_at') as (keyof Fields<Input> & string)[]

/** A record's fields as an edit makes them: those that were sent, the others as they were. */
export function patched<Input extends z.ZodObject>(
  before: Fields<Input>,
  sent: { [Field in keyof z.output<Input>]?: z.output<Input>[Field] | undefined },
  input: Input,
): Fields<Input> {
  const fields = fieldsOf(input).map((field) => [field, sent[field] === undefined ? before[field] : sent[field]])
  return Object.fromEntries(fields) as Fields<Input>
}

/** A locked record as it was before an edit; 404 if it is not there. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (!row) throw missing(what)
  return row
}
