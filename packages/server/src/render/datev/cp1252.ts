/** The character of each byte in Windows-1252. The five bytes that it leaves open are control characters. */
const CHARACTERS = [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))]
const BYTES = new Map(CHARACTERS.map((character, byte) => [character, byte]))

/** Letters that Unicode does not split into a plain letter and an accent. */
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
 * A text with only the characters of Windows-1252. Another letter loses its accent; any other character becomes `?`.
 */
export function inCp1252(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    if (BYTES.has(character)) return character
    const plain = PLAIN[character] ?? character.normalize('NFKD').replace(/\p{M}/gu, '')
    return plain !== '' && Array.from(plain).every((part) => BYTES.has(part)) ? plain : '?'
  }).join('')
}

/** The bytes in Windows-1252 of a text that `inCp1252` has made. */
export const cp1252 = (text: string): Buffer =>
  Buffer.from(Array.from(text, (character) => BYTES.get(character) ?? 0x3f))
