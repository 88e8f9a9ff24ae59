import { type RawBuilder, sql } from 'kysely'

const special = /["\\]/

/**
 * A column of values as the text of a PostgreSQL array, which the statement casts. The driver's own conversion looks at
 * the type of each value, and that takes longer than the insert itself.
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

/** JSON escapes control characters, so this one can separate the values, and no quotation mark needs an escape. */
const SEPARATOR = '\u0001'

/** JSON texts as an SQL expression of type `text[]`. */
export function jsonTexts(values: readonly string[]): RawBuilder<string[]> {
  return sql`string_to_array(${values.join(SEPARATOR)}, chr(1))`
}
