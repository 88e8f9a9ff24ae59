import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { REGULAR, SEMI_BOLD } from './font.ts'

/** The part of fontkit that we use. A format is made with `new`, and may return any font. */
type Fontkit = {
  create: (file: Uint8Array) => object
  registerFormat: (format: ((stream: { buffer: Uint8Array }) => object | undefined) & Format) => void
}
type Format = { probe: (bytes: Uint8Array) => boolean }

// pdfkit requires it too. An import would be another copy, whose formats pdfkit does not know.
const { create, registerFormat }: Fontkit = createRequire(import.meta.url)('fontkit')

// pdfkit gives the bytes of a font to fontkit anew for each document, and fontkit then reads the font's tables anew. For
// our two fonts that takes 70 ms, which is ten times as long as all else of a document of one page. So pdfkit gets other
// bytes, which stand for a font that this thread has read before.
const fonts = new Map<Uint8Array, object>()

/**
 * The font with glyphs of its own: each keeps the characters for which a document first used it, and they become the
 * document's text. The tables are shared.
 */
function fontOf({ buffer }: { buffer: Uint8Array }): object | undefined {
  const font = fonts.get(buffer)
  return font && Object.create(font, { _glyphs: { value: {} } })
}
registerFormat(Object.assign(fontOf, { probe: (bytes: Uint8Array) => fonts.has(bytes) }))

function standIn(file: string): Buffer {
  const bytes = Buffer.from(file)
  fonts.set(bytes, create(readFileSync(file)))
  return bytes
}

/** Stands for the font files in pdfkit. The thread reads each font once, with the first document that needs it. */
export const READ_REGULAR = standIn(REGULAR)
export const READ_SEMI_BOLD = standIn(SEMI_BOLD)
