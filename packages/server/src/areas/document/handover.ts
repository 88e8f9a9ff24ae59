import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { type EInvoiceProfile, PROFILE_FILES, PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { found } from '../../http/crud.ts'
import { conflict } from '../../http/refusal.ts'
import { type JobServices, queue } from '../../jobs.ts'
import { getFrom } from '../../lists.ts'
import { lock } from '../../records/lock.ts'
import { recordMessage } from '../../records/log/write.ts'
import type { XmlFile } from '../../render/e-invoice/e-invoice-xml.ts'
import { makeFinal } from './final.ts'
import { documentOf } from './queries.ts'
import { refuseVoided } from './refuse-voided.ts'
import { xmlOf, xmlToSend } from './render.ts'

export const LACKS_DATA = 'This document lacks data for an e-invoice. The sale’s page names what is missing.'

/** The name under which an XML file leaves. */
export const xmlName = (number: string, file: XmlFile) => `${number}.${file.replace('-', '.')}.xml`

/**
 * Whether a document may have an XML file: each may have the two of EN 16931, and one with a profile also those of the
 * profile.
 */
export const hasFile = (file: XmlFile, profile: EInvoiceProfile | null): boolean =>
  file === 'cii' || file === 'ubl' || (profile !== null && PROFILE_FILES[profile].some((one) => one === file))

/**
 * Orders a document to be handed over in the profile that its buyer asks for, and makes it final. Throws 404 if there is
 * no such document, and 409 if it is the invoice of a voided sale, was taken off its sale, has no profile, lacks data,
 * or was handed over before, because the buyer would receive it twice.
 */
export async function orderHandover(tx: Tx, id: number, userId: number): Promise<void> {
  const { sale_id } = found(await documentOf(tx, id), `Document #${id}`)
  const sale = getFrom((await lock(tx, { sales: [sale_id] })).sales, sale_id)
  const { kind, number, status, profile, is_void, handover } = found(await documentOf(tx, id), `Document #${id}`)
  if (is_void) refuseVoided(sale)
  if (profile === null) throw conflict('The buyer has no profile for e-invoices. Choose one on the customer’s page.')
  if (status === 'none') throw conflict('This document was removed from its sale. Please generate it first.')
  const [file] = PROFILE_FILES[profile]
  const xml = await xmlToSend(tx, id, file)
  if (xml === undefined) throw conflict(LACKS_DATA)
  await makeFinal(tx, [id])
  const order = {
    version: xml.version,
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
  if (!ordered) {
    const already = handover?.state === 'waiting' ? 'is being handed over' : 'was handed over'
    throw conflict(`${DOCUMENT_NAMES[kind]} ${number} ${already} already.`)
  }
  // If the folder is on a share that hangs, only one job and one thread of the process hang with it.
  await queue(tx, 'hand_over', { document_id: id }, { queueName: 'hand over' })
  const message = `${DOCUMENT_NAMES[kind]} ${number} is to be handed over as ${PROFILE_NAMES[profile]}.`
  await recordMessage(tx, { userId }, 'Sale', sale_id, message)
}

/**
 * Puts the XML of an ordered document into the connector's folder, and notes the outcome. If it fails, a person reads
 * why and orders it again. If the note fails, the job runs again, and finds the file that it has written.
 */
export async function handOver({ db, config }: Pick<JobServices, 'db' | 'config'>, documentId: number): Promise<void> {
  const order = await waitingOrder(db.read, documentId)
  if (!order) return
  const error = order.xml ? await putIntoFolder(config.eInvoiceFolder, order.file_name, order.xml) : order.whyNot
  // The sale is not locked: somebody who works on it must not hold up the note, because the file is there already.
  await db.write(async (tx) => {
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

/** An order that waits, with the XML of the ordered version, or the reason why it must not leave any more. */
async function waitingOrder(db: Db, documentId: number) {
  const order = await db
    .selectFrom('document_handover as h')
    .innerJoin('document as d', 'd.id', 'h.document_id')
    .innerJoin('sale as s', 's.id', 'd.sale_id')
    .leftJoin('document_profile as p', 'p.document_id', 'h.document_id')
    .select(['h.file_name', 'h.user_id', 'h.version', 'd.sale_id', 'd.kind', 'd.printed', 'p.profile'])
    .select(['d.status', 'd.replaced_by_id', 's.status as sale_status'])
    .where('h.document_id', '=', documentId)
    .where('h.state', '=', 'waiting')
    .executeTakeFirst()
  if (!order) return undefined
  const { version, profile } = order
  const isVoided = order.sale_status === 'Voided' && order.kind === 'invoice' && order.replaced_by_id === null
  const barred = (whyNot: string) => ({ ...order, xml: undefined, whyNot })
  if (isVoided) return barred('its sale was voided meanwhile.')
  if (order.status === 'none') return barred('it was removed from its sale meanwhile.')
  const xml =
    version !== null && profile !== null
      ? await xmlOf(db, { document_id: documentId, version }, PROFILE_FILES[profile][0])
      : undefined
  return xml ? { ...order, xml } : barred('its XML is not stored.')
}

/**
 * Writes a file under a name that no connector takes, and then gives it its own name. So a connector never reads half a
 * file. If the folder has this file already, it stays as it is. Returns the reason if it fails.
 */
async function putIntoFolder(folder: string | undefined, name: string, content: Buffer): Promise<string | null> {
  if (folder === undefined) return 'This server has no folder for a connector (E_INVOICE_FOLDER).'
  const file = path.join(folder, name)
  const unfinished = path.join(folder, `.${randomUUID()}.part`)
  try {
    const already = await contentOf(file)
    if (already && !already.equals(content)) return 'the folder has another file of this name.'
    if (!already) {
      await writeWhole(unfinished, content)
      await rename(unfinished, file)
    }
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    return reasonOf(error as NodeJS.ErrnoException)
  }
  await syncFolder(folder)
  return null
}

/** The content of a file; undefined if there is no such file. */
async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeWhole(file: string, content: Buffer): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Writes a folder's names to the disk, so that a file that was noted as handed over is there after a power cut. Some
 * network shares and Windows cannot do this for a folder. If the disk fails, the job runs again: the file has its name,
 * so a person must not order it anew.
 */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') throw error
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
