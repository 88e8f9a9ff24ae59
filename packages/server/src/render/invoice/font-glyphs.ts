/**
 * The characters that a TrueType font can draw, by their code points. They are read from the subtable of format 12 in
 * the table `cmap` (OpenType 1.9). Throws if the font has none.
 */
export function glyphsOf(font: Buffer): { has: (codePoint: number) => boolean } {
  const cmap = tableOffset(font, 'cmap')
  const ranges: { first: number; last: number }[] = []
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i++) {
    const subtable = cmap + font.readUInt32BE(cmap + 4 + i * 8 + 4)
    if (font.readUInt16BE(subtable) !== 12) continue
    for (let group = 0; group < font.readUInt32BE(subtable + 12); group++) {
      const at = subtable + 16 + group * 12
      ranges.push({ first: font.readUInt32BE(at), last: font.readUInt32BE(at + 4) })
    }
    return { has: (codePoint) => ranges.some(({ first, last }) => codePoint >= first && codePoint <= last) }
  }
  throw new Error('The font has no cmap subtable of format 12.')
}

function tableOffset(font: Buffer, tag: string): number {
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const record = 12 + i * 16
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8)
  }
  throw new Error(`The font has no table ${tag}.`)
}

/** Words in ASCII with one space between them. Nearly all texts have this form, and every font can draw them. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/** The character that stands for one that cannot be printed. */
export const MISSING = '\ufffd'

/**
 * A text in a form that the font can print: composed (NFC), and without control characters and direction marks. A
 * character that the font lacks becomes its plain form (NFKC), or else U+FFFD, so that a reader notices. Line breaks
 * stay.
 */
export function printable(text: string, glyphs: { has: (codePoint: number) => boolean }): string {
  if (PLAIN.test(text)) return text
  const drawn = (part: string) => [...part].every((char) => glyphs.has(char.codePointAt(0) ?? 0))
  const drawable = (char: string) => {
    if (char === '\n' || drawn(char)) return char
    const plain = char.normalize('NFKC')
    return drawn(plain) ? plain : MISSING
  }
  const clean = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[\p{Cf}\p{Cs}]|[^\P{Cc}\n]/gu, '')
    .normalize('NFC')
  return Array.from(clean, drawable).join('').trim()
}
