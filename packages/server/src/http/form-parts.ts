import type { MultipartFile } from '@fastify/multipart'
import { Refusal } from './refusal.ts'

const JSON_TYPE = 'application/json'

/**
 * Whether a part of a form is read as a file, in pieces. Parts that are declared as JSON are, too: as fields, they
 * would be parsed in one step, in which the server answers nobody else.
 */
export const isPartAFile = (_field?: string, type?: string, fileName?: string) =>
  fileName !== undefined || type === 'application/octet-stream' || type === JSON_TYPE

/** Skips a file that nobody wants. Throws 415 for a field that is declared as JSON. */
export function passOver({ file, filename, fieldname, mimetype }: MultipartFile): void {
  file.resume()
  if (mimetype === JSON_TYPE && filename === undefined) throw new Refusal(415, `Send ${fieldname} as text.`)
}
