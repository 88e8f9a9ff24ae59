import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { LONG_SALE, LONG_SALE_LINES } from '../data.ts'
import type { InvoiceToPrint } from '../limit-pdf.ts'
import { median, percentile } from '../measure.ts'
import { ms, times } from '../row.ts'
import { listTimes, listTimesDuring } from './meanwhile.ts'
import type { Workload } from './workload.ts'

/**
 * Orders a new version of the long invoice, and waits for its file. Returns how long this took in ms, and what the
 * limit needs for the same file, which is read when the clock has stopped.
 */
export async function makeInvoice({ db, sides }: Bench): Promise<{ ms: number; invoice: InvoiceToPrint }> {
  const { target, sessions } = sides.server
  const { cookie, csrf } = sessions[0]!
  const started = performance.now()
  const response = await fetch(`${target}/api/sale/${LONG_SALE}/invoice/generate`, {
    method: 'POST',
    headers: { cookie, 'x-xsrf-token': csrf, 'content-type': 'application/json' },
    body: '{"lang":"en"}',
  })
  if (!response.ok) throw new Error(`The invoice was refused: ${await response.text()}`)
  await response.arrayBuffer()
  for (;;) {
    const { rows } = await db.query<{ document_id: number; version: number; file_id: number | null; status: string }>(
      `select v.document_id, v.version, v.file_id, i.status
       from document i join document_version v on v.document_id = i.id
       where i.kind = 'invoice' and i.sale_id = $1 order by v.version desc limit 1`,
      [LONG_SALE],
    )
    const { document_id, version, status, file_id } = rows[0]!
    if (status === 'failed') throw new Error('The invoice could not be made')
    if (file_id !== null) {
      const ms = performance.now() - started
      const made = await db.query<InvoiceToPrint>(
        `select v.data, convert_from(x.content, 'utf8') as cii
         from document_version v join document_xml x using (document_id, version)
         where v.document_id = $1 and v.version = $2 and x.syntax = 'cii'`,
        [document_id, version],
      )
      return { ms, invoice: made.rows[0]! }
    }
    await sleep(10)
  }
}

async function limitPdf({ limits }: Bench, invoice: InvoiceToPrint): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${limits.target}/pdf`, { method: 'POST', body: JSON.stringify(invoice) })
  const content = await response.arrayBuffer()
  if (!response.ok) throw new Error(Buffer.from(content).toString())
  return performance.now() - started
}

const ROUNDS = 7

const invoice: Workload = {
  id: 'S14',
  async measure(bench) {
    const { invoice } = await makeInvoice(bench) // not counted, because it compiles code and loads fonts
    await limitPdf(bench, invoice)
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(await limitPdf(bench, invoice))
      ours.push((await makeInvoice(bench)).ms)
    }
    const [p50, limitP50] = [median(ours), median(theirs)]
    const ratio = p50 / limitP50
    const idle = percentile(await listTimes(bench), 99)
    const during = percentile(await listTimesDuring(bench, () => makeInvoice(bench)), 99)
    return [
      {
        ...{ id: 'S14', title: `Invoice PDF of ${LONG_SALE_LINES.toLocaleString('en')} lines, request to file` },
        ...{ p50: ms(p50), p95: ms(percentile(ours, 95)), limit: ms(limitP50), ratio, ratioAsked: times(1.3) },
        met: ratio <= 1.3,
        figures: { p50, limitP50 },
      },
      {
        ...{ id: 'S14', title: 'S1 meanwhile, p99 against its own when idle', p95: ms(during), limit: ms(idle) },
        ...{ ratio: during / idle, ratioAsked: times(3), met: during / idle <= 3 },
        figures: { p99: during, idleP99: idle },
      },
    ]
  },
}

export const documents = [invoice]
