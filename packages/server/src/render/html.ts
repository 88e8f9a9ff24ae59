/** HTML in which all values have been escaped. */
export type Html = { readonly markup: string }

type Value = string | number | Html | null | Value[]

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function markupOf(value: Value): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(markupOf).join('')
  if (typeof value === 'object') return value.markup
  return String(value).replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)
}

/** A template that escapes its values, except those that are `Html` already. Null adds nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: parts.reduce((text, part, index) => text + markupOf(values[index - 1] ?? null) + part) }
}
