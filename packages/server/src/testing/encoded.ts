/** A text in an encoding with one byte for each letter, as old spreadsheets write it. */
export function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Buffer.from(
    [...text].map((letter) => {
      const byte = bytes.get(letter)
      if (byte === undefined) throw new Error(`${letter} is not in ${encoding}.`)
      return byte
    }),
  )
}
