import net from 'node:net'
import { Transform } from 'node:stream'

/** One address that moves: a connection goes to the server that was named last. */
export type Relay = {
  host: string
  port: number
  leadTo(socket: string): void
  /** From now on every answer is so much later, also on connections that are open. */
  delayBy(ms: number): void
  /** How many connections it has taken so far. */
  taken(): number
  close(): Promise<void>
}

/**
 * Leads TCP connections to a server's Unix socket, as a name or a virtual address does. Connections that are open
 * when it moves stay with the old server, and hear nothing more if that one hangs.
 */
export async function relay(socket: string): Promise<Relay> {
  let target = socket
  let late = 0
  let taken = 0
  const open = new Set<net.Socket>()
  const server = net.createServer((client) => {
    taken++
    const onward = net.connect(target)
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
    const delayed = new Transform({
      transform: (answer, _, done) => void (late > 0 ? setTimeout(done, late, null, answer) : done(null, answer)),
    })
    client.pipe(onward)
    onward.pipe(delayed).pipe(client)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as net.AddressInfo
  return {
    host: '127.0.0.1',
    port,
    leadTo(other) {
      target = other
    },
    delayBy(ms) {
      late = ms
    },
    taken: () => taken,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const one of open) one.destroy()
      }),
  }
}
