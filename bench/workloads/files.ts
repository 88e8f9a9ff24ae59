import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Bench } from '../bench.ts'
import { median, percentile } from '../measure.ts'
import { ms, perSecond, type Row, times } from '../row.ts'
import { COPY, newItems } from './csv.ts'
import { listTimes, listTimesDuring } from './meanwhile.ts'
import type { Workload } from './workload.ts'

/** Uploads a file as the screens do, and waits until its import has ended. Returns how long this took, in seconds. */
export async function importFile(bench: Bench, csv: string, updateExisting: boolean): Promise<number> {
  const { target, sessions } = bench.sides.server
  const { cookie, csrf } = sessions[0]!
  const form = new FormData()
  form.set('csv', new Blob([csv], { type: 'text/csv' }), 'delivery.csv')
  form.set('delimeter', ',')
  form.set('update_existing', String(updateExisting))
  const started = (await bench.db.query<{ now: string }>('select clock_timestamp()::text as now')).rows[0]!.now
  const headers = { cookie, 'x-xsrf-token': csrf }
  const response = await fetch(`${target}/api/stock/import/csv`, { method: 'POST', headers, body: form })
  const answer = (await response.json()) as { data: { import_id: number } }
  if (!response.ok) throw new Error(`The import was refused: ${JSON.stringify(answer)}`)
  for (;;) {
    const { rows } = await bench.db.query<{ seconds: number; state: string; failed: number }>(
      `select extract(epoch from ended_at - $2::timestamptz)::float8 as seconds, state, failed from import where id = $1`,
      [answer.data.import_id, started],
    )
    const { seconds, state, failed } = rows[0]!
    if (state === 'failed' || failed > 0) throw new Error(`The import is ${state}, ${failed} rows failed`)
    if (state === 'done') return seconds
    await sleep(25)
  }
}

/**
 * The limit for an import: COPY into the same table with its indexes, triggers and foreign keys. Returns rows a second.
 * All is rolled back afterwards.
 */
async function copyRate(bench: Bench, rows: number): Promise<number> {
  const text = (await newItems(bench, rows)).copy()
  const client = new pg.Client(bench.database.connection)
  await client.connect()
  try {
    await client.query('begin')
    const started = performance.now()
    const copy = client.query(copyFrom(COPY))
    copy.end(text)
    await once(copy, 'finish')
    const rate = (rows * 1000) / (performance.now() - started)
    await client.query('rollback')
    return rate
  } finally {
    await client.end()
  }
}

const ROUNDS = { imports: 2, exports: 3 }

const imports: Workload = {
  id: 'S11',
  async measure(bench) {
    const rows = bench.size.importRows
    await importFile(bench, (await newItems(bench, 1000)).csv(), false) // not counted, because it compiles code
    const rates: Record<'copy' | 'create' | 'again' | 'priced', number[]> = {
      copy: [],
      create: [],
      again: [],
      priced: [],
    }
    for (let round = 0; round < ROUNDS.imports; round++) {
      const items = await newItems(bench, rows)
      rates.copy.push(await copyRate(bench, rows))
      rates.create.push(rows / (await importFile(bench, items.csv(), false)))
      rates.again.push(rows / (await importFile(bench, items.csv(), true)))
      rates.priced.push(rows / (await importFile(bench, items.csv(10), true)))
    }
    rates.copy.push(await copyRate(bench, rows))
    const limit = median(rates.copy)
    const row = (id: string, title: string, rate: number, asked?: number): Row => ({
      ...{ id, title, rate: perSecond(rate, ' rows'), limitRate: perSecond(limit, ' rows'), share: rate / limit },
      ...(asked && { shareAsked: `${asked * 100}%`, met: rate / limit >= asked }),
      figures: { rate, limitRate: limit },
    })
    const count = rows.toLocaleString('en')
    return [
      row('S11', `Import of ${count} new rows`, median(rates.create), 0.3),
      await listsMeanwhile(bench, rows),
      row('S12', 'The same file again, to update', median(rates.again), 0.25),
      row('S12', 'The same items with other prices, to update', median(rates.priced)),
    ]
  },
}

async function listsMeanwhile(bench: Bench, rows: number): Promise<Row> {
  const csv = (await newItems(bench, rows)).csv()
  const idle = percentile(await listTimes(bench), 95)
  const during = percentile(await listTimesDuring(bench, () => importFile(bench, csv, false)), 95)
  return {
    ...{ id: 'S11', title: 'S1 meanwhile, p95 against its own when idle', p95: ms(during), limit: ms(idle) },
    ...{ ratio: during / idle, ratioAsked: times(3), met: during / idle <= 3 },
    figures: { p95: during, idleP95: idle },
  }
}

type Download = { firstMs: number; ms: number; bytes: number }

/** Reads a file to its end without keeping it. */
export async function download(address: string, cookie: string): Promise<Download> {
  const started = performance.now()
  const request = http.get(address, { headers: { cookie } })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${address}: ${response.statusCode}`)
  let firstMs = 0
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    firstMs ||= performance.now() - started
    bytes += chunk.length
  })
  await once(response, 'end')
  return { firstMs, ms: performance.now() - started, bytes }
}

export const exportAddress = (target: string) => `${target}/api/stock/export/csv`

const exports_: Workload = {
  id: 'S13',
  async measure({ db, server, limits, sessions }) {
    const rows = (await db.query<{ n: number }>('select count(*)::int as n from stock')).rows[0]!.n
    const found: Record<'server' | 'limit', Download[]> = { server: [], limit: [] }
    for (let round = 0; round < ROUNDS.exports; round++) {
      found.limit.push(await download(`${limits.target}/export`, ''))
      found.server.push(await download(exportAddress(server.target), sessions[0]!.cookie))
    }
    const [ours, theirs] = [found.server, found.limit].map((all) => median(all.map((one) => one.ms))) as [
      number,
      number,
    ]
    const [rate, limitRate] = [(rows * 1000) / ours, (rows * 1000) / theirs]
    const first = median(found.server.map((one) => one.firstMs))
    return [
      {
        ...{ id: 'S13', title: `Export of ${rows.toLocaleString('en')} rows as CSV`, rate: perSecond(rate, ' rows') },
        ...{ limitRate: perSecond(limitRate, ' rows'), share: rate / limitRate, shareAsked: '60%' },
        met: rate / limitRate >= 0.6,
        figures: { rate, limitRate, bytes: found.server[0]!.bytes, limitBytes: found.limit[0]!.bytes },
      },
      {
        ...{ id: 'S13', title: 'Its first byte', p50: ms(first), ratioAsked: '200 ms', met: first <= 200 },
        figures: { first },
      },
    ]
  },
}

/** Exports come first, because imports add items to export. */
export const files = [exports_, imports]
