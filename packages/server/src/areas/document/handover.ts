import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Document } from '@backstock/contract/document.ts'
import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { type EInvoiceProfile, PROFILE_FILES, PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import { type JobServices, queue } from '../../jobs.ts'
import { lock } from '../../records/lock.ts'
import { recordMessage } from '../../records/log/write.ts'
import type { XmlFile } from '../../render/e-invoice/e-invoice-xml.ts'
import { readFinal } from './final.ts'
import { keptXml, xmlToSend } from './render.ts'

export const LACKS_DATA = 'This document lacks data for an e-invoice; its page says what.'

/** The name under which an XML file leaves. */
export const xmlName = (number: string, file: XmlFile) => `${number}.${file.replace('-', '.')}.xml`

/**
 * Whether a document may have an XML file: each may have the two of EN 16931, and one with a profile also those of the
 * profile.
 */
export const hasFile = (file: XmlFile, profile: EInvoiceProfile | null): boolean =>
  file === 'cii' || file === 'ubl' || (profile !== null && PROFILE_FILES[profile].some((one) => one === file))

/**
 * Orders a document to be handed over in the profile that its buyer asks for, and makes it final. Throws 409 if it has
 * no profile, lacks data, or was handed over before, because the buyer would receive it twice.
 */
export async function orderHandover(
  tx: Tx,
  { id, sale_id, kind, number, status, profile }: Document,
  userId: number,
): Promise<void> {
  if (profile === null) throw conflict('The buyer asks for no profile of e-invoices; the customer’s page has it.')
  if (status === 'none') throw conflict('This document was taken off its sale. Please generate it first.')
  const [file] = PROFILE_FILES[profile]
  const xml = await readFinal(tx, id, () => xmlToSend(tx, id, file))
  if (xml === undefined) throw conflict(LACKS_DATA)
  const order = {
    file_name: xmlName(number, file),
    state: 'waiting' as const,
    error: null,
    user_id: userId,
    done_at: null,
  }
  const ordered = await tx
    .insertInto('document_handover')
    .values({ document_id: id, ...order })
    .onConflict((there) =>
      there.column('document_id').doUpdateSet(order).where('document_handover.state', '=', 'failed'),
    )
    .returning('document_id')
    .executeTakeFirst()
  if (!ordered) throw conflict(`${DOCUMENT_NAMES[kind]} ${number} was handed over already.`)
  await queue(tx, 'hand_over', { document_id: id }, { queueName: `hand over ${id}` })
  const message = `${DOCUMENT_NAMES[kind]} ${number} was ordered to be handed over for ${PROFILE_NAMES[profile]}.`
  await recordMessage(tx, { userId }, 'Sale', sale_id, message)
}

/**
 * Puts the XML of an ordered document into the connector's folder, and notes the outcome. If it fails, a person reads
 * why and orders it again.
 */
export async function handOver({ db, config }: Pick<JobServices, 'db' | 'config'>, documentId: number): Promise<void> {
  const order = await waitingOrder(db.read, documentId)
  if (!order) return
  const error = await putIntoFolder(config.eInvoiceFolder, order.file_name, order.xml)
  await db.write(async (tx) => {
    await lock(tx, { sales: [order.sale_id] })
    const noted = await tx
      .updateTable('document_handover')
      .set(error === null ? { state: 'done', done_at: new Date().toISOString() } : { state: 'failed', error })
      .where('document_id', '=', documentId)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (noted.numUpdatedRows === 0n) return
    const name = `${DOCUMENT_NAMES[order.kind]} ${order.printed}`
    const message =
      error === null ? `${name} was handed over as ${order.file_name}.` : `${name} was not handed over: ${error}`
    await recordMessage(tx, { userId: order.user_id }, 'Sale', order.sale_id, message)
  })
}

async function waitingOrder(db: Db, documentId: number) {
  const order = await db
    .selectFrom('document_handover as h')
    .innerJoin('document as d', 'd.id', 'h.document_id')
    .innerJoin('document_profile as p', 'p.document_id', 'h.document_id')
    .select(['h.file_name', 'h.user_id', 'd.sale_id', 'd.kind', 'd.printed', 'p.profile'])
    .where('h.document_id', '=', documentId)
    .where('h.state', '=', 'waiting')
    .executeTakeFirst()
  if (!order) return undefined
  const [file] = PROFILE_FILES[order.profile]
  const xml = await keptXml(db, documentId, file)
  return xml && { ...order, xml }
}

/**
 * Writes a file under a name that no connector takes, and then gives it its own name. So a connector never reads half a
 * file. Returns the reason if it fails.
 */
async function putIntoFolder(folder: string | undefined, name: string, content: Buffer): Promise<string | null> {
  if (folder === undefined) return 'This server has no folder for a connector (E_INVOICE_FOLDER).'
  const unfinished = path.join(folder, `.${randomUUID()}.part`)
  try {
    const handle = await open(unfinished, 'wx')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, path.join(folder, name))
    return null
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    return reasonOf(error as NodeJS.ErrnoException)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist.',
  ENOTDIR: 'the folder does not exist.',
  EACCES: 'the server may not write into the folder.',
  EPERM: 'the server may not write into the folder.',
  EROFS: 'the server may not write into the folder.',
  ENOSPC: 'the disk of the folder is full.',
}
const reasonOf = ({ code = '', message }: NodeJS.ErrnoException) => REASONS[code] ?? message
