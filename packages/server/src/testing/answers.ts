import type { Role } from '@backstock/contract/role.ts'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { type Answer, type Client, testApp } from './app.ts'
import { restartImeis } from './shop.ts'

/** Rows of all tables by table and key. A row has no columns that are empty. */
type Rows = Map<string, Map<string, Record<string, unknown>>>
/** The rows at a moment, and the day (yyyy-mm-dd) by the company's clock. */
type Moment = { rows: Rows; today: string }

/** Tables that say nothing about the shop: sessions, stored answers, counts of tries or by triggers, bytes of files. */
const LEFT_OUT = [
  'session',
  'idempotency',
  'file_chunk',
  'worker',
  'login_device',
  'throttle',
  'migration',
  'stock_day',
  'stock_age',
]
/** Columns whose values differ from run to run, or follow from others. */
const DRAWN = new Set([
  'created_at',
  'updated_at',
  'at',
  'time_ago',
  'time_zone',
  'request_id',
  'csrf_token',
  'password_hash',
  'key_hash',
  'hash',
])
/** The mail as HTML says the same as its text; `printed-words` has its look. */
const LEFT_OUT_COLUMNS = new Set([...DRAWN, 'body_html'])

export type Tape = Awaited<ReturnType<typeof openTape>>

/**
 * Starts a server on a database of its own whose requests are written down: each with its answer, and with all rows of
 * the database that it has added (+), changed (~) or removed (-). A job is a row with its payload, its queue, and its
 * priority, attempts and delay in seconds, if they are not the usual ones. Requests run one after another. Times are
 * left out, and days are counted from today, so that the text is the same on every day. If `isBrief` is true, a record
 * in a list that an answer before had word for word is written as its id, or as its number of a row or a column.
 */
export async function openTape({ isBrief = false, ...settings }: Partial<Config> & { isBrief?: boolean } = {}) {
  const t = await testApp(settings)
  restartImeis()
  await setNoon(t.db)
  const readAll = await rowReader(t.db)
  let before = await readAll()
  const lines: string[] = []
  const told = new Set<string>()

  /** Writes down the rows that have changed since the last time. */
  async function noteRows(): Promise<void> {
    const after = await readAll()
    lines.push(...changedRows(before.rows, after.rows).map((line) => `    ${masked(line, after.today)}`))
    before = after
  }

  /** Writes down a request with its answer and the changed rows. */
  async function tell(name: string, options: InjectOptions, answer: Answer): Promise<Answer> {
    const { today } = before
    lines.push('', ...masked(requestWords(name, options), today).split('\n'))
    const body = isBrief ? withoutKnown(answer.body, told) : answer.body
    lines.push(...answerWords({ ...answer, body }).map((line) => `  ${masked(line, today)}`))
    // A list writes nothing; if it does, the next request shows it.
    if (!String(options.url).includes('/find')) await noteRows()
    return answer
  }

  return {
    t,
    /** A title above the next requests. */
    title(text: string) {
      lines.push('', `# ${text}`)
    },
    /** A line of its own, such as the ids of a list whose rows are shown elsewhere. */
    line(text: string) {
      lines.push(text)
    },
    /** Does something that is no request, such as the work of a job, and writes down its title and the changed rows. */
    async act(title: string, work: () => Promise<unknown>) {
      await work()
      lines.push('', `(${title})`)
      await noteRows()
    },
    /** Forgets changes that were made without a request, such as the records of a shop. */
    async forgetChanges() {
      before = await readAll()
    },
    /** A person whose requests are written down under this name. */
    async person(name: string, role: Role = 'ROLE_USER'): Promise<Client> {
      const client = await t.user(role)
      before = await readAll()
      return written(client, async (options) => tell(name, options, await client.send(options)))
    },
    /** A program or a visitor without a session, whose requests are written down under this name. */
    caller(name: string, headers: Record<string, string> = {}): Client {
      const nobody = { id: 0, email: '' } as Client
      return written(nobody, async (options) => {
        const response = await t.app.inject({ ...options, headers: { ...headers, ...options.headers } })
        const isJson = String(response.headers['content-type'] ?? '').includes('json')
        const body = isJson && response.body ? response.json() : response.body
        const answer = { status: response.statusCode, body, headers: response.headers, raw: response.rawPayload }
        return tell(name, options, answer)
      })
    },
    /** Writes down a value under a title, such as the part of an answer that is the same on every day. */
    note(title: string, value: unknown) {
      lines.push('', `(${title})`, ...outline(kept(value, DRAWN), '').map((line) => `  ${masked(line, before.today)}`))
    },
    text: () => `${lines.join('\n').trim()}\n`,
    close: () => t.close(),
  }
}

function written(client: Client, send: (options: InjectOptions) => Promise<Answer>): Client {
  const withBody =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    (url: string, body: object = {}, headers: Record<string, string> = {}) =>
      send({ method, url, payload: body, headers })
  return {
    ...{ id: client.id, email: client.email, send },
    get: (url, headers = {}) => send({ method: 'GET', url, headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: (url, headers = {}) => send({ method: 'DELETE', url, headers }),
  }
}

/** Gives the company a time zone in which it is about noon, so that no day ends during the test. */
async function setNoon(db: Database): Promise<void> {
  const behind = new Date().getUTCHours() - 12
  const zone = behind === 0 ? 'Etc/GMT' : `Etc/GMT${behind > 0 ? '+' : '-'}${Math.abs(behind)}`
  await sql`update company set time_zone = ${zone}`.execute(db.read)
}

/** Returns a function that reads all rows of all tables, each without generated columns. */
async function rowReader(db: Database): Promise<() => Promise<Moment>> {
  const { rows: tables } = await sql<{ name: string; keys: string[]; generated: string[] }>`
    select c.relname as name,
      coalesce((select array_agg(a.attname::text order by a.attnum) from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary), '{}') as keys,
      coalesce((select array_agg(a.attname::text) from pg_attribute a
        where a.attrelid = c.oid and a.attgenerated <> ''), '{}') as generated
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${LEFT_OUT}::text[])
    order by 1`.execute(db.read)
  const parts = tables.map(
    ({ name, generated }) =>
      sql`select ${name} as name, jsonb_agg(jsonb_strip_nulls(to_jsonb(r) - ${generated}::text[])) as rows
        from ${sql.table(name)} r having count(*) > 0`,
  )
  const jobs = sql`select 'job' as name, jsonb_agg(jsonb_strip_nulls(
      jsonb_build_object('id', j.id, 'task', t.identifier, 'key', j.key, 'payload', j.payload, 'queue', q.queue_name,
        'priority', nullif(j.priority, 0), 'attempts', nullif(j.max_attempts, 25),
        'seconds', nullif(extract(epoch from j.run_at - j.created_at)::int, 0)))) as rows
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      left join graphile_worker._private_job_queues q on q.id = j.job_queue_id having count(*) > 0`
  const today = sql`
    select 'today' as name, jsonb_build_array((now() at time zone time_zone)::date) as rows from company`
  const { sql: text, parameters } = sql`${sql.join([...parts, jobs, today], sql` union all `)}`.compile(db.read)
  const keysOf = new Map([...tables.map(({ name, keys }) => [name, keys] as const), ['job', ['id']] as const])
  return async () => {
    type Found = { name: string; rows: Record<string, unknown>[] }
    // PostgreSQL plans a statement with a name once for each connection.
    const { rows } = await db.pool.query<Found>({ name: 'rows of the tape', text, values: [...parameters] })
    const found = new Map(rows.map((table) => [table.name, table.rows]))
    const [day] = found.get('today') as unknown as [string]
    found.delete('today')
    return { rows: new Map([...found].map(([name, all]) => [name, byKey(all, keysOf.get(name) ?? [])])), today: day }
  }
}

/** The rows by their keys, in order. A row without a key is named by its content, which starts with undrawn parts. */
function byKey(rows: readonly Record<string, unknown>[], keys: readonly string[]) {
  const named = rows.map((row) => {
    const key = keys.map((column) => row[column]).join(' ')
    return [key || `${inline(row)} ${JSON.stringify(row)}`, row] as const
  })
  return new Map(named.sort(([a], [b]) => inOrder(a, b)))
}

const inOrder = new Intl.Collator('en', { numeric: true }).compare

/**
 * The rows that differ, each in a line. A changed row has only its changed columns. People who have a record open may not
 * save it if it is a new version meanwhile.
 */
function changedRows(before: Rows, after: Rows): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names.flatMap((name) => {
    const was = before.get(name) ?? new Map<string, Record<string, unknown>>()
    const is = after.get(name) ?? new Map<string, Record<string, unknown>>()
    const gone = [...was.keys()].filter((key) => !is.has(key)).map((key) => `- ${name} ${key}`)
    const there = [...is].flatMap(([key, row]) => {
      const old = was.get(key)
      if (!old) return [`+ ${name} ${inline(row)}`]
      const columns = [...new Set([...Object.keys(old), ...Object.keys(row)])]
      const changed = columns.filter((column) => JSON.stringify(old[column]) !== JSON.stringify(row[column]))
      const told = changed.filter((column) => !LEFT_OUT_COLUMNS.has(column))
      const isNewVersion = changed.includes('updated_at')
      if (told.length === 0) return isNewVersion ? [`~ ${name} ${key} is a new version`] : []
      const values = inline(Object.fromEntries(told.map((column) => [column, row[column] ?? 'nothing'])))
      return [`~ ${name} ${key} ${values}${isNewVersion || !('updated_at' in row) ? '' : ' is no new version'}`]
    })
    return [...gone, ...there]
  })
}

const inline = (value: unknown) => JSON.stringify(kept(value, LEFT_OUT_COLUMNS))

function requestWords(name: string, { method, url, payload }: InjectOptions): string {
  if (Buffer.isBuffer(payload)) return `${name}: ${method} ${String(url)}${formWords(payload)}`
  const sent = payload === undefined || method === 'GET' ? '' : ` ${textOf(payload)}`
  return `${name}: ${method} ${String(url)}${sent}`
}

/** The version of a record in the header, if an answer has one. */
const versionOf = ({ etag }: Answer['headers']) => (/^"\d+"$/.test(String(etag)) ? ` ETag ${String(etag)}` : '')

const textOf = (payload: unknown) => (typeof payload === 'string' ? payload : JSON.stringify(payload))

/** The parts of a form, each with a bar before its lines. */
function formWords(form: Buffer): string {
  const parts = form
    .toString('latin1')
    .matchAll(/form-data; name="([^"]*)"(?:; filename="([^"]*)")?.*?\r\n\r\n(.*?)\r\n(?=--)/gs)
  return Array.from(parts, ([, name, file = '', content = '']) => {
    const lines = Buffer.from(content, 'latin1')
      .toString()
      .split(/\r\n|\r|\n/)
    return `\n  ${name} ${file}${lines.map((line) => `\n  | ${line.replace(/\p{Cc}/gu, '�')}`).join('')}`
  }).join('')
}

function answerWords({ status, body, headers, raw }: Answer): string[] {
  if (typeof body === 'string') {
    const type = String(headers['content-type'] ?? '')
    const isText = /^text\/|csv|xml(?!formats)/.test(type)
    const kind = [type, headers['content-disposition']].filter(Boolean).join('; ')
    const text = isText ? new TextDecoder(/charset=([\w-]+)/.exec(type)?.[1], { ignoreBOM: true }).decode(raw) : ''
    return [`${status} ${kind}`.trimEnd(), ...(isText ? text.split(/\r?\n/) : [])]
  }
  const { error, ...told } = body
  return [`${status}${versionOf(headers)}`, ...outline(kept(error === body.message ? told : body, DRAWN), '')]
}

const WIDTH = 120
const SHORT = 70

/** JSON in lines: short values of an object share a line, each longer one has lines of its own. */
function outline(value: unknown, indent: string, label = ''): string[] {
  const flat = JSON.stringify(value)
  if (flat === undefined) return []
  if (typeof value !== 'object' || value === null || flat.length + indent.length + label.length <= SHORT)
    return [`${indent}${label}${flat}`]
  const head = label === '' ? [] : [`${indent}${label}`.trimEnd()]
  const inner = label === '' ? indent : `${indent}  `
  if (Array.isArray(value)) return [...head, ...value.flatMap((part) => outline(part, inner, '- '))]
  const lines: string[] = []
  let line = ''
  for (const [key, part] of Object.entries(value)) {
    const short = `${key}: ${JSON.stringify(part)}`
    if (short.length <= SHORT) {
      if (line !== '' && line.length + short.length > WIDTH) {
        lines.push(line)
        line = ''
      }
      line += line === '' ? `${inner}${short}` : `, ${short}`
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    lines.push(...outline(part, inner, `${key}: `))
  }
  return [...head, ...lines, ...(line === '' ? [] : [line])]
}

/** Replaces each record of a list that is among `told`, without times, by words with its id, and adds the others. */
function withoutKnown(value: unknown, told: Set<string>, isListed = false): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutKnown(part, told, true))
  if (typeof value !== 'object' || value === null) return value
  const key = isListed ? ['row', 'column', 'id'].find((one) => one in value) : undefined
  if (key) {
    const text = JSON.stringify(kept(value, DRAWN))
    if (told.has(text)) return `${key} ${(value as Record<string, unknown>)[key]} as before`
    if (text.length > SHORT) told.add(text)
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutKnown(part, told)]))
}

/** Leaves out values that are empty, and those under these names. */
function kept(value: unknown, leftOut: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((part) => kept(part, leftOut))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, part]) => part !== null && !leftOut.has(key) && !(Array.isArray(part) && part.length === 0),
  )
  return Object.fromEntries(entries.map(([key, part]) => [key, kept(part, leftOut)]))
}

const DAY_MS = 86_400_000
const NEAR_DAYS = 800

/**
 * The text with times left out, with days counted from today, and without the year in numbers of documents. Bytes,
 * checksums and the sizes of PDFs are left out, because they have days in them.
 */
function masked(text: string, today: string): string {
  const named = (whole: string, iso: string) => {
    const days = Math.round((Date.parse(iso) - Date.parse(today)) / DAY_MS)
    if (!(Math.abs(days) <= NEAR_DAYS)) return whole
    return days === 0 ? '‹today›' : `‹today${days < 0 ? '−' : '+'}${Math.abs(days)}›`
  }
  return text
    .replace(/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?/g, '‹time›')
    .replace(/(?:\b|(?<=%20))(\d{4})-(\d{2})-(\d{2})\b/g, (whole) => named(whole, whole))
    .replace(/\b(\d{2})\.(\d{2})\.(\d{4})\b/g, (whole, day, month, year) => named(whole, `${year}-${month}-${day}`))
    .replace(/\b\d{1,2} [A-Z][a-z]{2,8} \d{4}\b/g, (whole) => named(whole, `${whole} UTC`))
    .replace(/\b(20\d{2})(\d{2})(\d{2})\b/g, (whole, year, month, day) => named(whole, `${year}-${month}-${day}`))
    .replace(/\b(\d{2})\/(\d{2})\/(\d{4})\b/g, (whole, day, month, year) => named(whole, `${year}-${month}-${day}`))
    .replace(/(?:\b|(?<=%20))20\d\d-(\d{5})\b/g, '‹year›-$1')
    .replace(/\bbsk_[\w-]{43}/g, '‹key›')
    .replace(/^([~-] number_series \S+) 20\d\d/, '$1 ‹year›')
    .replaceAll(`"year":${today.slice(0, 4)}`, '"year":‹year›')
    .replace(new RegExp(`(?<=\\b(?:number_series \\w+|year:) )${today.slice(0, 4)}\\b`, 'g'), '‹year›')
    .replace(/\\\\x(?:[0-9a-f]{2}){8,}/g, '‹bytes›')
    .replace(/\b[0-9a-f]{64}\b/g, '‹sha256›')
    .replace(/("size":)\d+(?=[^{}]*"media_type":"application\/pdf")/g, '$1‹bytes›')
    .replace(/\b20\d{15}\b/g, '‹time›')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '‹uuid›')
}
