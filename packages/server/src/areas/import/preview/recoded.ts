import { BYTE_ENCODINGS } from '@backstock/contract/csv-form.ts'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

type ByteEncoding = (typeof BYTE_ENCODINGS)[number]

export const isByteEncoding = (encoding: string): encoding is ByteEncoding =>
  BYTE_ENCODINGS.some((one) => one === encoding)

/**
 * Encodings leave some bytes undefined. Such a byte becomes a private character, shown as a box, so that it is not lost
 * if a person chooses another encoding.
 */
const FIRST_BOX = 0xf780
const boxed = (byte: number) => String.fromCharCode(FIRST_BOX - 0x80 + byte)
const BOXES = /([\uf780-\uf7ff])/

type Code = { decode(bytes: Uint8Array): string; encode(text: string): Uint8Array | undefined }

/** The conversion of an encoding with one byte for each character. */
function codePage(encoding: string): Code {
  const decoder = new TextDecoder(encoding)
  const letters = Array.from({ length: 256 }, (_, byte) => {
    const letter = decoder.decode(Uint8Array.of(byte))
    return letter === '\ufffd' ? boxed(byte) : letter
  })
  const bytes = new Map(letters.map((letter, byte) => [letter, byte]))
  return {
    decode: (read) => Array.from(read, (byte) => letters[byte]).join(''),
    encode: (text) => {
      const found = [...text].map((letter) => bytes.get(letter))
      return found.every((byte) => byte !== undefined) ? Uint8Array.from(found) : undefined
    },
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const whole = (bytes: Uint8Array) => {
  try {
    const text = strict.decode(bytes)
    return BOXES.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
const lengthOf = (first: number) => (first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)

const utf8: Code = {
  decode(bytes) {
    const text = whole(bytes)
    if (text !== undefined) return text
    let pieces = ''
    let next = 0
    for (const [at, first] of bytes.entries()) {
      if (at < next) continue
      const length = lengthOf(first)
      const letter = whole(bytes.subarray(at, at + length))
      pieces += letter ?? boxed(first)
      next = at + (letter === undefined ? 1 : length)
    }
    return pieces
  },
  encode: (text) =>
    Buffer.concat(
      text
        .split(BOXES)
        .map((piece, n) => (n % 2 ? Uint8Array.of(piece.charCodeAt(0) - FIRST_BOX + 0x80) : Buffer.from(piece))),
    ),
}

const codeOf = (encoding: ByteEncoding) => (encoding === 'utf-8' ? utf8 : codePage(encoding))

const isAscii = (text: string) => !/[^\p{ASCII}]/u.test(text)

/**
 * Makes a function that reads text again in another encoding, without loss. A character that cannot come from the first
 * encoding stays.
 */
export function recoding(from: ByteEncoding, to: ByteEncoding): (text: string) => string {
  const [read, wanted] = [codeOf(from), codeOf(to)]
  return (text) => {
    const bytes = isAscii(text) ? undefined : read.encode(text)
    return bytes ? wanted.decode(bytes) : text
  }
}

type Cells = Pick<Selectable<Tables['import_part']>, 'lines' | 'cells' | 'encoding' | 'mended'>
type Recoded = Pick<Selectable<Tables['import_part']>, 'encoding' | 'mended' | 'pieces'>

/**
 * The cells of a part of a preview's file, as they would be in another encoding. Cells that a person has typed stay as
 * they are.
 */
export function recodedCells({ lines, cells, encoding, mended }: Cells, wanted: string | null): string[][] {
  if (encoding === null || wanted === null || encoding === wanted) return cells
  if (!isByteEncoding(encoding) || !isByteEncoding(wanted)) return cells
  const recode = recoding(encoding, wanted)
  return cells.map((row, at) => row.map((cell, n) => (mended?.[`${lines[at]} ${n}`] ? cell : recode(cell))))
}

/** The rows of a part before they were split, as they would be in another encoding. */
export function recodedPieces({ pieces, encoding, mended }: Recoded, wanted: string | null): Recoded['pieces'] {
  if (pieces === null || encoding === null || wanted === null || encoding === wanted) return pieces
  if (!isByteEncoding(encoding) || !isByteEncoding(wanted)) return pieces
  const recode = recoding(encoding, wanted)
  const rows = Object.entries(pieces.rows).map(([line, row]) => [
    line,
    Object.fromEntries(Object.entries(row).map(([n, cell]) => [n, mended?.[`${line} ${n}`] ? cell : recode(cell)])),
  ])
  return { ...pieces, rows: Object.fromEntries(rows) }
}
