import { z } from 'zod'
import { NOW } from './drawn.tsx'

const DAY = /_on$|^(?:today|from|last_day|pay_by|valid_from)$/

function blankField(field: string, schema: z.core.$ZodType): unknown {
  const value = blankOf(schema)
  if (value !== '') return value
  return field.endsWith('_at') ? NOW : DAY.test(field) ? NOW.slice(0, 10) : ''
}

function blankOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodNullable) return null
  if (schema instanceof z.ZodOptional) return undefined
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([field, one]) => [field, blankField(field, one)]))
  if (schema instanceof z.ZodArray) return []
  if (schema instanceof z.ZodRecord) return {}
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodLiteral) return schema.value
  if (schema instanceof z.ZodBoolean) return false
  if (schema instanceof z.ZodUnion) return blankOf(schema.options[0] ?? z.null())
  if (schema instanceof z.ZodPipe) return blankOf(schema.out)
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodNumberFormat) return 0
  return ''
}

/** A record of this schema, in which all that is not `said` is null, empty, 0 or no, and each time is NOW. */
export const blank = <Schema extends z.ZodObject>(schema: Schema, said: Partial<z.output<Schema>> = {}) =>
  ({ ...(blankOf(schema) as object), ...said }) as z.output<Schema>
