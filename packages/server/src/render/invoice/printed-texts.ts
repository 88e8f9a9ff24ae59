import { printed } from './font.ts'

/** The data with each text in a form that the font can print. */
export function printedTexts<Data>(data: Data): Data {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return printed(value)
    if (Array.isArray(value)) return value.map(clean)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clean(part)]))
  }
  return clean(data) as Data
}
