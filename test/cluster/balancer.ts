import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** The headers of a request without those that are about one connection: each side has its own connection. */
function ofTheRequest({ connection: _, 'keep-alive': __, ...headers }: http.IncomingHttpHeaders) {
  return headers
}

export type Balancer = { address: string; close(): Promise<void> }

/**
 * Passes requests on to the servers in turn. If a server cannot be reached, the next one gets the request. If a server
 * dies during a request, the answer is 502.
 */
export async function balance(servers: () => string[]): Promise<Balancer> {
  let turn = 0
  const pass = (request: http.IncomingMessage, body: Buffer, answer: http.ServerResponse, tries: number) => {
    const all = servers()
    const target = new URL(request.url ?? '/', all[turn++ % all.length])
    const { method = 'GET' } = request
    const onward = http.request(target, { method, headers: ofTheRequest(request.headers), agent: false }, (found) => {
      answer.writeHead(found.statusCode ?? 502, ofTheRequest(found.headers))
      found.on('error', () => answer.destroy())
      found.pipe(answer)
    })
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries > 1) pass(request, body, answer, tries - 1)
      else if (!answer.headersSent)
        answer
          .writeHead(502, { 'content-type': 'application/json' })
          .end(JSON.stringify({ message: `${error.code} from ${target.host}` }))
      else answer.destroy()
    })
    onward.end(body)
  }
  const server = http.createServer(async (request, answer) => {
    const body: Buffer[] = []
    for await (const piece of request) body.push(piece)
    pass(request, Buffer.concat(body), answer, servers().length)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
