import http from 'node:http'
import type { Socket } from 'node:net'

export type Patience = { bytesPerSecond: number; patienceMs: number }
/** Even a very bad line sends ten times as much as this. */
const PATIENCE: Patience = { bytesPerSecond: 1024, patienceMs: 16_000 }

/**
 * Fastify's server, which cuts idle connections: the headers of a request may take 20 s, the pause between two
 * requests 25 s. A body may take as long as it needs while it keeps coming. An answer may take five minutes, as with
 * load balancers.
 */
export function serverFactory(handle: http.RequestListener): http.Server {
  const limits = {
    headersTimeout: 20_000,
    keepAliveTimeout: 25_000,
    // 200 MB over a line of 1 Mbit/s.
    requestTimeout: 30 * 60_000,
    connectionsCheckingInterval: 5000,
  }
  const server = http.createServer(limits, handle)
  server.setTimeout(300_000)
  cutSlowSenders(server)
  return server
}

type Sender = {
  /** The newest request, until it is known to be whole. */
  request: http.IncomingMessage | undefined
  /** How many bytes had come in at the last look. */
  bytes: number
  quickAt: number
}

/**
 * Cuts a connection on which next to nothing comes, after `patienceMs` and at most a quarter more: a body that is
 * slower than `bytesPerSecond`, or bytes between two requests that make no request. Node's own limits cut slow headers
 * and silent connections.
 */
export function cutSlowSenders(server: http.Server, { bytesPerSecond, patienceMs } = PATIENCE): void {
  const interval = patienceMs / 4
  const senders = new Map<Socket, Sender>()
  const look = (request?: http.IncomingMessage, bytes = 0) => ({ request, bytes, quickAt: performance.now() })
  server.on('connection', (socket) => senders.set(socket, look()))
  server.on('request', (request) => senders.set(request.socket, look(request, request.socket.bytesRead)))
  const check = () => {
    const enough = (bytesPerSecond * interval) / 1000
    for (const [socket, sender] of senders) {
      const { request, bytes, quickAt } = sender
      if (socket.destroyed) senders.delete(socket)
      else if (request ? isQuick(request, bytes, enough) : socket.bytesRead === bytes)
        senders.set(socket, look(request?.complete ? undefined : request, socket.bytesRead))
      else if (performance.now() - quickAt >= patienceMs) socket.destroy()
      else if (request) sender.bytes = socket.bytesRead
    }
  }
  const timer = setInterval(check, interval).unref()
  server.on('close', () => clearInterval(timer))
}

/** If bytes wait to be read, we are slow and not the sender. */
function isQuick({ complete, readableLength, socket }: http.IncomingMessage, bytes: number, enough: number): boolean {
  return complete || readableLength > 0 || socket.bytesRead - bytes >= enough
}
