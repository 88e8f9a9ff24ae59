import type { Bench } from '../bench.ts'
import type { Operation } from '../load-client.ts'
import { median, percentile } from '../measure.ts'
import { ms, times } from '../row.ts'
import { newItems } from './csv.ts'
import { importFile } from './files.ts'
import { type Asked, timesAlone, timesDuring } from './meanwhile.ts'
import type { Workload } from './workload.ts'

const ROUNDS = 3
const ASKED = { import: 1.5, person: 2 }
const ALONE_MS = 10_000

/**
 * The requests of a person who browses: a page of the list, the next page, some records, a search. There are ten a
 * second.
 */
function browsing({ inStock, busy }: Bench): () => Asked {
  let turns = 0
  return () => {
    const n = turns++
    const get = (path: string): Operation => [{ method: 'GET', path: `/api/stock/find?${path}` }]
    const page = (at: number) => get(`status=In%20Stock&per_page=10&page=${at}`)
    const record = (at: number) => get(`id=${busy[(n * 4 + at) % busy.length]}`)
    const search = (at: number) => get(`per_page=10&search=${inStock[(n * 2 + at) % inStock.length]!.imei.slice(-8)}`)
    const operations = [
      page(1),
      record(0),
      page(2),
      record(1),
      search(0),
      page(1),
      record(2),
      page(3),
      record(3),
      search(1),
    ]
    return { operations, clients: 1, forMs: 1000, everyMs: 100 }
  }
}

/** Measures an import and a person who browses: each alone, then both at once. */
export const onePerson: Workload = {
  id: 'S22',
  async measure(bench) {
    const rows = bench.size.importRows
    const file = async (count = rows) => (await newItems(bench, count)).csv()
    await importFile(bench, await file(1000), false) // not counted, because it compiles code
    const person = browsing(bench)
    await timesAlone(bench, person, 2000)
    const seconds: Record<'alone' | 'both', number[]> = { alone: [], both: [] }
    const waits: Record<'alone' | 'both', number[]> = { alone: [], both: [] }
    for (let round = 0; round < ROUNDS; round++) {
      seconds.alone.push(await importFile(bench, await file(), false))
      waits.alone.push(...(await timesAlone(bench, person, ALONE_MS)))
      const csv = await file()
      const work = async () => void seconds.both.push(await importFile(bench, csv, false))
      waits.both.push(...(await timesDuring(bench, person, work)))
    }
    const [alone, both] = [median(seconds.alone) * 1000, median(seconds.both) * 1000]
    const [p95Alone, p95] = [percentile(waits.alone, 95), percentile(waits.both, 95)]
    const title = `Import of ${rows.toLocaleString('en')} rows while one person asks ten times a second`
    return [
      {
        ...{ id: 'S22', title, p50: ms(both), limit: ms(alone), ratio: both / alone },
        ...{ ratioAsked: times(ASKED.import), met: both / alone <= ASKED.import },
        figures: { ms: both, aloneMs: alone },
      },
      {
        ...{ id: 'S22', title: 'That person meanwhile, p95 against their own without it', p50: ms(median(waits.both)) },
        ...{ p95: ms(p95), limit: ms(p95Alone), ratio: p95 / p95Alone, ratioAsked: times(ASKED.person) },
        met: p95 / p95Alone <= ASKED.person,
        figures: { p50: median(waits.both), p95, aloneP50: median(waits.alone), aloneP95: p95Alone },
      },
    ]
  },
}
