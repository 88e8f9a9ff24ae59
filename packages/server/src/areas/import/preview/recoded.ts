const isAscii = (text: string) => !/[^\p{ASCII}]/u.test(text)

/** The byte of each character of an encoding with one byte for each. */
function bytesIn(encoding: string): Map<string, number> {
  const decoder = new TextDecoder(encoding)
  return new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
}

const bytesOf: Record<string, (text: string) => Uint8Array | undefined> = {
  'utf-8': (text) => new TextEncoder().encode(text),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
}

/**
 * Reads text again that was read by a wrong encoding. A cell stays as it is where that cannot be, as after it was typed in
 * by hand.
 */
export function recoding(from: string, to: string): (text: string) => string {
  const single = bytesOf[from] ? undefined : bytesIn(from)
  const decoder = new TextDecoder(to, { fatal: true })
  return (text) => {
    if (isAscii(text) && !to.startsWith('utf-16') && !from.startsWith('utf-16')) return text
    const bytes = single ? singleBytes(text, single) : bytesOf[from]!(text)
    if (!bytes) return text
    try {
      return decoder.decode(bytes)
    } catch {
      return text
    }
  }
}

function singleBytes(text: string, bytes: ReadonlyMap<string, number>): Uint8Array | undefined {
  const found = [...text].map((character) => bytes.get(character))
  return found.every((byte) => byte !== undefined) ? Uint8Array.from(found) : undefined
}
