import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fieldErrors } from './field-errors.ts'
import { ownTurn } from './own-turn.ts'
import { invalid } from './refusal.ts'

/** The number of fields that are checked at a time, which takes a few milliseconds. */
const SLICE = 5000
/** A list with at most this many records is checked in one step. */
const LONG = 500
/** The number of mistakes after which checking ends. */
const ENOUGH_ISSUES = 250

/** The keys that lead to a list inside of a value. */
type Path = readonly PropertyKey[]
type Parsed = { data: unknown; issues: z.core.$ZodIssue[] }

/**
 * Makes a route check its body by the route's schema, but the list under `list` in slices. It is for bodies whose list
 * may have thousands of records, though never more than `most`.
 */
export function checkInSlices(list: string, most: number) {
  return ({ schema, httpPart }: { schema: z.ZodType; httpPart?: string }) => {
    const check = validatorCompiler({ schema } as never)
    if (httpPart !== 'body') return check
    return (body: Record<string, unknown> | null) => {
      const records = body?.[list]
      const fits = Array.isArray(records) && records.length > 0 && records.length <= most
      return body && fits ? checkBody(schema, body, list) : check(body)
    }
  }
}

/** Replaces the list by the values that the schema makes of it. Throws 422. */
async function checkBody(schema: z.ZodType, body: Record<string, unknown>, list: string): Promise<void> {
  const { data, issues } = await inSlices(schema, body, [list])
  if (issues.length) throw invalid(fieldErrors(issues))
  body[list] = listAt(data, [list])
}

/**
 * Parses a value by a schema and returns the result. Between two slices of a long list, the server answers other
 * requests. Throws a ZodError.
 */
export async function parseInSlices(schema: z.ZodType, value: unknown): Promise<unknown> {
  const path = pathToLongList(value)
  if (!path) return schema.parse(value)
  const { data, issues } = await inSlices(schema, value, path)
  if (issues.length) throw new z.ZodError(issues)
  await ownTurn()
  return data
}

/** The path to a long list: the value itself, a field at any depth, or a field of the only record of a list. */
function pathToLongList(value: unknown): PropertyKey[] | undefined {
  if (Array.isArray(value) && value.length > LONG) return []
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length > 1)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const rest = pathToLongList(inner)
    if (rest) return [key, ...rest]
  }
  return undefined
}

/**
 * Parses the value several times, each time with a slice in place of the whole list. So the schema must have no rule
 * about the whole list.
 */
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

/** The issue with the record's index in the whole list. */
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
