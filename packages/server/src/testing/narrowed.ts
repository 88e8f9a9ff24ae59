/** The parts of a JSON schema that descriptions of APIs use. */
type Schema = {
  type?: string | string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
} & Partial<Record<(typeof LEAST)[number] | (typeof MOST)[number], number>> &
  Partial<Record<(typeof FORM)[number], string>>

type Content = Record<string, { schema: Schema }>
type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export type Described = { paths: Record<string, Record<string, Operation>> }

const LEAST = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'] as const
const MOST = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'] as const
const FORM = ['pattern', 'format'] as const

/**
 * The changes that break a program which was written for `before`, in words such as `post /orders body.items is gone`.
 * Additions break nothing: new calls, new fields of answers, and new fields that a request may leave out.
 */
export function narrowed(before: Described, after: Described): string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, old]) => {
      const now = after.paths[path]?.[method]
      const call = `${method} ${path}`
      return now ? narrowedCall(old, now).map((problem) => `${call} ${problem}`) : [`${call} is gone`]
    }),
  )
}

function narrowedCall(old: Operation, now: Operation): string[] {
  const named = ({ name, in: place }: { name: string; in: string }) => `${place} ${name}`
  const parameters = (of: Operation) => new Map((of.parameters ?? []).map((one) => [named(one), one]))
  const [knew, knows] = [parameters(old), parameters(now)]
  const sent = [...knew].flatMap(([name, was]) => {
    const is = knows.get(name)
    return is ? narrowedSchema(was.schema, is.schema, name, 'request') : [`${name} is gone`]
  })
  const asked = [...knows].flatMap(([name, { required }]) =>
    required && !knew.get(name)?.required ? [`${name} must be sent`] : [],
  )
  const body = now.requestBody?.required && !old.requestBody?.required ? ['body must be sent'] : []
  const answers = Object.entries(old.responses).flatMap(([status, was]) => {
    const is = now.responses[status]
    return is ? narrowedContent(was.content, is.content, status, 'answer') : [`${status} is gone`]
  })
  return [
    ...sent,
    ...asked,
    ...body,
    ...narrowedContent(old.requestBody?.content, now.requestBody?.content, 'body', 'request'),
    ...answers,
  ]
}

type Direction = 'request' | 'answer'

function narrowedContent(old: Content = {}, now: Content = {}, at: string, direction: Direction): string[] {
  return Object.entries(old).flatMap(([type, { schema }]) => {
    const is = now[type]
    return is ? narrowedSchema(schema, is.schema, at, direction) : [`${at} as ${type} is gone`]
  })
}

/** The types that a value may have, each with its schema. */
function choices(schema: Schema): Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.flatMap(choices)
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema]
}

const typeOf = ({ type, enum: words, const: value }: Schema) =>
  String(type ?? (words || value !== undefined ? typeof (words?.[0] ?? value) : 'anything'))

/**
 * The changes of a schema that break a program: a request must still accept all that it accepted, and an answer must
 * not have anything that it could not have.
 */
function narrowedSchema(old: Schema, now: Schema, at: string, direction: Direction): string[] {
  const [were, are] = [choices(old), choices(now)]
  const [bound, free] = direction === 'request' ? [were, are] : [are, were]
  return bound.flatMap((one) => {
    const others = free.filter((other) => typeOf(other) === typeOf(one) || typeOf(other) === 'anything')
    const word = direction === 'request' ? 'may not be' : 'may be'
    if (others.length === 0) return [`${at} ${word} ${typeOf(one)}`]
    const problems = others.map((other) =>
      direction === 'request' ? narrowedType(one, other, at, direction) : narrowedType(other, one, at, direction),
    )
    return problems.toSorted((a, b) => a.length - b.length)[0]!
  })
}

function narrowedType(old: Schema, now: Schema, at: string, direction: Direction): string[] {
  const fields = Object.entries(old.properties ?? {}).flatMap(([name, was]) => {
    const is = now.properties?.[name]
    return is ? narrowedSchema(was, is, `${at}.${name}`, direction) : [`${at}.${name} is gone`]
  })
  const items = old.items && now.items ? narrowedSchema(old.items, now.items, `${at}[]`, direction) : []
  const needs = (schema: Schema) => schema.required ?? []
  if (direction === 'answer') {
    const missing = needs(old).filter((name) => now.properties?.[name] && !needs(now).includes(name))
    return [...fields, ...items, ...missing.map((name) => `${at}.${name} may be missing`)]
  }
  const asked = needs(now).filter((name) => !needs(old).includes(name))
  const words = (schema: Schema) => schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const kept = words(now)
  return [
    ...fields,
    ...items,
    ...asked.map((name) => `${at}.${name} must be sent`),
    ...(kept ? (words(old) ?? ['anything']).filter((word) => !kept.includes(word)) : []).map(
      (word) => `${at} may not be ${word}`,
    ),
    ...LEAST.filter((limit) => (now[limit] ?? -Infinity) > (old[limit] ?? -Infinity)).map(
      (limit) => `${at} has a higher ${limit}`,
    ),
    ...MOST.filter((limit) => (now[limit] ?? Infinity) < (old[limit] ?? Infinity)).map(
      (limit) => `${at} has a lower ${limit}`,
    ),
    ...FORM.filter((form) => now[form] !== undefined && now[form] !== old[form]).map(
      (form) => `${at} has another ${form}`,
    ),
    ...(now.additionalProperties === false && old.additionalProperties !== false
      ? [`${at} takes no further fields`]
      : []),
  ]
}
