import { readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'

// The schemas and the constants of the contract, also those that it does not export (in brackets), are stored as text in
// `contract-facts.txt`, so that no limit, name or list changes by mistake. After a change on purpose,
// `npx vitest run test/contract-facts.test.ts -u` writes them anew; read their difference before you commit it.

const folder = path.join(import.meta.dirname, '../packages/contract/src')
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
const modules = await Promise.all(
  files.toSorted().map(async (file) => {
    const exported: Record<string, unknown> = await import(/* @vite-ignore */ path.join(folder, file))
    const named = Object.entries(exported).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return { file, named, inner: await innerConstants(file, exported) }
  }),
)

/** The constants that a module does not export, in their order. For this, the module is loaded again with other exports. */
async function innerConstants(file: string, exported: Record<string, unknown>): Promise<[string, unknown][]> {
  const address = `${pathToFileURL(path.join(folder, file))}?whole`
  const hooks = registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (url !== address) return loaded
      const source = String(loaded.source)
      const names = [...source.matchAll(/^const (\w+)/gm)].map(([, name]) => name)
      return { ...loaded, source: `${source}\nexport { ${names.join(', ')} }` }
    },
  })
  try {
    const whole: Record<string, unknown> = await import(/* @vite-ignore */ address)
    return Object.entries(whole).filter(([name]) => !(name in exported))
  } finally {
    hooks.deregister()
  }
}

const shown = (value: unknown) =>
  inspect(value, { depth: 20, breakLength: 117, maxArrayLength: null, maxStringLength: null, compact: 3 })

const PLAIN: readonly unknown[] = [Object.prototype, Array.prototype, Map.prototype, Set.prototype, null]
/** Whether a value has only plain data in it, and no schema. Functions in a table are stored by their names. */
const isData = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || value instanceof RegExp
    ? true
    : PLAIN.includes(Object.getPrototypeOf(value)) &&
      (value instanceof Map ? [...value.values()] : Object.values(value)).every(isData)

/** Whether a value is a function or has one, as the tables of a package have them. */
const hasFunctions = (value: unknown): boolean =>
  typeof value === 'function' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasFunctions))

/** Whether a module has made the value of another constant, to look things up in it: `byName`. */
const isIndex = (name: string, value: unknown) => value instanceof Map && /^[a-z]/.test(name)

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }
const nullFirst = (a: string, b: string) => Number(b === 'null') - Number(a === 'null')
const SAFE: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

/** A JSON Schema in few words: a field in a line, `?` after a field that may be missing, then its limits. */
function inWords(schema: Schema, indent = ''): string {
  const { type, properties, required, items, anyOf, additionalProperties, $ref, enum: words, ...others } = schema
  const limits = Object.entries(others)
    .filter(([name, value]) => !/^(\$schema|\$id|description|examples)$/.test(name) && !SAFE.includes(value))
    .map(([name, value]) => ` ${name} ${JSON.stringify(value)}`)
    .join('')
  const [deeper, must] = [`${indent}  `, (required ?? []) as string[]]
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => `\n${deeper}${name}${must.includes(name) ? '' : '?'}: ${inWords(field, deeper)}`,
  )
  const what =
    $ref ??
    (words as unknown[] | undefined)?.join(' | ') ??
    anyOf
      ?.map((one) => inWords(one, indent))
      .toSorted(nullFirst)
      .join(' or ') ??
    (items ? `list of ${inWords(items, indent)}` : undefined) ??
    (typeof additionalProperties === 'object' ? `record of ${inWords(additionalProperties as Schema, indent)}` : type)
  return `${what ?? 'any'}${limits}${fields.join('')}`
}

/** The schemas in words. A schema in another is named there. JSON Schema cannot say all: refinements are left open. */
function schemasIn(io: 'input' | 'output'): Map<string, string> {
  const registry = z.registry<{ id: string }>()
  for (const { named } of modules)
    for (const [id, value] of named) if (value instanceof z.ZodType && !registry.has(value)) registry.add(value, { id })
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: (id) => id })
  return new Map(Object.entries(schemas).map(([id, schema]) => [id, inWords(schema as Schema)]))
}

test('the schemas and constants of the contract are what they have always been', async () => {
  const [sent, answered] = [schemasIn('input'), schemasIn('output')]
  const lines = modules.flatMap(({ file, named, inner }) => {
    const facts = named.flatMap(([name, value]) => {
      const [input, output] = [sent.get(name), answered.get(name)]
      if (value instanceof z.ZodType && input !== undefined)
        return [`${name}: ${input}`, ...(input === output ? [] : [`which becomes ${output}`])]
      return typeof value !== 'function' && isData(value) ? `${name} = ${shown(value)}` : []
    })
    const within = inner
      .filter(([name, value]) => isData(value) && !hasFunctions(value) && !isIndex(name, value))
      .map(([name, value]) => `(${name}) = ${value instanceof Set ? `Set of ${shown([...value])}` : shown(value)}`)
    return facts.length + within.length > 0 ? [`=== ${file}`, ...facts, ...within, ''] : []
  })
  await expect(lines.join('\n')).toMatchFileSnapshot('contract-facts.txt')
})

const PROBES = [
  undefined,
  null,
  '',
  ' 12,5 ',
  '-1',
  'x'.repeat(300),
  'a\nb',
  '7',
  'de',
  ' usd ',
  'vatex-eu-132',
  'a@b.test',
  '2026-02-30',
  '2026-02-28',
  0,
  7,
  1e10,
  1.234,
  true,
  [],
  [7, '7'],
  {},
]
const probeText = (probe: unknown) => (typeof probe === 'string' && probe.length > 20 ? 'xxx…' : JSON.stringify(probe))

/** The answers of a schema to the probes, each with the probes that get it. */
function answersOf(schema: z.ZodType): string[] {
  const answers = PROBES.map((probe) => {
    const { success, data, error } = schema.safeParse(probe)
    const said = success ? `becomes ${probeText(data)}` : error.issues.map(({ message }) => message).join(' ')
    return [said, probeText(probe) ?? 'nothing'] as const
  })
  const groups = Map.groupBy(answers, ([said]) => said)
  return Array.from(groups, ([said, probes]) => `    ${probes.map(([, probe]) => probe).join(' ')} → ${said}`)
}

type Field = readonly [name: string, schema: z.ZodType]
/** The parts that a schema may have, as Zod keeps them. */
type Parts = {
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  options?: z.ZodType[]
} & {
  [part in 'innerType' | 'in' | 'out']?: z.ZodType
}

/** The fields of all objects inside a schema, however deep: `changes.price.set`, and `items[].id` for those of a list. */
function fieldsIn(name: string, schema: z.ZodType): Field[] {
  const { shape, element, valueType, options = [], innerType, in: given, out } = schema.def as Parts
  if (shape)
    return Object.entries(shape).flatMap(([field, one]): Field[] => [
      [`${name}.${field}`, one],
      ...fieldsIn(`${name}.${field}`, one),
    ])
  const lists = [element, valueType].flatMap((one) => (one ? fieldsIn(`${name}[]`, one) : []))
  return [...lists, ...[innerType, given, out, ...options].flatMap((one) => (one ? fieldsIn(name, one) : []))]
}

/** The names of the schemas that clients send. */
const SENT = /(Input|Query|Params|Changes|CompanyEdit|Commit|PutAway|TypedVatCheck)$/

test('the fields that clients send take, change and refuse what they always have', async () => {
  const done = new Set<z.ZodType>()
  const once = (schema: z.ZodType) => !done.has(schema) && done.add(schema)
  const lines = modules.flatMap(({ file, named }) => {
    const fields = named.flatMap(([name, value]): Field[] => {
      if (!(value instanceof z.ZodType)) return []
      const own: Field[] = value instanceof z.ZodObject ? [] : [[name, value]]
      return SENT.test(name) ? [...own, ...fieldsIn(name, value)] : own
    })
    const told = fields.filter(([, schema]) => once(schema)).flatMap(([name, one]) => [`  ${name}`, ...answersOf(one)])
    return told.length > 0 ? [`=== ${file}`, ...told] : []
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('contract-answers.txt')
})
