import { DEFAULT_FIELDS, fieldFilledBy } from '@backstock/contract/csv-columns.ts'
import type { FileNote, ImportPreview, PreviewRow, RowKind } from '@backstock/contract/import-preview.ts'
import { ROW_KINDS } from '@backstock/contract/import-preview.ts'
import { saidInTitles } from '@backstock/contract/import-titles.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { Found } from '../../../db/page.ts'
import type { PlannedRow, PlanSummary, PreviewSettings } from '../../../db/preview-columns.ts'
import { newItemOf } from '../decide/planned-row.ts'
import { askedOf, datesIn, decimalIn, dollarIn } from '../interpret/decimal.ts'
import { becomesOne, otherQuantity, wholesOf } from '../interpret/several-imeis.ts'
import { askedBy, meaningKey } from '../interpret/translation.ts'
import { changedSince } from './changed-items.ts'
import { isInStock } from './plan-summary.ts'

/**
 * How long a preview is kept after the last request for it. The job that deletes old previews every minute has the same
 * time.
 */
const KEPT_MS = 24 * 60 * 60 * 1000

type Open = {
  id: number
  file_name: string | null
  state: 'previewing' | 'previewed'
  error: string | null
  total: number
  header: string[]
  preview: PreviewSettings
  plan: PlanSummary | null
  update_existing: boolean
  supplier_id: number | null
  supplier: string | null
  touched_at: string
  plan_no: number
  parts: number
  parts_planned: number
  planned: number[]
  stale: ImportPreview['stale']
}

/** A person's open preview, or that person's preview with this id. */
export async function previewOf(db: Db, userId: number, id?: number): Promise<ImportPreview | undefined> {
  const { rows } = await sql<Open>`
    select i.id, i.file_name, i.state, i.error, i.total, i.header, i.preview, i.plan, i.update_existing, i.supplier_id,
      s.company_name as supplier, i.touched_at, i.plan_no, p.parts, p.parts_planned, p.planned,
      stale.one as stale
    from import i left join supplier s on s.id = i.supplier_id
    cross join lateral (
      select count(*) as parts, count(*) filter (where made.planned) as parts_planned,
        array[${sql.join(ROW_KINDS.map((_, n) => sql`coalesce(sum(part.planned[${sql.lit(n + 1)}]) filter (where made.planned), 0)::int`))}]
          as planned
      from import_part part, lateral (select part.plan_no = i.plan_no and part.plan is not null as planned) made where part.import_id = i.id) p
    left join lateral (
      select jsonb_build_object('by', by, 'import_id', o.id, 'file_name', o.file_name, 'is_over', is_over) as one
      from (
        select id, file_name, 'undo' as by, false as is_over, undo_asked_at as at from import where undo in ('waiting', 'undoing')
        union all
        select id, file_name, 'import', false, created_at from import
          where state in ('waiting', 'running') and type = 'csv_import'
        union all
        select id, file_name, 'undo', true, undone_at from import where undone_at > (i.plan ->> 'begun_at')::timestamptz
        union all
        select id, file_name, 'import', true, ended_at from import
          where ended_at > (i.plan ->> 'begun_at')::timestamptz and ended_at is not null and type = 'csv_import' and succeeded > 0
      ) o where i.state = 'previewed' order by is_over, at desc limit 1) stale on true
    where i.user_id = ${userId} and i.state in ('previewing', 'previewed')
      and (${id ?? null}::int is null or i.id = ${id ?? null}::int)`.execute(db)
  const [open] = rows
  if (!open) return undefined
  return shown({ ...open, stale: open.stale ?? (await changedSince(db, open)) })
}

function shown(open: Open): ImportPreview {
  const { preview: settings, plan } = open
  const isPlanned = open.state === 'previewed'
  const used = new Set(plan?.used)
  const columns = new Set(settings.columns.map(({ field }) => fieldFilledBy(field)))
  const file = { columns, hasHeader: settings.header_row !== null }
  return {
    import_id: open.id,
    file_name: open.file_name ?? '',
    format: settings.format,
    state: open.error === null ? open.state : 'failed',
    error: open.error,
    progress: isPlanned ? 100 : Math.min(99, Math.floor((open.parts_planned * 100) / Math.max(1, open.parts))),
    total_rows: open.total,
    plan_no: open.plan_no,
    sheets: settings.sheets,
    sheet: settings.sheet,
    notes: notesOf(open),
    leaves_out_hidden: settings.leaves_out_hidden ?? false,
    delimiter: settings.delimiter,
    encoding: settings.encoding,
    encoding_guessed: settings.encoding_guessed ?? false,
    decimal: decimalIn(settings),
    dates: datesIn(settings),
    asked: askedOf(settings),
    header_row: settings.header_row,
    top: settings.top,
    titles: settings.titles,
    update_existing: open.update_existing,
    supplier: open.supplier_id === null ? null : { id: open.supplier_id, name: open.supplier ?? '' },
    columns: settings.columns.map(({ field, how, last = null, samples }, column) => ({
      column,
      name: open.header[column] ?? '',
      field,
      how,
      last,
      samples,
    })),
    defaults: settings.defaults,
    proposed: saidInTitles(settings.titles, datesIn(settings), settings.dollar),
    dollar: plan?.dollars
      ? { rows: plan.dollars, means: dollarIn(settings), remembered: settings.rememberedDollar ?? null }
      : null,
    currencies:
      plan?.currencies?.map((one) => ({
        ...one,
        rate: settings.rates?.[one.currency] ?? null,
        remembered: settings.rememberedRates?.[one.currency] ?? null,
      })) ?? [],
    several: plan?.several?.rows
      ? { ...plan.several, means: settings.several ?? null, ...wholesOf(open.header, settings) }
      : null,
    counts: plan?.counts ?? countsOf(open.planned),
    reasons:
      plan?.reasons.map((reason) => ({
        ...reason,
        asks:
          !open.update_existing && isInStock(reason.message) ? 'update' : askedBy(reason.field, reason.message, file),
      })) ?? [],
    unknown: plan?.unknown ?? [],
    remembered_defaults: Object.fromEntries(
      Object.entries(settings.rememberedDefaults ?? {}).filter(([field]) =>
        DEFAULT_FIELDS.some((one) => one === field && settings.defaults[one] !== undefined),
      ),
    ),
    meanings: settings.meanings.flatMap(({ field, seen, means, isChosen, remembered = null }) =>
      means !== null && (isChosen || used.has(meaningKey(field, seen))) ? [{ field, seen, means, remembered }] : [],
    ),
    stale: open.stale,
    expires_at: new Date(Date.parse(open.touched_at) + KEPT_MS).toISOString(),
  }
}

function notesOf({ preview: { notes = [], columns }, plan, header }: Open): FileNote[] {
  const { count = 0, first = [] } = plan?.errors ?? {}
  const { quantities = { count: 0, first: [] } } = plan ?? {}
  const { locked = 0, unlocked = 0 } = plan?.blankLocks ?? {}
  const locks = columns.findIndex(({ field }) => field === 'network_locked' || field === 'network_unlocked')
  const where = [header[locks] ?? '']
  // The column may be there only because the template has it. If it is empty, it needs no note.
  const isUsed = columns[locks]?.field === 'network_unlocked' || columns[locks]?.samples.length !== 0
  const ofRows: FileNote[] = [
    { kind: 'quantity', count: quantities.count, where: quantities.first.map(String) },
    { kind: 'errors', count, where: first.map(String) },
    { kind: 'blank_locked', count: locked, where },
    { kind: 'blank_unlocked', count: isUsed ? unlocked : 0, where },
  ]
  return [...notes, ...ofRows.filter((note) => note.count > 0), ...(plan?.notes ?? [])]
}

const countsOf = (planned: readonly number[]) =>
  Object.fromEntries(ROW_KINDS.map((kind, n) => [kind, planned[n] ?? 0])) as Record<RowKind, number>

/** The most characters of a row in the answer. A page has many rows, and each may have a hundred long notes. */
const LONG_ROW = 50_000

type RowOfPart = { row: number; of_row: number | null; planned: PlannedRow; cells: string[] }

/**
 * A page of a preview's rows in the order of the file, or of the rows of some kinds only. Undefined if this preview
 * does not exist or belongs to another person. Only the parts with rows of the page are opened. Rows that are not
 * planned yet are left out.
 */
export async function previewRows(
  db: Db,
  userId: number,
  id: number,
  { page, per_page, kind = [...ROW_KINDS], order }: Query,
): Promise<Found<PreviewRow> | undefined> {
  const open = await db
    .selectFrom('import')
    .select(['plan_no', 'header', 'preview'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('state', 'in', ['previewing', 'previewed'])
    .executeTakeFirst()
  if (!open) return undefined
  const { rows: parts } = await sql<{ part: number; n: number }>`
    select part, (select sum(planned[k])::int from unnest(${kind.map((one) => ROW_KINDS.indexOf(one) + 1)}::int[]) k) as n
    from import_part where import_id = ${id} and plan_no = ${open.plan_no} order by part`.execute(db)
  const total = parts.reduce((sum, { n }) => sum + n, 0)
  const asked = (page - 1) * per_page
  // The bounds count from the first row of the file, even if the page shows the last rows first.
  const [from, to] = order.direction === 'asc' ? [asked, asked + per_page] : [total - asked - per_page, total - asked]
  const touched: number[] = []
  let before = 0
  let first = 0
  for (const { part, n } of parts) {
    if (n > 0 && before < to && before + n > from) {
      if (touched.length === 0) first = before
      touched.push(part)
    }
    before += n
  }
  if (touched.length === 0) return { rows: [], total }
  const { rows } = await sql<RowOfPart>`
    with planned as materialized (
      select p.part, r.ord, r.plan, row_number() over (order by p.part, r.ord) - 1 as place
      from import_part p cross join lateral jsonb_array_elements(p.plan) with ordinality as r (plan, ord)
      where p.import_id = ${id} and p.plan_no = ${open.plan_no} and p.part = any(${touched}::int[])
        and r.plan ->> 'kind' = any(${kind}::text[])),
      own as materialized (
        select r.place, p.lines[r.ord] as line, (p.pieces -> 'of' ->> p.lines[r.ord]::text)::int as of_row, r.plan, p.cells -> (r.ord::int - 1) as cells
        from planned r join import_part p on p.import_id = ${id} and p.part = r.part
        where r.place >= ${from - first}::int and r.place < ${to - first}::int)
    select line as row, of_row, plan as planned, case when length(cells::text) <= ${LONG_ROW} then cells
      else (select jsonb_agg(case when length(cell) <= most then cell else left(cell, most) || '…' end order by n)
        from jsonb_array_elements_text(cells) with ordinality as c (cell, n)) end as cells
    from own, lateral (select greatest(${LONG_ROW} / greatest(jsonb_array_length(cells), 1), 20) as most) a
    order by place`.execute(db)
  const quantityOf = otherQuantity(open.header ?? [], open.preview ?? { columns: [] })
  const found = rows.map((row) => rowOf(row, quantityOf(row.cells)))
  return { rows: order.direction === 'asc' ? found : found.reverse(), total }
}
type Query = {
  page: number
  per_page: number
  kind?: RowKind[] | undefined
  order: { direction: 'asc' | 'desc' }
}

function rowOf({ row, of_row, planned, cells }: RowOfPart, quantity: number | null): PreviewRow {
  const { kind } = planned
  const becomes = kind === 'new' && planned.becomes ? newItemOf(planned.becomes) : null
  return {
    row,
    of_row,
    kind,
    id: kind === 'updated' || kind === 'unchanged' ? planned.id : null,
    product: kind === 'failed' ? null : planned.product,
    changes: kind === 'updated' ? planned.changes : [],
    becomes,
    note: becomes && quantity !== null ? becomesOne(quantity, becomes) : null,
    errors: kind === 'failed' ? planned.errors : {},
    cells,
  }
}
