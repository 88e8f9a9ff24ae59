import { type RawBuilder, sql } from 'kysely'

const special = /["\\]/

/**
 * A column of values as the text of a PostgreSQL array, to be cast where it is used. The driver's own way asks of each
 * value what it is, which takes longer than the insert itself.
 */
export function arrayText(values: readonly (string | number | boolean | null)[]): string {
  let text = '{'
  for (const [n, value] of values.entries()) {
    if (n > 0) text += ','
    if (value === null) text += 'NULL'
    else if (typeof value !== 'string') text += value
    else if (special.test(value)) text += `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    else text += `"${value}"`
  }
  return `${text}}`
}

/**
 * JSON has no control characters in the clear, so that this one parts values, and no quotation mark need be escaped.
 */
const SEPARATOR = '\u0001'

/** JSON texts as an SQL expression of type `text[]`. */
export function jsonTexts(values: readonly string[]): RawBuilder<string[]> {
  return sql`string_to_array(${values.join(SEPARATOR)}, chr(1))`
}
