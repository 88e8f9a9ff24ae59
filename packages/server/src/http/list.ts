import type { ListQuery, Page } from '@backstock/contract/page.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Found } from '../db/page.ts'
import { parseInSlices } from './in-slices.ts'
import { ownTurn } from './own-turn.ts'

/** A find's answer with its place among the pages and the addresses of its neighbours. */
export function pageAnswer<Row>(
  request: FastifyRequest,
  query: ListQuery,
  { rows, total }: Found<Row>,
): Page<Row> & { success: true } {
  const { page, per_page } = query
  const last = Math.max(1, Math.ceil(total / per_page))
  const link = (to: number) => {
    const url = new URL(request.url, 'http://localhost')
    url.searchParams.set('page', String(to))
    return url.pathname + url.search
  }
  const before = (page - 1) * per_page
  const onPage = Math.max(0, Math.min(per_page, total - before))
  return {
    success: true,
    data: rows,
    current_page: page,
    last_page: last,
    prev_page_url: page > 1 ? link(Math.min(page - 1, last)) : null,
    next_page_url: page < last ? link(page + 1) : null,
    from: onPage ? before + 1 : null,
    to: onPage ? before + onPage : null,
    total,
    per_page,
  }
}

/** An answer with a shorter list is worked out at one go. */
const LONG = 500

/** Where an answer has a long list: among records, in the only record, or in what it is about. */
function pathToLongList(value: unknown): PropertyKey[] | undefined {
  if (Array.isArray(value) && value.length > LONG) return []
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length > 1)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const rest = pathToLongList(inner)
    if (rest) return [key, ...rest]
  }
  return undefined
}

/** Answers with exactly what `schema` declares: whatever else a row carries stays here. */
export function present<Schema extends z.ZodType>(
  reply: FastifyReply,
  schema: Schema,
  body: z.input<Schema>,
): FastifyReply | Promise<FastifyReply> {
  void reply.type('application/json; charset=utf-8')
  const path = pathToLongList(body)
  if (path) return presentInSlices(reply, schema, body, path)
  return reply.serializer((value: unknown) => JSON.stringify(schema.parse(value))).send(body)
}

async function presentInSlices(reply: FastifyReply, schema: z.ZodType, body: unknown, path: PropertyKey[]) {
  const declared = await parseInSlices(schema, body, path)
  await ownTurn()
  return reply.send(JSON.stringify(declared))
}
