import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { bytesOf, type FileOnDisk, piecesOf, toDisk } from '../../../http/file-on-disk.ts'
import { passOver } from '../../../http/form-parts.ts'
import { invalid, Refusal } from '../../../http/refusal.ts'
import { safeFileName } from '../../../records/file.ts'
import { MAX_BYTES } from './upload.ts'

export type PreviewUpload = {
  file: FileOnDisk
  format: 'csv' | 'xlsx'
  fileName: string
  /** The other fields of the form, by name. */
  fields: ReadonlyMap<string, string>
}

const NO_FILE = 'Choose a CSV or Excel file.'

/**
 * Reads the form of a preview; its parts may come in any order. The file, under `csv`, is written to disk as it
 * arrives; the caller must close it. The file's first bytes decide its format, because a sender may give it any name or
 * type. Throws 413, 415, or 422 under the fields.
 */
export async function readPreviewUpload(request: FastifyRequest): Promise<PreviewUpload> {
  if (!request.isMultipart()) throw invalid({ csv: NO_FILE })
  const fields = new Map<string, string>()
  let file: FileOnDisk | undefined
  let fileName = ''
  try {
    for await (const part of request.parts({ limits: { fileSize: MAX_BYTES, files: 1 } })) {
      if (part.type === 'field') fields.set(part.fieldname, String(part.value).trim())
      else if (part.fieldname !== 'csv') passOver(part)
      else {
        fileName = safeFileName(part.filename || 'import.csv')
        file = await toDisk(part.file, () => !request.raw.socket.destroyed)
        if (part.file.truncated) throw new Refusal(413, 'A file may have at most 200 MB.')
      }
    }
    if (!file) throw invalid({ csv: NO_FILE })
    return { file, format: await formatOf(file, fileName), fileName, fields }
  } catch (error) {
    await file?.handle.close()
    throw error
  }
}

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]
const OTHERS: readonly (readonly [bytes: readonly number[], message: string])[] = [
  [[0x1f, 0x8b], 'This file is compressed. Unpack it first.'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF and not a CSV or Excel file.'],
  [[0x89, 0x50, 0x4e, 0x47], 'This is a picture and not a CSV or Excel file.'],
  [[0xff, 0xd8, 0xff], 'This is a picture and not a CSV or Excel file.'],
]

/**
 * The format of a file. A workbook is a ZIP; a file that is nothing else counts as CSV. Throws 422 under `csv` for a
 * file that can be neither. `name` is only used in the message.
 */
export async function formatOf(file: FileOnDisk, name: string): Promise<'csv' | 'xlsx'> {
  const start = await bytesOf(file.handle, 0, HEAD)
  const begins = (bytes: readonly number[]) => bytes.every((byte, n) => start[n] === byte)
  if (begins(ZIP)) return 'xlsx'
  if (begins(COMPOUND))
    throw invalid({
      csv: (await isEncrypted(file))
        ? 'This workbook is protected by a password. Save it without one first.'
        : 'This is an old Excel workbook (.xls). Save it as .xlsx or as CSV first.',
    })
  const other = OTHERS.find(([bytes]) => begins(bytes))
  if (other) throw invalid({ csv: other[1] })
  const markup = markupOf(start)
  if (markup) {
    const ending = /\.xlsx?$/i.exec(name)?.[0].toLowerCase()
    const called = ending ? `that is called ${ending}` : 'and not a CSV or Excel file'
    throw invalid({ csv: `This is ${markup} ${called}. Open it in a spreadsheet and save it as .xlsx.` })
  }
  return 'csv'
}

/** The number of bytes that are enough to recognise a web page or XML. */
const HEAD = 4096
const PAGE = /^(?:<!doctype html|<(?:html|head|body|table|meta|style|script|div|title)[\s/>]|mime-version:)/i

/** Some programs write tables as a web page or as XML for Excel 2003, and name the file .xls. */
function markupOf(start: Buffer): 'a web page' | 'XML' | undefined {
  const encoding =
    start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8'
  const text = new TextDecoder(encoding).decode(start).trimStart()
  if (PAGE.test(text)) return 'a web page'
  if (/^<!--/.test(text)) return /<(?:html|head|body|table)[\s>]/i.test(text) ? 'a web page' : undefined
  if (/^<\?xml\s/i.test(text)) return /<html[\s>]/i.test(text) ? 'a web page' : 'XML'
  return /^<(?:ss:)?workbook\s/i.test(text) ? 'XML' : undefined
}

const CHUNK = 1024 * 1024
/** The name of the stream that a workbook with a password has instead of sheets. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

async function isEncrypted(file: FileOnDisk): Promise<boolean> {
  let last = Buffer.alloc(0)
  for await (const piece of piecesOf(file, CHUNK)) {
    if (Buffer.concat([last, piece]).includes(ENCRYPTED)) return true
    last = Buffer.from(piece.subarray(-ENCRYPTED.length))
  }
  return false
}
