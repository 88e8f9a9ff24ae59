import type { Pool } from 'pg'

/**
 * The tables that an undo may leave different: logs, imports, the counters and moves of stock, and the tables that
 * every request writes.
 */
const NOT_COMPARED = [
  ...[
    'log',
    'import',
    'import_part',
    'import_error',
    'import_memory',
    'import_remembered',
    'stock_count',
    'stock_day',
    'stock_move',
  ],
  ...['stock_age', 'product_count', 'supplier_count'],
  ...['session', 'throttle', 'idempotency', 'worker'],
]

/** The number of rows and a hash for each of the other tables, by name. `updated_at` counts only for items. */
export async function tableHashes(pool: Pool): Promise<Record<string, string>> {
  const tables = await pool.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> all($1) order by 1`,
    [NOT_COMPARED],
  )
  const found: Record<string, string> = {}
  for (const { name } of tables.rows) {
    const row = name === 'stock' ? 'to_jsonb(r)' : `to_jsonb(r) - 'updated_at'`
    // The hash is one over the rows' hashes: the text of 100,000 items as one string would take a hundred megabytes.
    const { rows } = await pool.query(`select count(*) as n, md5(coalesce(string_agg(x, '' order by x), '')) as hash
      from (select md5((${row})::text) as x from "${name}" r) rows`)
    found[name] = `${rows[0].n} rows, ${rows[0].hash}`
  }
  return found
}
