import { MAX_ID } from '@backstock/contract/fields.ts'
import fc from 'fast-check'

/** The parts of a JSON schema that these generators read. */
export type Schema = {
  type?: string | string[]
  anyOf?: Schema[]
  enum?: unknown[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
}

/** Short texts that have broken programs before. */
const odd = fc.constantFrom(
  ...['', ' ', '\0', 'a\0b', '\ud800', 'x\udfff', '\ufeff', '\u202eexe', '\r\n', '\t', "'", '"', '\\', '%', '%00', '_'],
  ...[
    "' or 1=1 --",
    '{{7*7}}',
    '#{1}',
    '<b>',
    '../..',
    '=1+1',
    '発票🧾',
    'e\u0301'.repeat(9),
    '\u{1f469}\u200d\u{1f467}',
  ],
  ...['null', 'undefined', 'NaN', '-0', '1e9', '0x1', '1_000', '١٢٣', 'true', '[]', '{}', '__proto__', 'constructor'],
)

/**
 * Text of any kind: words, all characters of Unicode, halves of surrogate pairs, texts that break programs, and
 * sometimes a long text.
 */
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 3, arbitrary: odd },
  { weight: 1, arbitrary: fc.tuple(odd, fc.integer({ min: 250, max: 20_000 })).map(([one, n]) => one.repeat(n)) },
)

const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 1.005, MAX_ID, MAX_ID + 1, -MAX_ID - 1, 100_000_001, 1e15, 1e21, 1e308, 5e-324),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const deep = fc
  .tuple(fc.integer({ min: 10, max: 4000 }), fc.boolean())
  .map(([n, list]): unknown =>
    JSON.parse(list ? '['.repeat(n) + ']'.repeat(n) : `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`),
  )

// A function, because the tests change the values that it returns.
const small = fc
  .constantFrom('null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '{"id":1}', '["1","2"]', '"1,2"')
  .map((json): unknown => JSON.parse(json))

/** Any value. It seldom fits the field into which a test puts it. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 4, arbitrary: numbers },
  { weight: 3, arbitrary: small },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(numbers, { maxLength: 300 }) },
  { weight: 1, arbitrary: deep },
)

/** An id that mostly exists: a test creates few records, with low ids. */
const id = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 150 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: MAX_ID }) },
)

/** Fields whose schema does not say enough: their name decides the value. */
const byName: Record<string, fc.Arbitrary<unknown>> = {
  email: fc.nat(1e6).map((n) => `person${n}@example.test`),
  email_address: fc.nat(1e6).map((n) => `person${n}@example.test`),
  mail_from: fc.constant('shop@example.test'),
  country_code: fc.constantFrom('DE', 'IE', 'PL', 'US'),
  time_zone: fc.constantFrom('Europe/Dublin', 'Asia/Tokyo'),
  imei: fc.nat(99_999_999).map((n) => `350001${String(n).padStart(8, '0')}`),
  purchase_date: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(day),
  capacity_unit: fc.constantFrom('MB', 'GB', 'TB'),
  sales_price: fc.integer({ min: 0, max: 100_000_000 }),
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** Values that a JSON schema allows. `name` is the name of the field. The server may still refuse a few of them. */
export function valid(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, name)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? []].flat()
  if (types.length > 1)
    return fc.oneof(...types.map((type) => valid({ ...schema, type, anyOf: undefined } as never, name)))
  switch (types[0]) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numberOf(schema, name)
    case 'string':
      return textOf(schema, name)
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 5 } = schema
      return fc.array(valid(items, name), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 5)) })
    }
    case 'object':
      return objectOf(schema)
    default:
      return byName[name] ?? anything
  }
}

function numberOf({ type, minimum: min = -1e6, maximum: max = 1e6 }: Schema, name: string): fc.Arbitrary<unknown> {
  if (type === 'number') return fc.integer({ min: min * 100, max: max * 100 }).map((n) => n / 100)
  // In a path or query any number may be an id.
  if (max >= MAX_ID || /(^|_)ids?$/.test(name)) return id
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }))
}

function textOf({ format, minLength = 0, maxLength = 255 }: Schema, name: string): fc.Arbitrary<unknown> {
  if (byName[name]) return byName[name]
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((date) => date.toISOString())
  const edge = fc.constantFrom('a'.repeat(maxLength), 'é'.repeat(maxLength), 'x'.repeat(Math.max(minLength, 1)))
  const word = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 24) })
  return fc.oneof({ weight: 1, arbitrary: edge }, { weight: 6, arbitrary: word })
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valid(one, name)]))
  // An edit with an old `updated_at` gets 409, so most requests leave it out.
  const { updated_at, ...others } = fields
  const some = fc.record(others, { requiredKeys: required.filter((name) => name in others) as never[] })
  const all = fc.record(others)
  const own = fc.oneof({ weight: 2, arbitrary: some }, { weight: 1, arbitrary: all })
  const undated = fc.constant(undefined)
  const dated = updated_at ? fc.oneof({ weight: 8, arbitrary: undated }, { weight: 1, arbitrary: updated_at }) : undated
  const more = additionalProperties
    ? fc.dictionary(fc.string({ maxLength: 12 }), fc.string(), { maxKeys: 4 })
    : fc.constant({})
  return fc.tuple(own, dated, more).map(([object, moment, extra]) => ({
    ...extra,
    ...(object as object),
    ...(moment !== undefined && { updated_at: moment }),
  }))
}

type Change = { at: number; how: 'replace' | 'remove' | 'add' | 'wrap'; value: unknown; key: string }

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(1000),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap'),
  value: anything,
  key: fc.oneof(fc.constantFrom('id', 'role', '__proto__', 'constructor', 'total', 'user_id'), text),
})

/** A valid value with one to three errors in it, at any depth. */
export function broken(schema: Schema): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid(schema), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(changed, { root: structuredClone(value) } as { root: unknown }).root)
}

type Holder = Record<string, unknown>

/** Every place in a value, as the object or list that holds it and the key there. */
function places(holder: Holder, depth = 0): [Holder, string][] {
  if (depth > 6) return []
  return Object.entries(holder).flatMap(([key, value]): [Holder, string][] => [
    [holder, key],
    ...(typeof value === 'object' && value !== null ? places(value as Holder, depth + 1) : []),
  ])
}

function changed(root: { root: unknown }, { at, how, value, key }: Change): { root: unknown } {
  const found = places(root)
  const [holder, name] = found[at % found.length]!
  const inside = holder[name]
  if (how === 'replace') holder[name] = value
  else if (how === 'wrap') holder[name] = [inside]
  else if (how === 'remove' && holder !== (root as Holder)) delete holder[name]
  else if (typeof inside === 'object' && inside !== null) set(inside as Holder, key, value)
  else set(holder === (root as Holder) ? {} : holder, key, value)
  return root
}

/** Sets a key. An assignment would not set the key `__proto__`. */
function set(holder: Holder, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}
