import type pg from 'pg'
import { expect } from 'vitest'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import type { Person } from './person.ts'
import type { Selling } from './selling.ts'

type Ask = <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>

/** If fewer sales are acknowledged, the test proves too little. */
export const ENOUGH = 100

/**
 * Checks that all acknowledged sales are stored once and no others: each has its item and its log entry, and the same
 * key gives the same answer again. Apart from right answers, there were only 503. Nothing in the data contradicts
 * itself. Returns the number of acknowledged sales.
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
