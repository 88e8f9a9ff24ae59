import {
  columnCalled,
  ITEM_COLUMN,
  isGrading,
  plainColumnName,
  resultColumns,
} from '@backstock/contract/csv-columns.ts'
import { encodingOfHead } from '@backstock/contract/csv-encoding.ts'
import { compactIdentifier, isWholeImei } from '@backstock/contract/imei.ts'
import { someAnd } from '@backstock/contract/some-of.ts'

/**
 * The next step with a file: import it at once, or show a preview first. `why` is the sentence with the reason for a
 * preview.
 */
export type Door = { to: 'import'; delimiter: ',' | ';' | null } | { to: 'preview'; why: string }

const HEAD_BYTES = 65_536
const SEPARATORS = [',', ';', '\t', '|'] as const
const NAMED = 3
const LONGEST_NAME = 60

const toPreview = (why: string): Door => ({ to: 'preview', why })

/**
 * Decides what to do with a file by its beginning. A CSV file whose columns are all known is imported at once. A
 * workbook, or a file with an unknown column, gets a preview.
 */
export async function doorOf(file: File): Promise<Door> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const [first, second] = head
  if (!/\.csv$/i.test(file.name) || (first === 0x50 && second === 0x4b)) return toPreview('It is an Excel workbook.')
  const encoding = encodingOfHead(head, file.size <= HEAD_BYTES, TextDecoder)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return toPreview('It is written in UTF-16.')
  return doorOfText(new TextDecoder(encoding).decode(head))
}

/** Decides the same for the text at the beginning of a CSV file. */
export function doorOfText(text: string): Door {
  const [line = '', said] = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text) ?? []
  const table = text.slice(line.length)
  // The server refuses an empty file with a message.
  if (table.trim() === '') return { to: 'import', delimiter: null }
  const headers = SEPARATORS.filter((one) => !said || one === said).map((separator) => {
    const names = firstRecord(table, separator)
    return { separator, names, known: names.filter((name) => columnCalled(name)).length }
  })
  const best = headers.toSorted((a, b) => b.known - a.known || b.names.length - a.names.length)[0]
  if (!best || best.known === 0) {
    const isPhone = headers.some(({ names }) => names.some((cell) => isWholeImei(compactIdentifier(cell))))
    return toPreview(
      isPhone ? 'Its first row is an item and not a header.' : 'Its first row is not the header of the template.',
    )
  }
  const { separator, names } = best
  if (separator === '\t' || separator === '|')
    return toPreview(`Its cells are separated by ${separator === '|' ? 'bars' : 'tabs'}.`)
  const unclear = unclearNames(names)
  if (unclear.length > 0) return toPreview(aboutUnclear(unclear))
  const twice = names.find((name, n) => columnCalled(name) && names.findIndex((one) => isSame(one, name)) < n)
  if (twice && !isExport(names)) return toPreview(`Its column ‘${twice}’ is there twice.`)
  return { to: 'import', delimiter: separator }
}

const isSame = (one: string, other: string) => plainColumnName(one) === plainColumnName(other)
/** The file is an export of a shop, whose other columns are the shop's own further columns. */
const isExport = (names: readonly string[]) => names.some((name) => columnCalled(name) === ITEM_COLUMN)

function unclearNames(names: readonly string[]): string[] {
  if (isExport(names)) return []
  return names.slice(resultColumns(names)).filter((name) => name !== '' && !columnCalled(name) && !isGrading(name))
}

function aboutUnclear(names: readonly string[]): string {
  const named = someAnd(
    names.map((name) => `‘${name.slice(0, LONGEST_NAME)}’`),
    NAMED,
  )
  return names.length === 1
    ? `Its column ${named} is not in the template.`
    : `Its columns ${named} are not in the template.`
}

/** The cells of the first line that is not empty. A cell in quotes may contain anything. */
function firstRecord(text: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  const start = text.search(/\S/)
  for (let n = Math.max(0, start); n < text.length; n++) {
    const sign = text.charAt(n)
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[n + 1] === '"') {
        cell += sign
        n++
      } else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (sign === separator) {
      cells.push(cell)
      cell = ''
    } else if (sign === '\n' || sign === '\r') break
    else cell += sign
  }
  return [...cells, cell].map((name) => name.trim())
}
