import { DOCUMENT_NAMES, type DocumentKind, type DocumentStatus } from '@backstock/contract/document-kind.ts'
import { type Hundredths, toCurrencyUnits } from '@backstock/contract/money.ts'
import { sql } from 'kysely'
import type { Database, Db } from '../../db/connect.ts'
import type { LongWork } from '../../http/pace.ts'
import { fileChunks, safeFileName } from '../../records/file.ts'
import type { ZipEntry } from '../../render/zipped.ts'
import { BOM, csvCell, guardCell } from '../stock/csv-cell.ts'
import { newestFirst } from './newest-first.ts'
import { keptXml, xmlLacks, xmlToSend } from './render.ts'

/** The number of documents whose facts are read at a time. */
const AT_ONCE = 200

type Archived = {
  id: number
  kind: DocumentKind
  number: string
  issued_on: string
  buyer_name: string
  total_gross: Hundredths
  status: DocumentStatus
  is_final: boolean
  file_id: number | null
  size: number | null
}

/** These documents, in the order of the ids. */
async function documentsByIds(db: Db, ids: readonly number[]): Promise<Archived[]> {
  const { rows } = await sql<Archived>`
    select d.id, d.kind, d.printed as number, d.issued_on, d.buyer_name, d.total_gross, d.status,
      d.left_at is not null as is_final, f.id as file_id, f.size
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, nth) join document d using (id)
      left join lateral (
        select v.file_id from document_version v where v.document_id = d.id order by ${newestFirst()} limit 1) v on true
      left join file f on f.id = v.file_id
    order by nth`.execute(db)
  return rows
}

/** A document that has its turn in the archive: its files, and why one of them is missing. */
type Found = { pdf: string; xml: string; missing: string[] }

const COLUMNS: [heading: string, cell: (row: Archived & Found & { nth: number; of: number }) => string][] = [
  ['document', ({ nth }) => String(nth)],
  ['of', ({ of }) => String(of)],
  ['number', ({ number }) => guardCell(number)],
  ['kind', ({ kind }) => DOCUMENT_NAMES[kind]],
  ['date', ({ issued_on }) => issued_on],
  ['buyer', ({ buyer_name }) => guardCell(buyer_name)],
  ['gross', ({ kind, total_gross }) => String(toCurrencyUnits(kind === 'invoice' ? total_gross : 0 - total_gross))],
  ['pdf', ({ pdf }) => pdf],
  ['xml', ({ xml }) => xml],
  ['missing', ({ missing }) => missing.join(' ')],
]
const line = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`

export const INDEX = 'index.csv'

/**
 * Yields the files of an archive. Each of these documents that is final has its PDF and its UBL there, with the same
 * bytes as single downloads. The last file is an index of all documents, which says why a file is missing. Each file is
 * read when it is written. Final documents never change, so no transaction stays open meanwhile.
 */
export async function* archiveOf(db: Database, ids: readonly number[], long: LongWork): AsyncGenerator<ZipEntry> {
  const names = new Set([INDEX])
  const index = [BOM + line(COLUMNS.map(([heading]) => heading))]
  for (let from = 0; from < ids.length; from += AT_ONCE)
    for (const document of await documentsByIds(db.read, ids.slice(from, from + AT_ONCE))) {
      const began = performance.now()
      const { id, file_id, size, status, is_final } = document
      const name = uniqueName(document.number, names)
      const found: Found = { pdf: '', xml: '', missing: [] }
      const hasPdf = is_final && status === 'ready' && file_id !== null
      const ubl = is_final && status !== 'none' ? await ublOf(db, id) : { xml: undefined, lacks: [] }
      if (hasPdf) {
        found.pdf = `${name}.pdf`
        yield { name: found.pdf, content: wholeFile(db.read, file_id, size ?? 0), isPacked: true }
      } else found.missing.push(whyNoPdf(document))
      if (ubl.xml) {
        found.xml = `${name}.xml`
        yield { name: found.xml, content: [ubl.xml] }
      } else if (ubl.lacks.length > 0) found.missing.push(`No XML: it lacks ${ubl.lacks.join(', ')}.`)
      const row = { ...document, ...found, nth: index.length, of: ids.length }
      index.push(line(COLUMNS.map(([, cell]) => cell(row))))
      await long.worked(performance.now() - began)
    }
  if (index.length !== ids.length + 1) throw new Error('Documents of the archive are missing.')
  yield { name: INDEX, content: index.map((text) => Buffer.from(text)) }
}

/**
 * The UBL of a final document as a single download gives it: the stored one, or one that is made and stored now. If it
 * cannot be made, the facts that it lacks. The sale is not locked: somebody may be working on it.
 */
async function ublOf(db: Database, id: number): Promise<{ xml: Buffer | undefined; lacks: string[] }> {
  const kept = await keptXml(db.read, id, 'ubl')
  if (kept) return { xml: kept, lacks: [] }
  const lacks = await xmlLacks(db.read, id)
  if (lacks.length > 0) return { xml: undefined, lacks }
  return { xml: (await db.write((tx) => xmlToSend(tx, id, 'ubl')))?.content, lacks }
}

/** The pieces of a file. Throws if they are not all there: a short file must not pass for a whole one. */
async function* wholeFile(db: Db, id: number, size: number): AsyncGenerator<Buffer> {
  let read = 0
  for await (const piece of fileChunks(db, id)) {
    yield piece
    read += piece.length
    if (read >= size) break
  }
  if (read !== size) throw new Error(`File #${id} has ${read} bytes instead of ${size}.`)
}

/** A name for a document's files that no other one has, whatever the case of its letters. */
function uniqueName(number: string, taken: Set<string>): string {
  const base = safeFileName(number)
  let name = base
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${base} (${n})`
  taken.add(name.toLowerCase())
  return name
}

function whyNoPdf({ is_final, status }: Archived): string {
  if (!is_final) return 'Not final: it was neither sent nor downloaded, and the goods have not been dispatched.'
  if (status === 'none') return 'It was removed from its sale.'
  return status === 'failed' ? 'No PDF: it could not be made.' : 'No PDF: it is being made.'
}
