/**
 * A number in a text that may be that of an invoice: `2026-00012`, also as `202600012`, `2026 12`, or cut by the end of
 * a line. `year` is null if the text has only the number. `before` has the letters in front of it, in capitals, such as
 * `CN`. `isWhole` means that the number has its leading zeros as on a document; such a number is hardly ever a part of
 * a date.
 */
export type NamedNumber = { before: string; year: number | null; number: number; isWhole: boolean }

/** The most characters of a text that are read. Texts of transfers are shorter. */
const MAX_TEXT = 1400
const MAX_NUMBERS = 60
/** The digits of a printed number: four of the year and five of the number, with leading zeros. */
const PRINTED = 9
const YEAR = 4
/** The largest number that a document can have. */
const LARGEST = 999_999_999

type Token = { text: string; isDigits: boolean; isAfterBlank: boolean }

const isYear = (text: string) => /^20\d\d$/.test(text)

/** All numbers in a text that may be those of invoices, in their order. */
export function namedNumbers(text: string): NamedNumber[] {
  const tokens = tokensOf(text.slice(0, MAX_TEXT))
  const found: NamedNumber[] = []
  const add = (at: number, year: number | null, digits: string) => {
    const number = Number(digits)
    const last = tokens[at - 1]
    const before = last && !last.isDigits ? last.text : ''
    if (number >= 1 && number <= LARGEST && found.length < MAX_NUMBERS)
      found.push({ before, year, number, isWhole: digits.length >= PRINTED - YEAR })
  }
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]
    if (!token?.isDigits) {
      at++
      continue
    }
    const joined = joinedAt(tokens, at)
    if (joined) {
      add(at, Number(joined.text.slice(0, YEAR)), joined.text.slice(YEAR))
      at += joined.tokens
      continue
    }
    const next = tokens[at + 1]
    if (isYear(token.text) && next?.isDigits && next.text.length <= PRINTED) {
      add(at, Number(token.text), next.text)
      at += 2
      continue
    }
    const [, year, digits] = /^(20\d\d)(\d{6,9})$/.exec(token.text) ?? []
    if (digits !== undefined) add(at, Number(year), digits)
    else if (token.text.length <= PRINTED) add(at, null, token.text)
    at++
  }
  return found
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.matchAll(/\p{L}+|\d+/gu)) {
    const isAfterBlank = /^\s*$/.test(text.slice(end, match.index))
    tokens.push({ text: match[0].toUpperCase(), isDigits: /^\d/.test(match[0]), isAfterBlank })
    end = match.index + match[0].length
  }
  return tokens
}

/** A printed number that begins at this token, whole or cut by blanks. Any sign may separate its year. */
function joinedAt(tokens: readonly Token[], at: number): { text: string; tokens: number } | undefined {
  let text = ''
  for (let count = 0; count < 4; count++) {
    const token = tokens[at + count]
    if (!token?.isDigits) return undefined
    if (count > 0 && !token.isAfterBlank && !isYear(text)) return undefined
    text += token.text
    if (text.length === PRINTED) return /^20\d\d/.test(text) ? { text, tokens: count + 1 } : undefined
    if (text.length > PRINTED) return undefined
  }
  return undefined
}
