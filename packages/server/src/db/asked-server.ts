import net from 'node:net'
import pg from 'pg'
import { single } from '../lists.ts'

/**
 * A server's answer. `timeline` has eight hexadecimal digits that rise with each promotion; it is '' if the server
 * accepts no writes. `started` is the time of its start, which differs for any two servers.
 */
export type Answer = { timeline: string; started: string }

const asking = (timeline: string) => `
  select case when pg_is_in_recovery() then '' else ${timeline} end as timeline,
    extract(epoch from pg_postmaster_start_time())::text as started`
const QUESTION = asking('left(pg_walfile_name(pg_current_wal_lsn()), 8)')
/** The question for a server that does not report its timeline, such as Amazon Aurora. */
const SMALLER_QUESTION = asking(`'00000000'`)

/**
 * A server in DATABASE_URL. `probe` is the connection over which it is asked, `reached` the time when the last attempt
 * to connect began, and `coming` a connection that is being opened. `answer` is the last answer, undefined if none came
 * in time; `error` is the last error.
 */
export type Server = {
  url: string
  question: string
  probe?: pg.Client | undefined
  reached: number
  coming?: pg.Client | undefined
  answer?: Answer | undefined
  error?: unknown
}

export const serverAt = (url: string): Server => ({ url, question: QUESTION, reached: 0 })

/** Asks a server from now on only what each server can answer. Its timeline counts as the oldest of all. */
export function askLess(server: Server): void {
  server.question = SMALLER_QUESTION
}

/** Closes the connections over which servers are asked. */
export function hangUp(servers: readonly Server[]): void {
  for (const { probe, coming } of servers) {
    probe?.end().catch(() => undefined)
    coming?.connection.stream.destroy()
  }
}

/** Asks a server over any connection to it. */
export async function ask(client: pg.ClientBase, text: string, query_timeout: number): Promise<Answer> {
  const question = { text, query_timeout }
  return single((await client.query<Answer>(question)).rows)
}

/** Asks a server over its open connection, if there is one. Never throws. */
export async function askAgain(server: Server, patience: number): Promise<void> {
  const { probe } = server
  if (!probe) return
  try {
    const answer = await ask(probe, server.question, patience)
    if (server.probe === probe) server.answer = answer
  } catch (error) {
    probe.connection.stream.destroy()
    // If a newer connection has replaced this one meanwhile, the newer connection's answer stays.
    if (server.probe === probe) Object.assign(server, { probe: undefined, answer: undefined, error })
  }
}

/** Opens a new connection to a server and asks over it, from now on. Never throws. */
export async function reach(server: Server, patience: number): Promise<void> {
  server.reached = performance.now()
  const probe = new pg.Client({ connectionString: server.url, application_name: 'backstock watch' })
  // The next question reports a lost connection.
  probe.on('error', () => undefined)
  server.coming = probe
  try {
    const answer = await firstAnswer(probe, server.question, patience)
    // A name may lead to several servers. If the open connection has found the primary, it stays.
    const isBetter = answer.timeline !== '' || !server.answer?.timeline
    const [chosen, other] = isBetter ? [probe, server.probe] : [server.probe, probe]
    if (isBetter) server.answer = answer
    server.probe = chosen
    other?.end().catch(() => undefined)
  } catch (error) {
    server.error = error
    probe.connection.stream.destroy()
  }
  server.coming = undefined
}

/**
 * Connects and asks. The time limit begins after the lookup of the name. The lookup has no limit, because it goes on
 * even if its connection is given up, and lookups that hang delay all others of this process.
 */
async function firstAnswer(probe: pg.Client, question: string, patience: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const limit = () => {
    timer ??= setTimeout(() => probe.connection.stream.destroy(new Error('no answer in time')), patience)
  }
  if (probe.host.startsWith('/') || net.isIP(probe.host)) limit()
  else probe.connection.stream.once('lookup', limit)
  try {
    await probe.connect()
    return await ask(probe, question, patience)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Whether a server has understood the question and refuses to answer: error codes 0A (feature), 42 (rights) and 55
 * (settings).
 */
export const isRefused = (error: unknown) => error instanceof pg.DatabaseError && /^(0A|42|55)/.test(error.code ?? '')

/** Why a server cannot be reached. A name with several addresses has an error for each of them. */
export function reasonOf(error: unknown): string {
  const reasons = error instanceof AggregateError ? error.errors : [error]
  return reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason))).join(', ')
}

/** The last answer or error of a server, in words. */
export const saidBy = ({ answer, error }: Server) =>
  answer ? 'a standby' : error === undefined ? 'no answer in time' : reasonOf(error)

/** The host and port of an address, without its password. */
export function nameOf(url: string): string {
  const { host, port } = new pg.Client(url)
  return `${host}:${port}`
}
