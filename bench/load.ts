import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Exchange, Load, Measured, Operation, Session } from './load-client.ts'

// The process that sends requests. It is apart from the others so that it takes no time from the server or the limits.

const agent = new http.Agent({ keepAlive: true, maxSockets: 200 })

function send(base: URL, session: Session | undefined, exchange: Exchange): Promise<void> {
  return new Promise((resolve, reject) => {
    const { method, path, body } = exchange
    const headers: http.OutgoingHttpHeaders = session?.cookie ? { cookie: session.cookie } : {}
    if (session?.csrf && method !== 'GET') headers['x-xsrf-token'] = session.csrf
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = Buffer.byteLength(body)
    }
    const options = { agent, method, headers, host: base.hostname, port: base.port }
    const request = http.request({ ...options, path: path.replace(':me', String(session?.userId)) }, (response) => {
      const { statusCode = 0 } = response
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => statusCode >= 300 && chunks.push(chunk))
      response.on('end', () => {
        if (statusCode < 300) resolve()
        else reject(new Error(`${method} ${path}: ${statusCode} ${Buffer.concat(chunks).toString().slice(0, 500)}`))
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Each client runs one operation after another, until the time is over or all operations are done. */
async function run({ target, sessions, operations, clients, forMs, everyMs = 0 }: Load): Promise<Measured> {
  const base = new URL(target)
  const times: number[] = []
  let next = 0
  const started = performance.now()
  const end = forMs === undefined ? Number.POSITIVE_INFINITY : started + forMs
  const takeNext = (): Operation | undefined => {
    if (performance.now() >= end || (forMs === undefined && next === operations.length)) return undefined
    return operations[next++ % operations.length]
  }
  const client = async (n: number) => {
    const session = sessions[n % sessions.length]
    for (let operation = takeNext(); operation; operation = takeNext()) {
      const before = performance.now()
      await Promise.all(operation.map((exchange) => send(base, session, exchange)))
      const took = performance.now() - before
      times.push(took)
      if (took < everyMs) await delay(everyMs - took)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)))
  return { times, ms: performance.now() - started }
}

process.on('message', (load: Load) => {
  run(load).then(
    (measured) => process.send!({ measured }),
    (error: Error) => process.send!({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())
