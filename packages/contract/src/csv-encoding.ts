import type { ENCODINGS } from './csv-form.ts'

export type Encoding = (typeof ENCODINGS)[number]

/** The class `TextDecoder`. Browsers and Node have it, but the types of the contract do not. */
export type Decoder = new (
  encoding: string,
  options?: { fatal?: boolean },
) => { decode(bytes: Uint8Array<ArrayBuffer>, options?: { stream?: boolean }): string }

const MARKS: readonly (readonly [bytes: readonly number[], Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/**
 * The encoding of a CSV file if its beginning tells it: a byte order mark decides, else zeros mean UTF-16. Otherwise
 * undefined.
 */
export const encodingOfStart = (start: Uint8Array): Encoding | undefined =>
  MARKS.find(([bytes]) => bytes.every((byte, n) => start[n] === byte))?.[1] ?? utf16Of(start)

/**
 * UTF-16 if every second byte is zero, as with digits, delimiters and English letters. No other text of a table has
 * such zeros.
 */
function utf16Of(start: Uint8Array): Encoding | undefined {
  const zeros = start.filter((byte) => byte === 0).length
  const after = start.filter((byte, n) => byte === 0 && n % 2 === 1).length
  const before = zeros - after
  const isMost = (many: number, few: number) => many > start.length / 4 && few < many / 20
  return isMost(after, before) ? 'utf-16le' : isMost(before, after) ? 'utf-16be' : undefined
}

/**
 * The encoding of a CSV file by its beginning alone. The server also looks at the rest, so it may decide otherwise.
 * `isWhole` means that the beginning is all of the file.
 */
export function encodingOfHead(head: Uint8Array<ArrayBuffer>, isWhole: boolean, decoder: Decoder): Encoding {
  const certain = encodingOfStart(head)
  if (certain) return certain
  try {
    new decoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole })
    return 'utf-8'
  } catch {
    const letters = newLetters()
    letters.add(head)
    return letters.codePage(decoder)
  }
}

/**
 * For each encoding, the letters beyond English of the languages that are written in it. The encodings differ in which
 * letters occur together.
 */
const ALPHABETS = {
  'windows-1252': ['äöüß', 'àâçéèêëîïôœùûü', 'áéíóúñü', 'àèéìòù', 'àáâãçéêíóôõú', 'åäöæøé', 'áéëïóöü'],
  'windows-1250': ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áéíóöőúüű', 'áäčďéíĺľňóôŕšťúýž', 'čćđšž', 'ăâîșțşţ'],
} as const
/** Excel for Mac writes Western European languages in its own encoding. */
const WRITTEN = { ...ALPHABETS, macintosh: ALPHABETS['windows-1252'] }

/** From this byte on, all three code pages have letters. */
const FIRST_LETTER = 0xc0
/** Bytes that mean nothing in the Greek code page. */
const NOT_GREEK = [0xaa, 0xd2, 0xff]

/** Counts the bytes of a file that is neither UTF-8 nor UTF-16, and guesses its code page. */
export function newLetters() {
  const counts = { all: byteCounts(), afterSmall: byteCounts(), inside: byteCounts(), alone: byteCounts() }
  let letters = 0
  let inWords = 0
  let last = 0
  let isLastAfterSmall = false
  return {
    /** Counts the next bytes of the file. */
    add(piece: Uint8Array): void {
      for (const byte of piece) {
        counts.all.add(byte)
        if (!isLetter(byte)) counts.alone.add(last)
        if (byte >= FIRST_LETTER) {
          letters++
          if (last >= FIRST_LETTER) inWords++
        }
        if (isLastAfterSmall && isSmall(byte)) counts.inside.add(last)
        isLastAfterSmall = isSmall(last)
        if (isLastAfterSmall) counts.afterSmall.add(byte)
        last = byte
      }
    },
    /** Whether the file has a NUL character, so that it cannot be text. */
    hasNul: () => counts.all.of(0) > 0,
    /**
     * Decides between Western Europe, Central Europe, Greece and a Mac. Greek words consist of letters beyond ASCII, so
     * most of these letters follow another one; in other languages they stand between English letters. A letter beyond
     * ASCII that stands alone proves nothing, because each could be Greek too.
     */
    codePage(decoder: Decoder): Encoding {
      if (inWords > letters / 2 && NOT_GREEK.every((byte) => counts.all.of(byte) === 0)) return 'windows-1253'
      const western = likeness('windows-1252', counts, decoder)
      const central = likeness('windows-1250', counts, decoder)
      const mac = likeness('macintosh', counts, decoder)
      // The same byte is `ü` on a Mac and `ź` in Central Europe; but texts with `ź` also have other letters of Central
      // Europe.
      if (mac > western && (mac > central || (mac === central && counts.all.of(U_OF_MAC) > 0))) return 'macintosh'
      return central > western ? 'windows-1250' : 'windows-1252'
    },
  }
}

/**
 * For each byte, how often it occurs: at all; after a small English letter; between two small English letters; and
 * without a letter after it.
 */
type Counts = Record<'all' | 'afterSmall' | 'inside' | 'alone', ReturnType<typeof byteCounts>>

/** Counts bytes, each by itself. */
function byteCounts() {
  const counts = new Uint32Array(256)
  const of = (byte: number) => counts[byte] ?? 0
  return {
    of,
    add(byte: number): void {
      counts[byte] = of(byte) + 1
    },
  }
}

/** Whether a byte is an English letter, or beyond ASCII. */
const isLetter = (byte: number) => byte > 127 || isSmall(byte | 0x20)
/**
 * The bytes that are the signs of pound and yen in Western Europe. In Central Europe they are letters at the start of
 * words, so they count only before a letter.
 */
const CURRENCIES: readonly number[] = [0xa3, 0xa5]
const isSmall = (byte: number) => byte >= 0x61 && byte <= 0x7a

const U_OF_MAC = 0x9f
/** Bytes that are letters on a Mac. On Windows they are an apostrophe (`iPhone’s`) and the sign of a paragraph. */
const APOSTROPHE = 0x92
const PARAGRAPH = 0xa7

/**
 * How many bytes beyond ASCII are letters of the language that fits best, if the text is in this encoding. A capital
 * after a small letter does not count. For `macintosh`, a byte that is a sign on Windows counts only between small
 * letters; a `§` counts after a small letter, and an apostrophe never.
 */
function likeness(
  encoding: keyof typeof WRITTEN,
  { all, afterSmall, inside, alone }: Counts,
  decoder: Decoder,
): number {
  const [own, windows] = [new decoder(encoding), new decoder('windows-1252')]
  const counted = Array.from({ length: 256 }, (_, byte) => {
    const count = all.of(byte)
    const letter = own.decode(Uint8Array.of(byte))
    const small = letter.toLowerCase()
    if (encoding === 'windows-1250' && CURRENCIES.includes(byte)) return { small, count: count - alone.of(byte) }
    if (encoding === 'macintosh' && /[^\p{L}\p{Cc}]/u.test(windows.decode(Uint8Array.of(byte)))) {
      if (byte === APOSTROPHE) return { small, count: 0 }
      return { small, count: (byte === PARAGRAPH ? afterSmall : inside).of(byte) }
    }
    return { small, count: letter === small ? count : count - afterSmall.of(byte) }
  })
  const ofAlphabet = (alphabet: string) =>
    counted.reduce((sum, { small, count }, byte) => sum + (byte > 127 && alphabet.includes(small) ? count : 0), 0)
  return Math.max(...WRITTEN[encoding].map(ofAlphabet))
}
