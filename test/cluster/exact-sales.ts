import type pg from 'pg'
import { expect } from 'vitest'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import type { Person } from './person.ts'
import type { Selling } from './selling.ts'

type Ask = <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>

/** Fewer acknowledged sales say too little. */
export const ENOUGH = 100

/**
 * Acknowledged sales are there, once, and nothing else is: every sale with its item and its log entry, the same answer
 * under the same key again, only 503 beside right answers, and data that agree. Answers how many were acknowledged.
 */
export async function expectExactSales(
  { query, connection }: { query: Ask; connection: pg.ClientConfig },
  person: Person,
  { sales, heard }: Selling,
): Promise<number> {
  expect(heard.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([])
  const acknowledged = sales.filter(({ id }) => typeof id === 'number')
  const rows = await query<{ id: number; item: number }>(
    'select sale_id as id, stock_id as item from sale_item order by sale_id',
  )
  expect(rows).toEqual(
    acknowledged.map(({ id, item }) => ({ id, item })).sort((one, other) => Number(one.id) - Number(other.id)),
  )
  expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH)
  for (const { key, body, id } of acknowledged.filter((_, n) => n % 10 === 0)) {
    const again = await person.call('/api/sale/create', { method: 'POST', body, key })
    expect(again).toMatchObject({ status: 201, body: { data: { id } } })
  }
  const [{ logs }] = (await query<{ logs: number }>(
    `select count(*)::int as logs from log where loggable_type = 'Sale' and content ->> 'type' = 'model_update'
      and exists (select from jsonb_array_elements(content -> 'data') change
        where change ->> 'attributeName' = 'status' and change ->> 'to' = 'New')`,
  )) as [{ logs: number }]
  expect(logs).toBe(acknowledged.length)
  expect(await contradictionsIn(connection)).toEqual([])
  return acknowledged.length
}
