import http from 'node:http'
import type { Socket } from 'node:net'

type Patience = { bytesPerSecond: number; patienceMs: number }
/** The least speed of a sender. Even a very bad line is ten times as fast. */
const PATIENCE: Patience = { bytesPerSecond: 1024, patienceMs: 16_000 }

/**
 * The server for Fastify, with limits for slow connections. The headers of a request may take 20 s, and the pause
 * between two requests 25 s. A body may take as long as it needs while it keeps coming. An answer may take five
 * minutes, which is also the limit of many load balancers.
 */
export function newServer(handle: http.RequestListener, patience = PATIENCE): http.Server {
  const limits = {
    headersTimeout: 20_000,
    keepAliveTimeout: 25_000,
    // The limit for a whole request. It is enough for 200 MB at 1 Mbit/s.
    requestTimeout: 30 * 60_000,
    connectionsCheckingInterval: 5000,
  }
  const server = http.createServer(limits, handle)
  server.setTimeout(300_000)
  cutSlowSenders(server, patience)
  return server
}

type Sender = {
  /** The newest request, as long as it is not complete. */
  request: http.IncomingMessage | undefined
  /** The number of bytes that had come in at the last check. */
  bytes: number
  quickAt: number
}

/**
 * Cuts a connection on which hardly anything arrives, after `patienceMs` or up to a quarter more: a body that is slower
 * than `bytesPerSecond`, or bytes between two requests that are no request. Node itself cuts slow headers and silent
 * connections.
 */
function cutSlowSenders(server: http.Server, { bytesPerSecond, patienceMs }: Patience): void {
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

/** If bytes wait to be read, this server is slow, not the sender. */
function isQuick({ complete, readableLength, socket }: http.IncomingMessage, bytes: number, enough: number): boolean {
  return complete || readableLength > 0 || socket.bytesRead - bytes >= enough
}
