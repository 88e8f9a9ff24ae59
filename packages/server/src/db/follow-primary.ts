import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { first, single } from '../lists.ts'
import type { Connection } from './connect.ts'

/** Times in milliseconds. */
export const TIMES = {
  /** The time after which a server is asked again whether it accepts writes. */
  ask: 1000,
  /** The time that a server has for its answer. */
  answer: 1500,
  /** The time that a server has for its answer at the start, when nobody waits for another server yet. */
  reach: 10_000,
  /**
   * The time after which a server is asked over a new connection. An old connection stays with the server that it
   * reached, even if the name leads to another server now.
   */
  renew: 10_000,
  /**
   * If the newest primary does not answer for this long, the use of an older one is reported. One missed answer takes
   * up to four seconds.
   */
  older: 5000,
  /** The time without a primary after which all connections are cut, so that nobody waits for them any longer. */
  patience: 10_000,
}

/**
 * A server's answer. `timeline` has eight hexadecimal digits that rise with each promotion; it is '' if the server
 * accepts no writes. `started` is the time of its start, which differs for any two servers.
 */
type Answer = { timeline: string; started: string }

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
type Server = {
  url: string
  question: string
  probe?: pg.Client | undefined
  reached: number
  coming?: pg.Client | undefined
  answer?: Answer | undefined
  error?: unknown
}

export type FollowedPrimary = { connection: Connection; stop(): Promise<void> }

/**
 * Connects to one database on several servers, of which one at a time, the primary, accepts writes. New connections go
 * to the primary. If another server becomes the primary, even under the same name, connections to the old one are cut,
 * because a machine that is gone does not close them. If two servers accept writes, the one that was promoted last is
 * the primary: an old primary that comes back is not used, even if the new one is away, and even if the name of the new
 * one leads to it. Throws if no server accepts writes. `report` gets a line when the server changes, and one if only a
 * server from before the last promotion is left.
 */
export async function followPrimary(
  urls: string[],
  report: (line: string) => void,
  times: typeof TIMES = TIMES,
): Promise<FollowedPrimary> {
  const servers: Server[] = [...new Set(urls)].map((url) => ({ url, question: QUESTION, reached: 0 }))
  /**
   * The open connections, each with its address and with the start time of the server that answered there (once it
   * has).
   */
  const clients = new Map<pg.ClientBase, { client: pg.Client; url: string; started: string }>()
  const cut = (but?: { url: string; started: string }) => {
    for (const { client, url, started } of clients.values())
      if (url !== but?.url || started !== but.started) client.connection.stream.destroy()
  }
  const stopping = new AbortController()
  let primary: Server | undefined
  let started = ''
  let newest = ''
  let isOlderTold = false
  /** When the newest primary last answered a question, and when it last finished somebody's work. */
  let heard = performance.now()
  let worked = 0

  function choose(): void {
    if (stopping.signal.aborted) return
    const best = servers.reduce(
      (found, { answer }) => (answer && answer.timeline > found ? answer.timeline : found),
      '',
    )
    if (best !== '' && best >= newest) follow(best)
    else miss(best)
  }

  /**
   * Handles a moment without the newest primary. `older` is the timeline of an older server that accepts writes; '' if
   * there is none.
   */
  function miss(older: string): void {
    // If the primary does not answer in time but finishes work, it is alive and busy. Cut clients would repeat their
    // requests, which would make it busier.
    if (primary?.answer === undefined) heard = Math.max(heard, worked)
    const silent = performance.now() - heard
    if (older !== '' && silent > times.older && !isOlderTold) {
      isOlderTold = true
      report(olderTimeline(older, newest))
      // If the primary's own name leads to the older server now, the open connections belong to a server that is gone.
      if (primary?.answer?.timeline) cut()
    }
    if (silent > times.patience) cut()
  }

  function follow(timeline: string): void {
    heard = performance.now()
    isOlderTold = false
    newest = timeline
    const writable = servers.flatMap((server) =>
      server.answer?.timeline === timeline ? { server, startedAt: server.answer.started } : [],
    )
    const { server, startedAt } = writable.find(({ server }) => server === primary) ?? first(writable)
    if (server === primary && startedAt === started) return
    if (primary && server !== primary) report(`The database is at ${nameOf(server.url)} now`)
    primary = server
    started = startedAt
    cut({ url: server.url, started })
  }

  function currentPrimary(): Server {
    if (!primary) throw new Error('No server that takes writes is known yet.')
    return primary
  }

  /** Connects to the present primary, and ignores the address that it is given. */
  class PrimaryClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const { url } = currentPrimary()
      super({ ...config, connectionString: url })
      const open = { client: this, url, started: '' }
      clients.set(this, open)
      this.once('end', () => clients.delete(this))
      this.on('drain', () => {
        if (open.started !== '' && url === primary?.url) worked = performance.now()
      })
    }
  }

  /**
   * Refuses a new connection to a standby or to an older primary, before anything is written there. If the name or
   * address follows the primary, a later connection will reach the primary. A server never becomes a standby under an
   * open connection.
   */
  async function refuseOthers(client: pg.ClientBase): Promise<void> {
    const server = currentPrimary()
    const found = await ask(client, server.question, 5000)
    // This connection has reached another server than the questions do, so the next question goes over a new
    // connection.
    if (found.started !== server.answer?.started) server.reached = Number.NEGATIVE_INFINITY
    if (found.timeline === '') throw refusal('This server of the database takes no writes.')
    if (found.timeline < newest) throw refusal('This server of the database is older than one that was seen before.')
    const open = clients.get(client)
    if (open) open.started = found.started
  }

  async function watch(server: Server): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(times.ask, undefined, { signal: stopping.signal }).catch(() => undefined)
      await askAgain(server, times.answer)
      choose()
      const isDue = !server.probe || performance.now() - server.reached > times.renew
      // Only one connection is opened at a time, because nothing can end a lookup of a host name that hangs.
      if (isDue && !server.coming && !stopping.signal.aborted) void reach(server, times.answer).then(choose)
    }
  }

  function hangUp(): void {
    for (const { probe, coming } of servers) {
      probe?.end().catch(() => undefined)
      coming?.connection.stream.destroy()
    }
  }

  const reaching = Promise.all(servers.map((server) => reach(server, times.reach)))
  const atMost = (ms: number) => Promise.race([reaching, delay(ms, undefined, { ref: false })])
  // A machine that is gone never answers. So the longer wait is only for the case that no other server accepts writes.
  await atMost(times.answer)
  choose()
  if (!primary) await atMost(times.reach - times.answer)
  choose()
  const [only] = servers as [Server]
  if (!primary && servers.length === 1 && isRefused(only.error)) {
    const why = reasonOf(only.error)
    only.question = SMALLER_QUESTION
    await reach(only, times.reach)
    choose()
    if (primary)
      report(`The database does not tell its timeline (${why}): an older one in its place would not be noticed`)
  }
  if (!primary) {
    hangUp()
    const said = servers.map((server) => `${nameOf(server.url)} (${saidBy(server)})`)
    throw refusal(`None of the servers in DATABASE_URL takes writes: ${said.join(', ')}`)
  }
  // Each server is asked separately, so that one that hangs does not delay the others.
  const watching = servers.map(watch)
  return {
    connection: { connectionString: primary.url, Client: PrimaryClient, onConnect: refuseOthers },
    async stop() {
      stopping.abort()
      await Promise.all(watching)
      hangUp()
    },
  }
}

async function ask(client: pg.ClientBase, text: string, query_timeout: number): Promise<Answer> {
  const question = { text, query_timeout }
  return single((await client.query<Answer>(question)).rows)
}

/** Asks a server over its open connection, if there is one. Never throws. */
async function askAgain(server: Server, patience: number): Promise<void> {
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
async function reach(server: Server, patience: number): Promise<void> {
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
const isRefused = (error: unknown) => error instanceof pg.DatabaseError && /^(0A|42|55)/.test(error.code ?? '')

const refusal = (message: string) => Object.assign(new Error(message), { code: '25006' })

const olderTimeline = (found: string, seen: string) =>
  `The only database that takes writes is on timeline ${Number.parseInt(found, 16)}, ` +
  `and timeline ${Number.parseInt(seen, 16)} was seen before: what was acknowledged since then may be lost. ` +
  'Nothing is written until the newer one is back or a server is promoted. To go on with the older one, restart Backstock'

/** Why a server cannot be reached. A name with several addresses has an error for each of them. */
export function reasonOf(error: unknown): string {
  const reasons = error instanceof AggregateError ? error.errors : [error]
  return reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason))).join(', ')
}

const saidBy = ({ answer, error }: Server) =>
  answer ? 'a standby' : error === undefined ? 'no answer in time' : reasonOf(error)

/** The host and port of an address, without its password. */
function nameOf(url: string): string {
  const { host, port } = new pg.Client(url)
  return `${host}:${port}`
}
