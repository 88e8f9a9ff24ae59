import { once } from 'node:events'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Bench } from './bench.ts'
import type { Exchange } from './load-client.ts'
import { median, SIDES, type Side } from './measure.ts'
import { ms, times } from './row.ts'
import { markdown } from './table.ts'
import { importFile } from './workloads/files.ts'
import { send } from './workloads/records.ts'

/** The numbers of items in one request. The largest is the limit of a basket. */
const REQUEST_SIZES = [10, 100, 1000, 5000]
/** Bulk edits may have more items than other requests. This is their largest number. */
const MOST_PRICES = 10_000
const ROUNDS = 5
/** The requirement: 5,000 items take at most 8 times as long as 1,000, and at most twice as long as the limit. */
const MOST = { growth: 8, ratio: 2 }

/** The requests with many items. */
const KINDS = {
  basket: 'Basket',
  batch: 'Batch',
  move: 'Moving to another batch',
  unbatch: 'Deletion of the batch',
  sale: 'Sale, without documents',
  void: 'Voiding of the sale',
  import: 'Import that changes prices',
  bulk: 'Bulk edit of prices',
  prices: 'Prices, in one statement',
}
type Kind = keyof typeof KINDS

type Item = Bench['inStock'][number]
/** Median times in ms: one for each of REQUEST_SIZES, and one for MOST_PRICES if that was measured. */
export type RequestGrowth = { title: string; server: number[]; limit: number[] }

/**
 * Measures each request at all sizes: first by the server, then as bare statements of PostgreSQL (its limit). Each
 * measurement takes back its changes at its end.
 */
export async function measureRequests(bench: Bench): Promise<RequestGrowth[]> {
  const sizes = REQUEST_SIZES.filter((size) => size <= bench.inStock.length)
  const heard = sizes.map((): Record<Side, Record<Kind, number>[]> => ({ server: [], limit: [] }))
  // The first round is not counted, because code is compiled and statements are planned in it.
  for (let round = 0; round <= ROUNDS; round++) {
    bench.say(`S18, round ${round} of ${ROUNDS} …`)
    for (const [n, size] of sizes.entries())
      for (const side of round % 2 ? SIDES.toReversed() : SIDES) {
        const from = (round * size) % (bench.inStock.length - size + 1)
        const took = await turn(bench, side, bench.inStock.slice(from, from + size))
        if (round > 0) heard[n]![side].push(took)
      }
  }
  const medians = (side: Side, kind: Kind) => heard.map((took) => median(took[side].map((one) => one[kind])))
  const found = (Object.keys(KINDS) as Kind[]).map((kind) => ({
    ...{ title: KINDS[kind], server: medians('server', kind), limit: medians('limit', kind) },
  }))
  const most = bench.inStock.slice(0, MOST_PRICES)
  if (most.length === MOST_PRICES)
    for (const [kind, write] of Object.entries(MANY))
      for (const side of SIDES) {
        const took: number[] = []
        for (let round = 0; round < ROUNDS; round++) took.push(await write(bench, side, most))
        found.find(({ title }) => title === KINDS[kind as Kind])![side].push(median(took))
      }
  return found
}

async function turn(bench: Bench, side: Side, items: Item[]): Promise<Record<Kind, number>> {
  const { db, sides, load } = bench
  const ids = items.map(({ id }) => id)
  const ask = async (limit: Exchange, server: Exchange) => {
    const operations = [[side === 'limit' ? limit : server]]
    return (await load.run({ ...sides[side], operations, clients: 1 })).times[0]!
  }
  const newest = async (table: 'batch' | 'sale') =>
    (await db.query<{ id: number }>(`select max(id) as id from ${table}`)).rows[0]!.id

  const basket = await ask(
    send('PUT', '/basket?user=:me', { items: ids }),
    send('PUT', '/api/user/:me/basket', { items: ids }),
  )
  const batch = await ask(
    send('POST', '/batch?user=:me', { items: ids }),
    send('POST', '/api/batch/create', { name: 'Many', items: ids }),
  )
  const from = await newest('batch')
  await db.query(`insert into batch (user_id, name) values (1, 'Other')`)
  const to = await newest('batch')
  const move = await ask(
    send('POST', '/move?user=:me', { items: ids, batch: to }),
    send('POST', '/api/batch/add-items', { batch_id: to, items: ids, id: from }),
  )
  const unbatch = await ask(send('POST', '/unbatch?user=:me', { batch: to }), {
    method: 'DELETE',
    path: `/api/batch/${to}/delete`,
  })
  const sale = await ask(
    send('POST', '/sell?user=:me', { items: ids, customer: 1 }),
    send('POST', '/api/sale/create', {
      stock_items: ids.map((id) => ({ id })),
      ...{ customer_id: 1, create_invoice: false, create_excel: false, send_email: false },
    }),
  )
  const sold = await newest('sale')
  const voided = await ask(
    send('POST', '/void?user=:me', { sale: sold }),
    send('POST', `/api/sale/${sold}/edit`, { status: 'Voided' }),
  )
  const importing = await (side === 'limit' ? copyPrices : importPrices)(bench, items)
  return {
    basket,
    batch,
    move,
    unbatch,
    sale,
    void: voided,
    import: importing,
    bulk: await editPrices(bench, side, items),
    prices: await writePrices(bench, side, items),
  }
}

/** Another price for each import, so that each import changes all items. */
let price = 100
const pricesOf = (items: Item[], next = ++price) => items.map(({ imei }) => `${imei},${next}.00\n`).join('')

const importPrices = async (bench: Bench, items: Item[]) =>
  1000 * (await importFile(bench, `imei,sales_price\n${pricesOf(items)}`, true))

/** The limit for an import: COPY of the file, one statement that writes the prices, and one for the logs. */
async function copyPrices(bench: Bench, items: Item[]): Promise<number> {
  const text = pricesOf(items)
  return timed(bench, async (client) => {
    await client.query('create temp table row (imei text, price numeric) on commit drop')
    const copy = client.query(copyFrom('copy row from stdin (format csv)'))
    copy.end(text)
    await once(copy, 'finish')
    await client.query(`
      with written as (update stock set sales_price = row.price * 100
          from row join stock_identifier i on i.kind = 'i' and left(i.value, 14) = left(row.imei, 14) and i.in_hand
          where stock.id = i.stock_id returning stock.id, old.sales_price as was, new.sales_price as now_is)
      insert into log (user_id, loggable_type, loggable_id, content)
      select 1, 'Stock', id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
        jsonb_build_object('attributeName', 'sales_price', 'from', was, 'to', now_is))) from written`)
  })
}

/** Writes the prices with one statement. For the limit, triggers are off. */
function writePrices(bench: Bench, side: Side, items: Item[]): Promise<number> {
  return timed(bench, async (client) => {
    if (side === 'limit') await client.query('set local session_replication_role = replica')
    // The server's connections have mostly written single items first, and their triggers are planned for that. So this
    // one writes a single item first, too.
    else await client.query('update stock set sales_price = sales_price + 1 where id = $1', [items[0]!.id])
    return client.query('update stock set sales_price = sales_price + 1 where id = any($1::int[])', [
      items.map(({ id }) => id),
    ])
  })
}

/**
 * A bulk edit of prices after its preview. The limit locks, writes, logs and keeps the data for an undo, in two
 * statements.
 */
async function editPrices(bench: Bench, side: Side, items: Item[]): Promise<number> {
  const ids = items.map(({ id }) => id)
  if (side === 'limit') return timed(bench, (client) => editBare(client, ids))
  const changes = { sales_price: { add: 100 } }
  const { token } = await posted(bench, 'stock/bulk/preview', { items: ids, changes })
  const started = performance.now()
  await posted(bench, 'stock/bulk', { items: ids, changes, token })
  return performance.now() - started
}

async function editBare(client: pg.Client, ids: number[]): Promise<void> {
  await client.query('select * from stock where id = any($1::int[]) order by id for no key update', [ids])
  await client.query(
    `with written as (update stock set sales_price = sales_price + 100 where id = any($1::int[])
        returning id, old.sales_price as was, sales_price as now_is, old.updated_at as found, updated_at as version),
      act as (insert into bulk_edit (user_id, kind, changes, items, found, versions, before)
        select 1, 'edit', '{}', array_agg(id), array_agg(found), array_agg(version),
          jsonb_agg(jsonb_build_object('sales_price', was)) from written returning id)
      insert into log (user_id, bulk_id, of_many, loggable_type, loggable_id, content)
      select 1, act.id, true, 'Stock', written.id, jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
        jsonb_build_object('attributeName', 'sales_price', 'from', was, 'to', now_is))) from written, act`,
    [ids],
  )
}

/** Posts as the first user, and returns the data of the answer. Throws if the server refuses. */
async function posted(bench: Bench, path: string, body: object): Promise<{ token: string }> {
  const { target, sessions } = bench.sides.server
  const { cookie, csrf } = sessions[0]!
  const headers = { cookie, 'x-xsrf-token': csrf, 'content-type': 'application/json' }
  const answer = await fetch(`${target}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was refused: ${text}`)
  return JSON.parse(text).data
}

/** The requests that are also measured with 10,000 items. */
const MANY = { bulk: editPrices, prices: writePrices } satisfies Partial<Record<Kind, unknown>>

async function timed(bench: Bench, work: (client: pg.Client) => Promise<unknown>): Promise<number> {
  const client = new pg.Client(bench.database.connection)
  await client.connect()
  try {
    await client.query('begin')
    const started = performance.now()
    await work(client)
    await client.query('commit')
    return performance.now() - started
  } finally {
    await client.end()
  }
}

/** The sizes of the table. Only bulk edits have the last one, because no other request changes so many items. */
const COLUMNS = [...REQUEST_SIZES, MOST_PRICES]
const at = (values: number[], size: number) => values[COLUMNS.indexOf(size)] ?? Number.NaN

/** The table. It shows how much longer 5,000 items take than 1,000, and compares both with the bare statements. */
export function requestsTable(found: readonly RequestGrowth[]): string {
  const cells = found.map(({ title, server, limit }) => {
    const growth = at(server, 5000) / at(server, 1000)
    const ratio = Math.max(at(server, 5000) / at(limit, 5000), at(server, MOST_PRICES) / at(limit, MOST_PRICES) || 0)
    return [
      title,
      ...COLUMNS.map((size) => (Number.isNaN(at(server, size)) ? '' : ms(at(server, size)))),
      ...[times(growth), times(MOST.growth), ms(at(limit, 5000)), times(ratio), times(MOST.ratio)],
      growth <= MOST.growth && ratio <= MOST.ratio ? 'yes' : '**no**',
    ]
  })
  const head = ['Items', ...COLUMNS.map((size) => size.toLocaleString('en')), '5,000 to 1,000', 'Asked']
  const whole = [...head, "Limit's 5,000", 'Ratio', 'Asked', 'Met']
  return markdown(whole, cells, new Set(whole.map((_, n) => n).slice(1, -1)))
}
