import http from 'node:http'
import type { Socket } from 'node:net'

export type Patience = { bytesPerSecond: number; patienceMs: number }
/** The worst line that works sends ten times as much. */
const PATIENCE: Patience = { bytesPerSecond: 1024, patienceMs: 16_000 }

/**
 * Fastify's server, on which no connection is held for nothing: 20 s for the headers of a request, 25 s between two of them,
 * and a body by its speed, not by its length. Load balancers wait five minutes for an answer; so does this.
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
  /** What had come in when it was last looked at. */
  bytes: number
  quickAt: number
}

/**
 * Cuts connections that are held by sending next to nothing, after so long and at most a quarter more: a body slower than
 * that, or bytes between two requests that make no request. Uploads over slow lines take as long as they need. Node's own
 * limits see to slow headers and to connections on which nothing comes.
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

/** With something left to read it is we who are slow. */
function isQuick({ complete, readableLength, socket }: http.IncomingMessage, bytes: number, enough: number): boolean {
  return complete || readableLength > 0 || socket.bytesRead - bytes >= enough
}
