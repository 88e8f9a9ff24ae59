import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from './connect.ts'

/** How often every server is asked whether it takes writes, and how long it may take to answer. */
const ASK_MS = 1000
const ANSWER_MS = 1500
/** After this long without a primary all connections are cut, so that nobody waits on them any longer. */
const PATIENCE_MS = 10_000

/** One of the servers that DATABASE_URL names, the connection over which it is asked, and its last answer. */
type Server = { url: string; probe: pg.Client | undefined; timeline: string }

export type FollowedPrimary = { connection: Connection; stop(): Promise<void> }

/**
 * Reaches one database that stands on several servers, of which one at a time takes writes, the primary. New
 * connections go to the primary. When another server is promoted, connections to the old primary are cut, since a
 * machine that is gone does not say so. Where two servers take writes, the one that was promoted last counts: an old
 * primary that comes back is left alone, even while the new one is away. Throws where no server takes writes. `report`
 * is told, in one line, where the database is now.
 */
export async function followPrimary(urls: string[], report: (line: string) => void): Promise<FollowedPrimary> {
  const servers: Server[] = urls.map((url) => ({ url, probe: undefined, timeline: '' }))
  const clients = new Map<pg.Client, string>()
  const cut = (but?: string) => {
    for (const [client, url] of clients) if (url !== but) client.connection.stream.destroy()
  }
  let primary = ''
  let newest = ''
  let heard = performance.now()

  function choose(): void {
    const best = servers.reduce((found, { timeline }) => (timeline > found ? timeline : found), '')
    if (best === '' || best < newest) {
      if (performance.now() - heard > PATIENCE_MS) cut()
      return
    }
    heard = performance.now()
    newest = best
    const writable = servers.filter(({ timeline }) => timeline === best).map(({ url }) => url)
    if (writable.includes(primary)) return
    if (primary) report(`The database is at ${nameOf(writable[0]!)} now`)
    primary = writable[0]!
    cut(primary)
  }

  /** Connects to the current primary, whatever address it is given. */
  class PrimaryClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: primary })
      clients.set(this, primary)
      this.once('end', () => clients.delete(this))
    }
  }

  const hangUp = () => Promise.all(servers.map(({ probe }) => probe?.end().catch(() => undefined)))
  await Promise.all(servers.map(ask))
  choose()
  if (!primary) {
    await hangUp()
    const error = new Error(`None of the servers in DATABASE_URL takes writes: ${urls.map(nameOf).join(', ')}`)
    throw Object.assign(error, { code: '25006' })
  }
  const stopping = new AbortController()
  // Each server by itself: one that hangs delays no other.
  const watching = servers.map(async (server) => {
    while (!stopping.signal.aborted) {
      await delay(ASK_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      await ask(server)
      choose()
    }
  })
  return {
    connection: { connectionString: primary, Client: PrimaryClient, onConnect: refuseStandby },
    async stop() {
      stopping.abort()
      await Promise.all(watching)
      await hangUp()
    },
  }
}

/**
 * For every new connection: a connection to a standby is given up, so that a name or address that moves with the
 * primary leads to it in the end. A server never becomes a standby under an open connection.
 */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const question = { text: 'select pg_is_in_recovery() as standby', query_timeout: 5000 }
  const { rows } = await client.query<{ standby: boolean }>(question)
  if (rows[0]?.standby)
    throw Object.assign(new Error('This server of the database takes no writes.'), { code: '25006' })
}

/**
 * Learns a server's timeline, eight hexadecimal digits that count promotions; '' where the server takes no writes or
 * does not answer. Never throws.
 */
async function ask(server: Server): Promise<void> {
  const probe = server.probe ?? newProbe(server)
  try {
    if (server.probe === undefined) await probe.connect()
    server.probe = probe
    const { rows } = await probe.query<{ timeline: string }>(
      `select case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
    )
    server.timeline = rows[0]!.timeline
  } catch {
    server.probe = undefined
    server.timeline = ''
    probe.connection.stream.destroy()
  }
}

function newProbe({ url }: Server): pg.Client {
  const probe = new pg.Client({
    connectionString: url,
    application_name: 'backstock watch',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  // A lost connection shows itself at the next question.
  probe.on('error', () => undefined)
  return probe
}

/** Host and port, without the password. */
function nameOf(url: string): string {
  const { host, port } = new pg.Client(url)
  return `${host}:${port}`
}
