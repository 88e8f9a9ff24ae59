/**
 * The code points that a TrueType font can draw: its `cmap` table's subtable of format 12 (OpenType 1.9, cmap).
 * Throws if the font has none.
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

/** Words of ASCII, which every font can draw, one space apart: nearly all texts. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/** Stands for a character that cannot be printed. */
export const MISSING = '\ufffd'

/**
 * Text as the font can print it: composed (NFC), control and direction marks taken out, and a character that the
 * font lacks as its plain form (NFKC) or else as U+FFFD, so that a reader sees the gap. Lines are kept.
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
