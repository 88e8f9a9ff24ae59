/** Each byte of Windows-1252 as its character; the five that it leaves open are control characters. */
const CHARACTERS = [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))]
const BYTES = new Map(CHARACTERS.map((character, byte) => [character, byte]))

/** Letters that do not come apart into a letter and a mark. */
const PLAIN: Record<string, string> = {
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ŧ: 'T',
  ŧ: 't',
  ẞ: 'SS',
}

/**
 * A text with the characters of Windows-1252 alone. A letter that is not there loses its mark, any other character
 * is `?`.
 */
export function inCp1252(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    if (BYTES.has(character)) return character
    const plain = PLAIN[character] ?? character.normalize('NFKD').replace(/\p{M}/gu, '')
    return plain !== '' && Array.from(plain).every((part) => BYTES.has(part)) ? plain : '?'
  }).join('')
}

/** A text of such characters as bytes. */
export const cp1252 = (text: string): Buffer =>
  Buffer.from(Array.from(text, (character) => BYTES.get(character) ?? 0x3f))
