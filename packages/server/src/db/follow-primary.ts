import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { first } from '../lists.ts'
import {
  ask,
  askAgain,
  askLess,
  hangUp,
  isRefused,
  nameOf,
  reach,
  reasonOf,
  type Server,
  saidBy,
  serverAt,
} from './asked-server.ts'
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
  const servers = [...new Set(urls)].map(serverAt)
  const clients = openClients()
  const primary = chosenPrimary(servers, { report, times, cut: clients.cut })
  const stopping = new AbortController()
  const choose = () => {
    if (!stopping.signal.aborted) primary.choose()
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

  const reaching = Promise.all(servers.map((server) => reach(server, times.reach)))
  const atMost = (ms: number) => Promise.race([reaching, delay(ms, undefined, { ref: false })])
  // A machine that is gone never answers. So the longer wait is only for the case that no other server accepts writes.
  await atMost(times.answer)
  choose()
  if (!primary.isKnown()) await atMost(times.reach - times.answer)
  choose()
  const [only] = servers as [Server]
  if (!primary.isKnown() && servers.length === 1 && isRefused(only.error)) {
    const why = reasonOf(only.error)
    askLess(only)
    await reach(only, times.reach)
    choose()
    if (primary.isKnown())
      report(`The database does not tell its timeline (${why}): an older one in its place would not be noticed`)
  }
  if (!primary.isKnown()) {
    hangUp(servers)
    const said = servers.map((server) => `${nameOf(server.url)} (${saidBy(server)})`)
    throw refusal(`None of the servers in DATABASE_URL takes writes: ${said.join(', ')}`)
  }
  // Each server is asked separately, so that one that hangs does not delay the others.
  const watching = servers.map(watch)
  return {
    connection: { connectionString: primary.current().url, ...connectingTo(primary, clients) },
    async stop() {
      stopping.abort()
      await Promise.all(watching)
      hangUp(servers)
    },
  }
}

type OpenClient = { client: pg.Client; url: string; started: string }

/**
 * The open connections, each with its address and with the start time of the server that answered there (once it has).
 */
function openClients() {
  const open = new Map<pg.ClientBase, OpenClient>()
  return {
    add: (one: OpenClient) => open.set(one.client, one),
    remove: (client: pg.Client) => open.delete(client),
    find: (client: pg.ClientBase) => open.get(client),
    /** Cuts all connections, or all but those to one start of one server. */
    cut(but?: { url: string; started: string }): void {
      for (const { client, url, started } of open.values())
        if (url !== but?.url || started !== but.started) client.connection.stream.destroy()
    },
  }
}
type OpenClients = ReturnType<typeof openClients>

type Choosing = { report: (line: string) => void; times: typeof TIMES; cut: OpenClients['cut'] }

/** Chooses the primary by the last answers of the servers, each time when `choose` is called. */
function chosenPrimary(servers: readonly Server[], { report, times, cut }: Choosing) {
  let primary: Server | undefined
  let started = ''
  let newest = ''
  let isOlderTold = false
  /** When the newest primary last answered a question, and when it last finished somebody's work. */
  let heard = performance.now()
  let worked = 0

  function choose(): void {
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

  return {
    choose,
    isKnown: () => primary !== undefined,
    current(): Server {
      if (!primary) throw new Error('No server that takes writes is known yet.')
      return primary
    },
    /** Whether a timeline is from before the last promotion. */
    isOlder: (timeline: string) => timeline < newest,
    /** Notes that the server at this address has finished somebody's work, if it is the primary. */
    hasWorked(url: string): void {
      if (url === primary?.url) worked = performance.now()
    },
  }
}
type ChosenPrimary = ReturnType<typeof chosenPrimary>

/** The parts of a pool that connect it to the present primary. */
function connectingTo(
  primary: ChosenPrimary,
  clients: OpenClients,
): Required<Pick<Connection, 'Client' | 'onConnect'>> {
  /** Connects to the present primary, and ignores the address that it is given. */
  class PrimaryClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const { url } = primary.current()
      super({ ...config, connectionString: url })
      const open = { client: this, url, started: '' }
      clients.add(open)
      this.once('end', () => clients.remove(this))
      this.on('drain', () => {
        if (open.started !== '') primary.hasWorked(url)
      })
    }
  }

  /**
   * Refuses a new connection to a standby or to an older primary, before anything is written there. If the name or
   * address follows the primary, a later connection will reach the primary. A server never becomes a standby under an
   * open connection.
   */
  async function refuseOthers(client: pg.ClientBase): Promise<void> {
    const server = primary.current()
    const found = await ask(client, server.question, 5000)
    // This connection has reached another server than the questions do, so the next question goes over a new
    // connection.
    if (found.started !== server.answer?.started) server.reached = Number.NEGATIVE_INFINITY
    if (found.timeline === '') throw refusal('This server of the database takes no writes.')
    if (primary.isOlder(found.timeline))
      throw refusal('This server of the database is older than one that was seen before.')
    const open = clients.find(client)
    if (open) open.started = found.started
  }

  return { Client: PrimaryClient, onConnect: refuseOthers }
}

const refusal = (message: string) => Object.assign(new Error(message), { code: '25006' })

const olderTimeline = (found: string, seen: string) =>
  `The only database that takes writes is on timeline ${Number.parseInt(found, 16)}, ` +
  `and timeline ${Number.parseInt(seen, 16)} was seen before: what was acknowledged since then may be lost. ` +
  'Nothing is written until the newer one is back or a server is promoted. To go on with the older one, restart Backstock'
