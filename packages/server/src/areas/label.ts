import { LabelsInput } from '@backstock/contract/label.ts'
import { paperOf } from '@backstock/contract/label-paper.ts'
import { codeTexts, type LabelItem, labelLines } from '@backstock/contract/label-text.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { StockQuery } from '@backstock/contract/stock.ts'
import { MAX_ITEMS } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Database, Db } from '../db/connect.ts'
import { whileAwaited } from '../http/awaited.ts'
import { fileAnswer } from '../http/openapi.ts'
import { places } from '../http/places.ts'
import { BODY } from '../http/read-bodies.ts'
import { invalid, Refusal } from '../http/refusal.ts'
import { actorOf } from '../http/session.ts'
import type { App } from '../http/typed-routes.ts'
import { type LabelSheet, renderLabels } from '../render/labels/labels.ts'
import { endedImport } from './stock/bulk/receive.ts'
import { idsMatching } from './stock/find.ts'

/** The most requests that wait, in all and for each person. Each one holds its items in memory. */
const MAX_AT_ONCE = { all: 20, each: 5 }

/** The route `POST /api/stock/labels`, which answers a PDF with labels of stock items. */
export function labelRoutes(app: App, db: Database): void {
  const waiting = places('labels', MAX_AT_ONCE)
  app.post(
    '/api/stock/labels',
    { schema: { body: LabelsInput, ...fileAnswer('The labels as PDF.', 'application/pdf') }, bodyLimit: BODY.list },
    async (request, reply) => {
      const unwanted = whileAwaited(reply)
      const { id: person } = actorOf(request)
      const made = await waiting(person, async () => {
        const sheet = await labelSheet(db.read, request.body)
        return { pdf: await renderLabels(person, sheet, unwanted), labels: sheet.labels.length }
      })
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="labels-${made.labels}.pdf"`)
        .send(made.pdf)
    },
  )
}

async function labelSheet(db: Db, input: LabelsInput): Promise<LabelSheet> {
  const { width = 0, height = 0, code, first, fields, holds } = input
  const paper = paperOf(input.paper, { width, height })
  const [items, { name }] = await Promise.all([
    labelItems(db, await wantedItems(db, input)),
    db.selectFrom('company').select('name').executeTakeFirstOrThrow(),
  ])
  const labels = items.map((item) => ({ codes: codeTexts(item, holds), lines: labelLines(item, fields, name) }))
  return { labels, paper, dpi: input.dpi ?? paper.dpi, code, first }
}

async function wantedItems(db: Db, { items = [], import_id }: LabelsInput): Promise<number[]> {
  return import_id === undefined ? items : itemsOfImport(db, import_id)
}

/** The ids of an import's items that still exist, the oldest first. Throws 422 if there are too many. */
async function itemsOfImport(db: Db, id: number): Promise<number[]> {
  await endedImport(db, id)
  const ids = await idsMatching(db, StockQuery.parse({ import: id }), MAX_ITEMS)
  if (ids.length > MAX_ITEMS) throw invalid({ import_id: `At most ${MAX_ITEMS} labels at once.` })
  if (ids.length === 0) throw invalid({ import_id: 'This import has no items.' })
  return ids
}

/**
 * The items in the order of `ids`; an id that appears twice gives two items. Throws 404 that names the ids which do not
 * exist.
 */
async function labelItems(db: Db, ids: readonly number[]): Promise<LabelItem[]> {
  const { rows } = await sql<LabelItem>`
    select s.id, s.backstock_id, s.imei, s.serial_number, g.name as grade_name, s.location, s.sales_price, s.sales_currency,
      p.display_name as product_display_name
    from unnest(${ids}::int[]) with ordinality as given (id, n) join stock s on s.id = given.id
    join product p on p.id = s.actual_product_id left join grade g on g.id = s.grade_id
    order by given.n`.execute(db)
  if (rows.length === ids.length) return rows
  const there = new Set(rows.map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !there.has(id))
  const named = someOf(unknown.map((id) => `#${id}`))
  throw new Refusal(404, `${unknown.length === 1 ? 'This item does' : 'These items do'} not exist: ${named}.`)
}
