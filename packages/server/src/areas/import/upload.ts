import { DELIMITERS } from '@backstock/contract/import.ts'
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { invalid, Refusal } from '../../http/refusal.ts'
import { safeFileName } from '../../records/file.ts'
import type { Delimiter } from './csv-file.ts'
import { type Spool, spool } from './spool.ts'

const MAX_BYTES = 200 * 1024 * 1024
const ONLY_CSV = 'Only CSV files are allowed'

export type Upload = { file: Spool; fileName: string; delimiter: Delimiter; updateExisting: boolean }

const isCsv = (name: string | undefined, type: string) =>
  /\.csv$/i.test(name ?? '') || /^(text|application)\/(x-)?csv\b/i.test(type)

/**
 * Reads the import's form, its parts in any order; the file goes to disk as it comes and the caller closes it. Throws 413,
 * 415, or 422 under the fields.
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw invalid({ csv: 'Choose a CSV file.' })
  const fields = new Map<string, string>()
  let file: Spool | undefined
  let fileName = ''
  try {
    for await (const part of request.parts({ limits: { fileSize: MAX_BYTES, files: 1 } })) {
      if (part.type === 'field') fields.set(part.fieldname, String(part.value).trim())
      else if (part.fieldname !== 'csv') part.file.resume()
      else if (!isCsv(part.filename, part.mimetype)) {
        part.file.resume()
        throw new Refusal(415, ONLY_CSV, { errors: { csv: ONLY_CSV } })
      } else {
        fileName = safeFileName(part.filename || 'import.csv')
        file = await spool(part.file)
        if (part.file.truncated) throw new Refusal(413, 'A CSV file may have at most 200 MB.')
      }
    }
    if (!file) throw invalid({ csv: 'Choose a CSV file.' })
    return { file, fileName, delimiter: delimiterOf(fields), updateExisting: flagOf(fields) }
  } catch (error) {
    await file?.handle.close()
    throw error
  }
}

/** The form's field is spelled `delimeter`: its callers know it so. */
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

function flagOf(fields: ReadonlyMap<string, string>): boolean {
  const known = flags.get(fields.get('update_existing') ?? '')
  if (known === undefined) throw invalid({ update_existing: 'Must be true or false.' })
  return known
}
