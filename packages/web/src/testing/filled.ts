import { z } from 'zod'
import { NOW } from './drawn.tsx'

/** A number from 100 to 999 that tells fields apart. It stays if the schema gets further fields. */
const numberOf = (name: string) => 100 + ([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 900)

/** A record of this schema in which each field has a value of its own, which no new record has. */
export function filled<Schema extends z.ZodObject>(schema: Schema): z.output<Schema> {
  const of = (name: string, one: z.core.$ZodType): unknown => {
    if (one instanceof z.ZodNullable || one instanceof z.ZodOptional) return of(name, one.unwrap())
    if (one instanceof z.ZodObject)
      return Object.fromEntries(
        Object.entries(one.shape).map(([field, inner]) => [field, of(`${name} ${field}`.trim(), inner)]),
      )
    if (one instanceof z.ZodArray) return [of(name, one.element)]
    if (one instanceof z.ZodRecord) return {}
    if (one instanceof z.ZodEnum) return one.options.at(-1)
    if (one instanceof z.ZodLiteral) return one.value
    if (one instanceof z.ZodBoolean) return true
    if (one instanceof z.ZodUnion) return of(name, one.options.at(-1) ?? z.null())
    if (one instanceof z.ZodPipe) return of(name, one.out)
    if (one instanceof z.ZodNumber || one instanceof z.ZodNumberFormat) return numberOf(name)
    if (name.endsWith('_at')) return NOW
    return name.endsWith('country_code') ? 'NL' : `some ${name}`
  }
  return of('', schema) as z.output<Schema>
}
