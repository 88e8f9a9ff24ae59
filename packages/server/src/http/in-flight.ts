import type http from 'node:http'
import type { Socket } from 'node:net'

/** Browsers open connections in advance: one on which nothing has come by then will bring no request. */
const SILENT_MS = 1000
const LOOK_MS = 100

export type InFlight = {
  /** Closes each connection after the answer that it waits for. Call it once no new connections are let in. */
  finish(): void
  /** Cuts every connection and tells which requests were left without an answer, as `POST /api/sale/create`. */
  cutOff(): string[]
}

/** Keeps account of the requests that a server has begun and not answered. Call it before the server listens. */
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
      // An answer that had begun cannot say that its connection closes.
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
