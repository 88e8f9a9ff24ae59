/**
 * A number that a text may mean as an invoice's: `2026-00012`, also as `202600012`, `2026 12` or cut by the end of a line.
 * `year` is null for a number alone. `before`: the letters in front of it, in capitals, such as `CN`. `isWhole`: the
 * number is filled up as on paper, so that it can hardly be a date with something behind it.
 */
export type NamedNumber = { before: string; year: number | null; number: number; isWhole: boolean }

/** The text of a transfer is shorter. Ignore the rest of a longer text. */
const MAX_TEXT = 1400
const MAX_NUMBERS = 60
/** A year of four digits and a number filled up to five. */
const PRINTED = 9
const YEAR = 4
/** The largest number that a document can have. */
const LARGEST = 999_999_999

type Token = { text: string; isDigits: boolean; isAfterBlank: boolean }

const isYear = (text: string) => /^20\d\d$/.test(text)

/** All numbers in a text that may be those of invoices, in the order in which they stand. */
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

/** A printed number that begins at this token, in one piece or cut by blanks; its year may be set off by any sign. */
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
