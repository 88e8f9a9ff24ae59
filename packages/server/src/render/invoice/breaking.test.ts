import { expect, test } from 'vitest'
import { invoice } from '../../testing/printed-invoice.ts'
import { invoiceDocument } from './layout.ts'

/** All texts in a part of a document. */
function textsIn(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  if (part === null || typeof part !== 'object') return []
  if ('text' in part && typeof part.text === 'string') return [part.text]
  return Object.values(part).flatMap(textsIn)
}

test.each([true, false])(
  'no line of an invoice has a word without an end, and none is cut; grouped: %s',
  (group_lines) => {
    const endless = 'W'.repeat(240)
    const data = invoice(30, { kind: 'invoice', group_lines })
    data.lines.forEach((line, n) => {
      line.description = `${endless}${n % 3}`
      line.serial_number = `${endless}-${n}`
    })
    const { content } = invoiceDocument(data, 'en') as { content: { table?: unknown }[] }
    const texts = textsIn(content.filter(({ table }) => table))
    const printed = texts.join(' ').replaceAll('\n', '')
    for (const { description, serial_number } of data.lines)
      for (const word of [description, serial_number]) expect(printed).toContain(word)
    for (const word of texts.join(' ').split(/\s/)) expect(word.length).toBeLessThanOrEqual(60)
  },
)
