import type pg from 'pg'

/** A column and its type for Kysely, as TypeScript code. */
export type TypedColumn = { table: string; column: string; type: string }

/** The TypeScript types in which `connect.ts` reads PostgreSQL's types. */
const TYPES: Record<string, string> = {
  bool: 'boolean',
  bpchar: 'string',
  bytea: 'Buffer',
  date: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  text: 'string',
  timestamptz: 'string',
}

type Column = TypedColumn & {
  isArray: boolean
  isNullable: boolean
  isAlwaysGenerated: boolean
  hasDefault: boolean
  labels: string[] | null
  checks: string[]
}

/** All columns of the connected database, without the table of migrations. */
export async function readColumns(client: pg.ClientBase): Promise<TypedColumn[]> {
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as column, coalesce(element.typname, t.typname) as type,
      element.oid is not null as "isArray", not a.attnotnull as "isNullable",
      a.attgenerated <> '' or a.attidentity = 'a' as "isAlwaysGenerated", a.atthasdef as "hasDefault",
      (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = t.oid) as labels,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as checks
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type element on element.oid = t.typelem and t.typcategory = 'A'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'migration'
    order by c.relname collate "C", a.attnum`)
  return rows.map((column) => ({ table: column.table, column: column.column, type: typeOf(column) }))
}

function typeOf({ type, isArray, isNullable, isAlwaysGenerated, hasDefault, labels, checks }: Column): string {
  const orNull = isNullable ? ' | null' : ''
  // JSON is written as text, and read as its value.
  if (type === 'jsonb')
    return `ColumnType<unknown, string${orNull}${isNullable || hasDefault ? ' | undefined' : ''}, string${orNull}>`
  const words = labels ?? wordsOf(checks)
  const one = words.length ? words.map((word) => `'${word}'`).join(' | ') : TYPES[type]
  if (!one) throw new Error(`read-columns.ts does not know how ${type} is read.`)
  const value = `${one}${isArray ? '[]' : ''}${orNull}`
  if (isAlwaysGenerated) return `GeneratedAlways<${value}>`
  return hasDefault ? `Generated<${value}>` : value
}

/** The words to which a check limits a column; none if the check has any other form. */
function wordsOf(checks: string[]): string[] {
  const lists = checks.flatMap((check) => /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(check)?.[1] ?? [])
  return lists.flatMap((list) => [...list.matchAll(/'([^']+)'::(?:text|bpchar)/g)].flatMap(([, word]) => word ?? []))
}

/** The text of the file that `npm run tables` writes. */
export function columnsFile(columns: readonly TypedColumn[]): string {
  const tables = [...Map.groupBy(columns, ({ table }) => table)].map(([table, own]) => {
    const lines = own.map(({ column, type }) => `    ${column}: ${type}\n`)
    return `  ${table}: {\n${lines.join('')}  }\n`
  })
  return `// biome-ignore-all format: written by \`npm run tables\` from the migrations
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Every column of every table. Types that PostgreSQL does not know are in tables.ts. */
export type Columns = {
${tables.join('')}}
`
}
