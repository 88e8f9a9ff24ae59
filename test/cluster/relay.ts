import net from 'node:net'
import { Transform } from 'node:stream'

/** An address that moves: new connections go to the server that was named last. */
export type Relay = {
  host: string
  port: number
  leadTo(socket: string): void
  /** Delays all answers by this time from now on, also those on open connections. */
  delayBy(ms: number): void
  /** The number of connections that it has accepted so far. */
  taken(): number
  close(): Promise<void>
}

/**
 * Forwards TCP connections to a server's Unix socket, like a host name or a virtual address. Open connections stay with
 * the old server when the address moves, and get no answers if that server hangs.
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
