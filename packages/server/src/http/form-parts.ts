import type { MultipartFile } from '@fastify/multipart'
import { Refusal } from './refusal.ts'

const JSON_TYPE = 'application/json'

/**
 * Which parts of a form come as a file, in pieces. Those that say they are JSON do too: as fields they would be parsed in
 * one go, while nobody else is answered.
 */
export const isPartAFile = (_field?: string, type?: string, fileName?: string) =>
  fileName !== undefined || type === 'application/octet-stream' || type === JSON_TYPE

/** Leaves out a file that nobody wants. Throws 415 for a field that says it is JSON. */
export function passOver({ file, filename, fieldname, mimetype }: MultipartFile): void {
  file.resume()
  if (mimetype === JSON_TYPE && filename === undefined) throw new Refusal(415, `Send ${fieldname} as text.`)
}
