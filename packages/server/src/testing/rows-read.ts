import type pg from 'pg'
import type { Database } from '../db/connect.ts'

type Node = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

/** The step of a statement that touched the most rows, those that it discarded included. */
export type Busiest = { rows: number; step: string; statement: string }

/**
 * Makes the pools of `db` report the work of every statement, triggers included. Call it before their first query.
 * `busiest` returns the busiest step since its last call.
 */
export function watchRows(db: Database): { busiest(): Busiest } {
  let worst: Busiest = { rows: 0, step: '', statement: '' }
  const hear = ({ message }: { message?: string | undefined }) => {
    const start = message?.indexOf('{') ?? -1
    if (!message?.includes('plan:') || start < 0) return
    const { 'Query Text': statement, Plan: plan } = JSON.parse(message.slice(start)) as {
      'Query Text': string
      Plan: Node
    }
    const look = (node: Node) => {
      const removed = (['Filter', 'Join Filter', 'Index Recheck'] as const).map(
        (by) => node[`Rows Removed by ${by}`] ?? 0,
      )
      const rows = removed.reduce((sum, n) => sum + n, node['Actual Rows']) * node['Actual Loops']
      if (rows > worst.rows) worst = { rows, step: node['Node Type'], statement }
      node.Plans?.forEach(look)
    }
    look(plan)
  }
  for (const pool of [db.pool, db.readers]) {
    pool.options.options = `${pool.options.options ?? ''} ${REPORTING}`
    pool.on('connect', (client: pg.PoolClient) => client.on('notice', hear))
  }
  return {
    busiest() {
      const found = worst
      worst = { rows: 0, step: '', statement: '' }
      return found
    },
  }
}

const REPORTING = Object.entries({
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  client_min_messages: 'log',
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')
