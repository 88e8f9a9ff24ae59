import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fieldErrors } from './errors.ts'
import { ownTurn } from './own-turn.ts'
import { invalid } from './refusal.ts'

/** So many fields are looked at in a turn: a few milliseconds' work. */
const SLICE = 5000
/** A shorter list is worked out at one go. */
const LONG = 500
/** Whoever sent more mistakes hears of these first. */
const ENOUGH_ISSUES = 250

/** The names and numbers that lead to a list within a value. */
type Path = readonly PropertyKey[]
type Parsed = { data: unknown; issues: z.core.$ZodIssue[] }

/**
 * How a route checks its body where that has thousands of records under `list`, at most `most`: as its schema says, but a slice
 * of the list at a time.
 */
export function checkInSlices(list: string, most: number) {
  return ({ schema, httpPart }: { schema: z.ZodType; httpPart?: string }) => {
    const check = validatorCompiler({ schema } as never)
    if (httpPart !== 'body') return check
    return (body: Record<string, unknown> | null) => {
      const records = body?.[list]
      const fits = Array.isArray(records) && records.length > 0 && records.length <= most
      return fits ? checkBody(schema, body!, list) : check(body)
    }
  }
}

/** Puts what the schema makes of the list in its place. Throws 422. */
async function checkBody(schema: z.ZodType, body: Record<string, unknown>, list: string): Promise<void> {
  const { data, issues } = await inSlices(schema, body, [list])
  if (issues.length) throw invalid(fieldErrors(issues))
  body[list] = listAt(data, [list])
}

/** What a schema makes of a value. Others are dealt with between the slices of a long list. Throws ZodError. */
export async function parseInSlices(schema: z.ZodType, value: unknown): Promise<unknown> {
  const path = pathToLongList(value)
  if (!path) return schema.parse(value)
  const { data, issues } = await inSlices(schema, value, path)
  if (issues.length) throw new z.ZodError(issues)
  await ownTurn()
  return data
}

/** Where a value has a long list: among its fields, in its only record, or in what it is about. */
function pathToLongList(value: unknown): PropertyKey[] | undefined {
  if (Array.isArray(value) && value.length > LONG) return []
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length > 1)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const rest = pathToLongList(inner)
    if (rest) return [key, ...rest]
  }
  return undefined
}

/** Each slice stands for the whole list once, so no rule of the schema may be about all of it. */
async function inSlices(schema: z.ZodType, value: unknown, path: Path): Promise<Parsed> {
  const list = listAt(value, path)
  const parsed: unknown[] = []
  const issues: z.core.$ZodIssue[] = []
  let data: unknown
  for (let from = 0, to = 0; from < list.length && issues.length < ENOUGH_ISSUES; from = to) {
    await ownTurn()
    to = endOfSlice(list, from)
    const slice = schema.safeParse(withList(value, path, list.slice(from, to)))
    if (slice.success) {
      data = slice.data
      for (const one of listAt(data, path)) parsed.push(one)
    } else for (const issue of slice.error.issues) issues.push(moved(issue, path.length, from))
  }
  return { data: issues.length ? undefined : withList(data, path, parsed), issues }
}

function endOfSlice(list: readonly unknown[], from: number): number {
  let to = from
  for (let fields = 0; to < list.length && fields < SLICE; to++) {
    const one = list[to]
    fields += typeof one === 'object' && one !== null ? 1 + Object.keys(one).length : 1
  }
  return to
}

/** In the whole list it has another number than in the slice. */
function moved(issue: z.core.$ZodIssue, at: number, by: number): z.core.$ZodIssue {
  return { ...issue, path: issue.path.map((key, n) => (n === at && typeof key === 'number' ? key + by : key)) }
}

const listAt = (value: unknown, path: Path): unknown[] =>
  path.reduce((inner, key) => (inner as Record<PropertyKey, unknown>)[key], value) as unknown[]

function withList(value: unknown, path: Path, list: unknown[]): unknown {
  const [key, ...rest] = path
  if (key === undefined) return list
  const inner = withList((value as Record<PropertyKey, unknown>)[key], rest, list)
  return Array.isArray(value) ? value.with(key as number, inner) : { ...(value as object), [key]: inner }
}
