/**
 * Normalises text, so that texts which look the same are stored the same, without invisible characters. Every field of
 * a schema, every search and every line that is looked up goes through this file. Similar letters of other scripts stay
 * as they are, and passwords are never changed. A text that is too long for every field is cut and ends in `…`.
 */

/**
 * Characters without a shape of their own: joiners, direction marks, variation selectors, tags, fillers, and blanks
 * that do not count as white space. The pattern excludes the signs before numbers that some scripts have: they are
 * format characters, but visible.
 */
const INVISIBLE =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\u{16fe4}\u{1d159}]/gu

/**
 * The most accents that one letter keeps. No letter of any language has more, and normalising them takes time in
 * proportion to the square of their number.
 */
const MARKS = 30
const SURPLUS_MARKS = new RegExp(`(\\p{M}{${MARKS}})\\p{M}+`, 'gu')
const withoutSurplus = (text: string) => text.replace(SURPLUS_MARKS, '$1')

const isPlainAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

/**
 * The most characters that are looked at. No field takes a longer line or longer notes. Normalising can turn one letter
 * into 18.
 */
const LONGEST_LINE = 2000
const LONGEST_NOTES = 20_000

/**
 * The beginning of a text that is too long for every field. It stays too long, so that the later check of its length
 * refuses it.
 */
const cut = (text: string, longest: number) => `${text.slice(0, longest).toWellFormed()}…`

/** The text that `make` returns. A text that is too long is cut before anything looks at its characters. */
function bounded(text: string, longest: number, make: (text: string) => string): string {
  if (text.length <= longest) return make(text)
  const trimmed = text.trim()
  return trimmed.length <= longest ? make(trimmed) : cut(trimmed, longest)
}

/**
 * The text without invisible characters. A text with half a surrogate pair stays as it is, for `textProblem` to refuse:
 * without the character between them, two halves could become a whole one.
 */
function visible(text: string, form: 'NFC' | 'NFKC', longest: number): string {
  if (!text.isWellFormed()) return text
  const seen = withoutSurplus(text.replace(INVISIBLE, '')).normalize(form)
  return seen.length > longest ? cut(seen, longest) : withoutSurplus(seen)
}

/**
 * The text with one plain space between words. A single plain space is not replaced, because that would cost more time
 * than all the rest.
 */
const singleSpaced = (text: string) => text.replace(/\p{White_Space}{2,}|(?! )\p{White_Space}/gu, ' ').trim()

/** Replaces full-width letters, digits and signs, which are as wide as Chinese characters, by those of usual width. */
const narrow = (text: string) =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))

/** A name, or any other text of one line: NFC, characters of usual width, one space between words, none at the ends. */
export function plainName(text: string): string {
  return bounded(text, LONGEST_LINE, (line) =>
    singleSpaced(isPlainAscii(line) ? line : visible(narrow(line), 'NFC', LONGEST_LINE)),
  )
}

/**
 * Text of several lines. It is normalised as a name is, but line breaks, tabs, runs of spaces and full-width characters
 * stay.
 */
export function plainNotes(text: string): string {
  return bounded(text, LONGEST_NOTES, (lines) =>
    isPlainAscii(lines)
      ? lines.trim()
      : visible(lines, 'NFC', LONGEST_NOTES)
          .replace(/[\v\f\x85\u2028\u2029]/g, '\n')
          .replace(/(?![\t\n\r ])\p{White_Space}/gu, ' ')
          .trim(),
  )
}

/** The form of nearly all keys: hundreds of them are normalised for one request, and there is nothing to do. */
const isOneAsciiWord = (text: string) => text.length <= LONGEST_LINE && /^[\x21-\x7e]*$/.test(text)

/** An IMEI, a serial number, an email address or any other key: NFKC, one space between parts, none at the ends. */
export function plainIdentifier(text: string): string {
  if (isOneAsciiWord(text)) return text
  return bounded(text, LONGEST_LINE, (line) =>
    singleSpaced(isPlainAscii(line) ? line : visible(line, 'NFKC', LONGEST_LINE)),
  )
}

/**
 * Why a normalised text cannot be stored, as the sentence to show; null if it can. Control characters other than line
 * breaks and tabs are refused, and so are halves of a surrogate pair, which PostgreSQL cannot store.
 */
export function textProblem(text: string): string | null {
  const [found] = /(?![\t\n\r])\p{Cc}|\p{Cs}/u.exec(text) ?? []
  if (found === undefined) return null
  const code = found.charCodeAt(0)
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return code < 0xd800
    ? `Has a control character (${name}), which cannot be stored.`
    : `Has half a character (${name}), which cannot be stored.`
}
