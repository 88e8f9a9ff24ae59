import { DELIMITERS } from '@backstock/contract/import.ts'
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { toDisk } from '../../../http/file-on-disk.ts'
import { passOver } from '../../../http/form-parts.ts'
import { invalid, Refusal } from '../../../http/refusal.ts'
import { safeFileName } from '../../../records/file.ts'
import type { CsvOnDisk, Delimiter } from './csv-file.ts'
import { decodes, NUL } from './csv-text.ts'

export const MAX_BYTES = 200 * 1024 * 1024
const ONLY_CSV = 'Only CSV files are allowed'

export type Upload = { file: CsvOnDisk; fileName: string; delimiter: Delimiter; updateExisting: boolean }

const isCsv = (name: string | undefined, type: string) =>
  /\.csv$/i.test(name ?? '') || /^(text|application)\/(x-)?csv\b/i.test(type)

/**
 * Reads the form of an import; its parts may come in any order. The file is written to disk as it arrives; the caller
 * must close it. Throws 413, 415, or 422 under the fields.
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw invalid({ csv: 'Choose a CSV file.' })
  const fields = new Map<string, string>()
  let file: CsvOnDisk | undefined
  let fileName = ''
  try {
    for await (const part of request.parts({ limits: { fileSize: MAX_BYTES, files: 1 } })) {
      if (part.type === 'field') fields.set(part.fieldname, String(part.value).trim())
      else if (part.fieldname !== 'csv') passOver(part)
      else if (!isCsv(part.filename, part.mimetype)) {
        part.file.resume()
        throw new Refusal(415, ONLY_CSV, { errors: { csv: ONLY_CSV } })
      } else {
        fileName = safeFileName(part.filename || 'import.csv')
        file = await csvToDisk(part.file)
        if (part.file.truncated) throw new Refusal(413, 'A CSV file may have at most 200 MB.')
      }
    }
    if (!file) throw invalid({ csv: 'Choose a CSV file.' })
    return { file, fileName, delimiter: delimiterOf(fields), updateExisting: flagOf(fields, 'update_existing') }
  } catch (error) {
    await file?.handle.close()
    throw error
  }
}

/** The delimiter in the form. The misspelling `delimeter` is part of the interface. */
function delimiterOf(fields: ReadonlyMap<string, string>): Delimiter {
  const given = fields.get('delimeter') || ','
  const known = DELIMITERS.find((delimiter) => delimiter === given)
  if (!known) throw invalid({ delimeter: `Must be ${DELIMITERS.join(' or ')}` })
  return known
}

const flags = new Map([
  ...['true', '1', 'on'].map((text) => [text, true] as const),
  ...['false', '0', 'off', ''].map((text) => [text, false] as const),
])

/** A yes or no in the form; an empty field is no. Throws 422 for any other text. */
export function flagOf(fields: ReadonlyMap<string, string>, name: string): boolean {
  const known = flags.get(fields.get(name) ?? '')
  if (known === undefined) throw invalid({ [name]: 'Must be true or false.' })
  return known
}

const signatures: [bytes: number[], message: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'This is an Excel workbook or a ZIP and not a CSV file. Save the sheet as CSV first.'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'This is an old Excel workbook and not a CSV file. Save the sheet as CSV first.'],
  [[0x1f, 0x8b], 'This file is compressed. Unpack it first.'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF and not a CSV file.'],
  [[0xff, 0xfe], 'This file is encoded as UTF-16. Save it as CSV UTF-8.'],
  [[0xfe, 0xff], 'This file is encoded as UTF-16. Save it as CSV UTF-8.'],
]

/**
 * Writes a CSV file to disk as it arrives; the caller must close it. If it cannot be a CSV file, throws 422 under
 * `csv`, but only after all of it has been read: otherwise the sender's connection would be cut.
 */
export async function csvToDisk(stream: AsyncIterable<Buffer>): Promise<CsvOnDisk> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const found: Pick<CsvOnDisk, 'encoding'> & { problem?: string | undefined } = { encoding: 'utf-8' }
  async function* looked(): AsyncGenerator<Buffer> {
    let isStart = true
    for await (const chunk of stream) {
      found.problem ??= (isStart ? signatureOf(chunk) : undefined) ?? (chunk.includes(0) ? NUL : undefined)
      isStart = false
      if (found.problem) continue
      if (found.encoding === 'utf-8' && !decodes(decoder, chunk)) found.encoding = 'windows-1252'
      yield chunk
    }
  }
  const file = await toDisk(looked())
  if (found.encoding === 'utf-8' && !decodes(decoder)) found.encoding = 'windows-1252'
  if (file.size === 0) found.problem ??= 'This file is empty.'
  if (found.problem) {
    await file.handle.close()
    throw invalid({ csv: found.problem })
  }
  return { ...file, encoding: found.encoding }
}

function signatureOf(start: Buffer): string | undefined {
  return signatures.find(([bytes]) => bytes.every((byte, i) => start[i] === byte))?.[1]
}
