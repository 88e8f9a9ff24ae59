import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { first, single } from '../lists.ts'
import type { Connection } from './connect.ts'

/** In milliseconds. */
export const TIMES = {
  /** How often every server is asked whether it takes writes, */
  ask: 1000,
  /** how long it may take to answer, */
  answer: 1500,
  /** and how long at the start, when nobody waits for another server to be found. */
  reach: 10_000,
  /**
   * A connection for probes stays at the server that it has reached, even if its name leads elsewhere now: so each
   * probe makes a new one.
   */
  renew: 10_000,
  /**
   * After this time without the newest primary, an older one is reported. One missed answer takes up to four
   * seconds.
   */
  older: 5000,
  /** After this long without a primary all connections are cut, so that nobody waits on them any longer. */
  patience: 10_000,
}

/**
 * A server's account of itself: its timeline, eight hexadecimal digits that count promotions, or '' if it takes no
 * writes; and when it was started, which no two servers have in common.
 */
type Answer = { timeline: string; started: string }

const asking = (timeline: string) => `
  select case when pg_is_in_recovery() then '' else ${timeline} end as timeline,
    extract(epoch from pg_postmaster_start_time())::text as started`
const QUESTION = asking('left(pg_walfile_name(pg_current_wal_lsn()), 8)')
/** For a server that keeps its timeline to itself, as Amazon Aurora does. */
const SMALLER_QUESTION = asking(`'00000000'`)

/**
 * One of the servers that DATABASE_URL names: the connection over which it is asked and when that was last made anew,
 * the one that is on its way, the last answer (none if there was none in time) and the last error.
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
 * Reaches one database on several servers; one of them at a time, the primary, takes writes. New connections go to
 * the primary. When another server takes its place, also behind the same name, connections to the old primary are
 * cut, since a machine that is gone does not say so. If two servers take writes, the one that was promoted last
 * counts: an old primary that comes back is left alone, even while the new one is away, and even if it is reached
 * by the name of the new one. Throws if no server takes writes. `report` gets a line with the database's present
 * server, and one if only a server from before the last promotion is left.
 */
export async function followPrimary(
  urls: string[],
  report: (line: string) => void,
  times: typeof TIMES = TIMES,
): Promise<FollowedPrimary> {
  const servers: Server[] = [...new Set(urls)].map((url) => ({ url, question: QUESTION, reached: 0 }))
  /** An open connection, its address, and the server that answered there, as soon as it has. */
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
  /** When the newest primary last gave an answer, and when somebody's work on the primary last did. */
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

  /** `older`: the timeline of the server that takes writes in the place of the newest primary; '' if nobody does. */
  function miss(older: string): void {
    // Too busy to answer us in time, and at work: it lives, and cut clients would ask again, which makes it busier.
    if (primary?.answer === undefined) heard = Math.max(heard, worked)
    const silent = performance.now() - heard
    if (older !== '' && silent > times.older && !isOlderTold) {
      isOlderTold = true
      report(olderTimeline(older, newest))
      // If its own name leads to the older one: open connections hang on a server that has been given up.
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

  /** Connects to the current primary and ignores the given address. */
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
   * For every new connection: one to a standby is given up, so that a name or address that moves with the primary
   * leads to it in the end, and so is one to an older primary, before anything is written there. A server never becomes
   * either under an open connection.
   */
  async function refuseOthers(client: pg.ClientBase): Promise<void> {
    const server = currentPrimary()
    const found = await ask(client, server.question, 5000)
    // The name leads to another server than the one that we ask.
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
      // One at a time: nothing ends a name's lookup that hangs.
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
  // A machine that is gone says nothing: it is waited for only if no other takes writes.
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
  // Each server by itself: one that hangs delays no other.
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

/** Asks a server over the open connection, if there is one. Never throws. */
async function askAgain(server: Server, patience: number): Promise<void> {
  const { probe } = server
  if (!probe) return
  try {
    const answer = await ask(probe, server.question, patience)
    if (server.probe === probe) server.answer = answer
  } catch (error) {
    probe.connection.stream.destroy()
    // Else a newer connection has taken its place meanwhile.
    if (server.probe === probe) Object.assign(server, { probe: undefined, answer: undefined, error })
  }
}

/** Opens a connection to a server, asks it, and asks it over this one from now on. Never throws. */
async function reach(server: Server, patience: number): Promise<void> {
  server.reached = performance.now()
  const probe = new pg.Client({ connectionString: server.url, application_name: 'backstock watch' })
  // A lost connection shows itself at the next question.
  probe.on('error', () => undefined)
  server.coming = probe
  try {
    const answer = await firstAnswer(probe, server.question, patience)
    // If a name means several servers, the open connection has found the primary already.
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
 * Connects and asks. The time limit begins after the lookup of the name. A lookup has no limit, because it goes on
 * even if its connection is given up, and hanging ones delay all others of this process.
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

/** Whether a server has understood the question and does not answer it: 0A feature, 42 rights, 55 settings. */
const isRefused = (error: unknown) => error instanceof pg.DatabaseError && /^(0A|42|55)/.test(error.code ?? '')

const refusal = (message: string) => Object.assign(new Error(message), { code: '25006' })

const olderTimeline = (found: string, seen: string) =>
  `The only database that takes writes is on timeline ${Number.parseInt(found, 16)}, ` +
  `and timeline ${Number.parseInt(seen, 16)} was seen before: what was acknowledged since then may be lost. ` +
  'Nothing is written until the newer one is back or a server is promoted. To go on with the older one, restart Backstock'

/** Why a server cannot be reached: a name with several addresses has an error for each. */
export function reasonOf(error: unknown): string {
  const reasons = error instanceof AggregateError ? error.errors : [error]
  return reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason))).join(', ')
}

const saidBy = ({ answer, error }: Server) =>
  answer ? 'a standby' : error === undefined ? 'no answer in time' : reasonOf(error)

/** Host and port, without the password. */
function nameOf(url: string): string {
  const { host, port } = new pg.Client(url)
  return `${host}:${port}`
}
