import type http from 'node:http'
import type { Socket } from 'node:net'

/** Browsers open connections in advance. If nothing has come on one after this time, it will bring no request. */
const SILENT_MS = 1000
const LOOK_MS = 100

export type InFlight = {
  /** Closes each connection after the answer that it waits for. Call it when no new connections are accepted. */
  finish(): void
  /** Cuts all connections. Returns the requests that got no answer, such as `POST /api/sale/create`. */
  cutOff(): string[]
}

/** Keeps track of the requests that a server has begun to answer. Call it before the server listens. */
export function requestsInFlight(server: http.Server): InFlight {
  const answers = new Set<http.ServerResponse>()
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (_request, answer) => {
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })
  return {
    finish() {
      for (const answer of answers) if (!answer.headersSent) answer.setHeader('connection', 'close')
      // If an answer has begun before, its headers did not announce that the connection closes. So idle connections are
      // closed from time to time.
      const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS).unref()
      const silent = setTimeout(() => {
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }, SILENT_MS).unref()
      server.once('close', () => {
        clearInterval(looking)
        clearTimeout(silent)
      })
    },
    cutOff() {
      const cut = [...answers].map(({ req }) => `${req.method} ${req.url?.split('?', 1)[0]}`)
      server.closeAllConnections()
      return cut
    },
  }
}
