import { writeAnswer } from '@backstock/contract/answer.ts'
import { SHOWN_VALUES, TakenOver, TakeOverInput, TakeOverPlan } from '@backstock/contract/further-take-over.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import { MAX_MANY } from '@backstock/contract/stock-status.ts'
import { TAKE_OVER_NAMES, type TakeOverField } from '@backstock/contract/take-over-fields.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Db, Tx } from '../db/connect.ts'
import { done, SUCCESS } from '../http/answer.ts'
import { found, IdParams } from '../http/crud.ts'
import { conflict, invalid } from '../http/refusal.ts'
import { actorOf } from '../http/session.ts'
import type { App } from '../http/typed-routes.ts'
import { lockItems } from '../records/lock.ts'
import { RECORD_COLUMNS, type StockRecord } from './stock/bulk/write-columns.ts'
import { writeMany } from './stock/bulk/write-many.ts'
import { BATTERY, BadCell, TEXT, WORKING } from './stock/cell-kinds.ts'
import { stockColumns } from './stock/columns.ts'

type Column = 'grade_id' | 'functional' | 'battery_health' | 'location'
type Value = string | number
const COLUMNS: Readonly<Record<TakeOverField, Column>> = {
  grade: 'grade_id',
  functional: 'functional',
  battery_health: 'battery_health',
  location: 'location',
}

/** The most different values of a column. If it has more, it holds free text, and no grade, state or location. */
const MOST_VALUES = 2000
const LONGEST = 255

/** A further column: SQL for its value in an item, and its name in files. */
async function placeOf(db: Db, id: number) {
  const row = await db.selectFrom('attribute_name').select(['kind', 'name']).where('id', '=', id).executeTakeFirst()
  const { kind, name } = found(row, `Further column #${id}`)
  const data = sql.ref(kind === 'grading' ? 'grading_data' : 'attributes')
  return {
    name: kind === 'grading' ? `grading_${name}` : name,
    has: sql`${data} ? ${name}`,
    value: sql`${data} ->> ${name}`,
  }
}
type Place = Awaited<ReturnType<typeof placeOf>>

/**
 * The function that reads a value of the column for this field. It throws `BadCell` if the field does not take the
 * value.
 */
async function readerOf(db: Db, field: TakeOverField): Promise<(text: string) => Value | undefined> {
  if (field === 'functional') return WORKING.read
  if (field === 'battery_health') return BATTERY.read
  if (field === 'location') return TEXT.read
  const grades = await db.selectFrom('grade').select(['id', 'name']).execute()
  const key = (name: string) => plainName(name).toLowerCase()
  const byName = new Map(grades.map(({ id, name }) => [key(name), id]))
  return (text) => {
    const id = byName.get(key(text))
    if (id === undefined) throw new BadCell('There is no grade of this name.')
    return id
  }
}

/** Whether an item may get a value in this column: like a bulk edit, this gives no location to an item that has left. */
const mayHave = (column: Column, item: { in_hand: boolean }) => column !== 'location' || item.in_hand
const mayHaveSql = (column: Column) => (column === 'location' ? sql`in_hand` : sql`true`)

type Counted = { text: string; empty: number; gone: number; own: number }

/**
 * The different values of a column, the commonest first. `empty` counts the items with the value whose field is empty
 * and may get it, `gone` those whose field must stay empty, `own` those whose field has a value.
 */
async function valuesOf(db: Db, { has, value }: Place, column: Column): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select left(${value}, ${LONGEST + 1}) as text,
      count(*) filter (where ${sql.ref(column)} is null and ${mayHaveSql(column)}) as empty,
      count(*) filter (where ${sql.ref(column)} is null and not ${mayHaveSql(column)}) as gone,
      count(*) filter (where ${sql.ref(column)} is not null) as own
    from stock where ${has} and ${value} is not null group by 1 order by count(*) desc, 1 limit ${MOST_VALUES + 1}`.execute(
    db,
  )
  if (rows.length > MOST_VALUES)
    throw invalid({ field: `This column has more than ${MOST_VALUES.toLocaleString('en')} different values.` })
  return rows
}

/** `isEmpty` means that no item has a value in the column. */
type Planned = { plan: TakeOverPlan; byText: Map<string, Value>; isEmpty: boolean }

async function planTakeOver(db: Db, place: Place, field: TakeOverField): Promise<Planned> {
  const read = await readerOf(db, field)
  const byText = new Map<string, Value>()
  const plan: TakeOverPlan = { field, fits: 0, own: 0, gone: 0, wrong: 0, values: [] }
  const counted = await valuesOf(db, place, COLUMNS[field])
  for (const { text, empty, gone, own } of counted) {
    plan.own += own
    if (text.trim() === '') continue
    plan.gone += gone
    try {
      const value = read(text)
      if (value === undefined) continue
      byText.set(text, value)
      plan.fits += empty
    } catch (error) {
      if (!(error instanceof BadCell)) throw error
      plan.wrong += empty
      if (empty > 0 && plan.values.length < SHOWN_VALUES)
        plan.values.push({ value: text.slice(0, LONGEST), items: empty, reason: error.message })
    }
  }
  return { plan, byText, isEmpty: counted.every(({ text }) => text.trim() === '') }
}

/**
 * Copies the values of a further column into an empty field of items: of at most 10,000 items, as one bulk edit that
 * can be undone. The column keeps its values. Throws 404 if there is no such column; 409 if no item gets a value; 422
 * under `field` if the column has too many different values.
 */
async function takeOver(
  tx: Tx,
  userId: number,
  id: number,
  field: TakeOverField,
): Promise<TakenOver & { name: string; gone: number }> {
  const place = await placeOf(tx, id)
  const column = COLUMNS[field]
  const { plan, byText, isEmpty } = await planTakeOver(tx, place, field)
  if (isEmpty) throw conflict('No item has a value in this column.')
  const texts = [...byText.keys()]
  const { rows: asked } = await sql<{ id: number }>`
    select id from stock where ${place.has} and ${sql.ref(column)} is null and ${mayHaveSql(column)}
      and ${place.value} = any(${texts}::text[])
    order by id limit ${MAX_MANY}`.execute(tx)
  const ids = asked.map((item) => item.id)
  const stock = await lockItems(tx, ids, RECORD_COLUMNS)
  const { rows } = await sql<{ id: number; text: string | null }>`
    select id, ${place.value} as text from stock where id = any(${ids}::int[]) order by id`.execute(tx)
  const edits = rows.flatMap(({ id, text }) => {
    const row: StockRecord | undefined = stock.get(id)
    const value = text === null ? undefined : byText.get(text)
    if (!row || row[column] !== null || !mayHave(column, row) || value === undefined) return []
    return [{ row, after: { ...stockColumns(row), [column]: value, in_hand: row.in_hand } }]
  })
  if (edits.length === 0)
    throw conflict(
      'No item gets a value: each has one already, or is no longer here, or what the column says does not fit.',
    )
  const name = place.name
  const message = `Copied the further column '${name}' into ${TAKE_OVER_NAMES[field]} of ${count(edits.length)}.`
  const act = { userId, kind: 'edit' as const, changes: { taken_over: { from: name, into: field } }, message }
  const bulk_id = await writeMany(tx, act, edits)
  return { bulk_id, taken: edits.length, left: plan.fits - edits.length, name, gone: plan.gone }
}

const count = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

/** The routes of a take-over, for administrators: `GET` answers the plan, `POST` carries it out. */
export function takeOverRoutes(app: App, db: Database): void {
  const answer = z.object({ success: z.literal(true), data: TakeOverPlan })
  const url = '/api/further-column/:id/take-over'
  const config = { access: 'admin' as const }
  app.get(
    url,
    { schema: { params: IdParams, querystring: TakeOverInput, response: { 200: answer } }, config },
    async (request) => {
      const place = await placeOf(db.read, request.params.id)
      return { ...SUCCESS, data: (await planTakeOver(db.read, place, request.query.field)).plan }
    },
  )
  app.post(
    url,
    { schema: { params: IdParams, body: TakeOverInput, response: { 200: writeAnswer(TakenOver) } }, config },
    async (request) => {
      const { field } = request.body
      const { name, gone, ...taken } = await db.write((tx) =>
        takeOver(tx, actorOf(request).id, request.params.id, field),
      )
      const more = taken.left > 0 ? ` ${count(taken.left)} can still be copied: press again.` : ''
      const left = gone > 0 ? ` ${count(gone)} ${gone === 1 ? 'is' : 'are'} no longer here, and left out.` : ''
      return done(`Copied '${name}' into ${TAKE_OVER_NAMES[field]} of ${count(taken.taken)}.${left}${more}`, taken)
    },
  )
}
