import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { pdfOf } from './limit-pdf.ts'
import { LIMITS, wordsStatement } from './limit-statements.ts'

// The process that answers for the limits: bare PostgreSQL behind a plain HTTP server, without login, validation or
// areas.

const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.NUMERIC]: Number,
  [pg.types.builtins.DATE]: String,
  [pg.types.builtins.TIMESTAMPTZ]: (text) =>
    `${text.slice(0, 10)}T${text.slice(11, 19)}.${(/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(3, '0')}Z`,
}
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
}
const connection: pg.ClientConfig = JSON.parse(process.env['BENCH_CONNECTION']!)
const options = '-c jit=off -c TimeZone=UTC -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1'
const pool = new pg.Pool({ ...connection, options, types: types as pg.CustomTypesConfig, max: 10 })

type Row = Record<string, unknown>
type Asker = Pick<pg.PoolClient, 'query'>

/** Runs a named statement, which PostgreSQL plans once for each connection. */
async function ask(name: keyof typeof LIMITS, values: unknown[] = [], on: Asker = pool): Promise<Row[]> {
  return (await on.query<Row>({ name, text: LIMITS[name], values })).rows
}
/** Runs a statement without a name, which is planned each time, because the best plan depends on the pattern. */
async function askAnew(name: keyof typeof LIMITS, values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>(LIMITS[name], values)).rows
}

const page = (rows: Row[]) => ({ data: rows.map(({ total: _, ...row }) => row), total: rows[0]?.['total'] ?? 0 })

const whole = (row: Row, logs: Row[]) => {
  const { expected_name, vat_name, vat_rate, ...item } = row
  return {
    ...item,
    actual_product: { id: item['actual_product_id'], display_name: item['product_display_name'] },
    expected_product:
      item['expected_product_id'] === null ? null : { id: item['expected_product_id'], display_name: expected_name },
    supplier: item['supplier_id'] === null ? null : { id: item['supplier_id'], company_name: item['supplier_name'] },
    vat:
      item['vat_type_id'] === null ? null : { id: item['vat_type_id'], name: vat_name, rate: Number(vat_rate) / 100 },
    batch: item['batch_id'] === null ? null : { id: item['batch_id'], name: item['batch_name'] },
    logs,
  }
}

const pattern = (text: string) => [`%${text}%`]
type Input = Record<string, string> & { lines: string[]; items: number[] }

const answers: Record<string, (input: Input) => Promise<unknown>> = {
  nothing: async () => ({}),
  newest: async () => page(await ask('newest')),
  byPrice: async () => page(await ask('byPrice')),
  deep: async ({ offset }) => page(await ask('deep', [offset])),
  search: async ({ search }) => page(await askAnew('search', pattern(search!))),
  words: async ({ search }) => {
    const words = search!.split(' ')
    const found = await pool.query<Row>(
      wordsStatement(words.length),
      words.flatMap((word) => (word.length < 3 ? [`${word}%`, `% ${word}%`] : [`%${word}%`, `%${word}%`])),
    )
    return page(found.rows)
  },
  whole: async ({ search }) => page(await ask('whole', [search])),
  quickStock: async ({ search }) => page(await askAnew('quickStock', pattern(search!))),
  quickBatch: async ({ search }) => page(await askAnew('quickBatch', pattern(search!))),
  quickSale: async ({ search }) => page(await askAnew('quickSale', pattern(search!))),
  quickCustomer: async ({ search }) => page(await askAnew('quickCustomer', pattern(search!))),
  quickUser: async ({ search }) => page(await askAnew('quickUser', pattern(search!))),
  quickSupplier: async ({ search }) => page(await askAnew('quickSupplier', pattern(search!))),
  quickOrder: async ({ lines }) => {
    const rows = await ask('quickOrder', [lines])
    return {
      data: rows.filter((row) => row['id'] !== null),
      not_found: rows.flatMap((row) => (row['id'] === null ? row['line'] : [])),
    }
  },
  record: async ({ id }) => {
    const [rows, logs] = await Promise.all([ask('record', [id]), ask('logs', [id])])
    return { data: [whole(rows[0]!, logs)] }
  },
  edit: async ({ id, price }) => {
    const [row] = await ask('edit', [id, price, 1])
    return { data: whole(row!, await ask('logs', [id])) }
  },
  basket: async ({ user, items }) => ({ data: await ask('basket', [user, items]) }),
  sell: ({ items, customer, user }) =>
    inTransaction(async (client) => {
      const [sale] = await ask('sell', [items, customer, user], client)
      return { data: { ...sale, items: await ask('soldItems', [sale!['id']], client) } }
    }),
  void: ({ sale: id, user }) =>
    inTransaction(async (client) => {
      const [sale] = await ask('voidSale', [id, user], client)
      return { data: { ...sale, items: await ask('soldItems', [id], client) } }
    }),
  batch: ({ items, user }) =>
    inTransaction(async (client) => {
      const [batch] = await ask('fillBatch', [items, user], client)
      return { data: { ...batch, items: await ask('batchItems', [batch!['id']], client) } }
    }),
  move: ({ items, batch: id, user }) =>
    inTransaction(async (client) => {
      const [batch] = await ask('moveBatch', [items, id, user], client)
      return { data: { ...batch, items: await ask('batchItems', [id], client) } }
    }),
  unbatch: ({ batch: id, user }) =>
    inTransaction(async (client) => {
      await ask('emptyBatch', [id, user], client)
      await ask('deleteBatch', [id], client)
      return { data: { id } }
    }),
}

async function inTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

async function copyOut(response: http.ServerResponse): Promise<void> {
  const client = new pg.Client({ ...connection, options })
  await client.connect()
  try {
    response.setHeader('content-type', 'text/csv; charset=utf-8')
    await pipeline(client.query(copyTo(`copy (${LIMITS.export}) to stdout (format csv)`)), response)
  } finally {
    await client.end()
  }
}

async function inputOf(request: http.IncomingMessage, query: string | undefined): Promise<Input> {
  const input = Object.fromEntries(new URLSearchParams(query))
  if (request.method === 'GET') return input as Input
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return { ...input, ...JSON.parse(Buffer.concat(chunks).toString()) }
}

async function respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const [path = '', query] = request.url!.slice(1).split('?')
  if (path === 'export') return copyOut(response)
  const input = await inputOf(request, query)
  if (path === 'pdf') {
    response.setHeader('content-type', 'application/pdf')
    response.end(await pdfOf(input as never))
    return
  }
  const body = JSON.stringify(await answers[path]!(input))
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(body)
}

const server = http.createServer((request, response) => {
  respond(request, response).catch((error: unknown) => {
    response.statusCode = 500
    response.end(String(error))
  })
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
