import net from 'node:net'

/** The state of a wire: it carries all bytes, hangs up after the first ones, or swallows them. */
export type WireState = 'through' | 'cut' | 'silent'

/** A connection to a PostgreSQL that a test can cut. */
export type Wire = {
  port: number
  set(state: WireState): void
  /** The listener gets everything that clients send. A new connection begins with its settings. */
  hear(listener: (said: Buffer) => void): void
  close(): Promise<void>
}

/** Opens a port that forwards to the PostgreSQL behind a Unix socket. */
export async function layWire(socket: string): Promise<Wire> {
  let state: WireState = 'through'
  let listener: (said: Buffer) => void = () => undefined
  const ends = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const target = net.connect(socket)
    for (const end of [client, target]) {
      ends.add(end)
      end
        .on('error', () => undefined)
        .on('close', () => {
          ends.delete(end)
          client.destroy()
          target.destroy()
        })
    }
    client.on('data', (said) => {
      listener(said)
      if (state === 'through') target.write(said)
      else if (state === 'cut') client.destroy()
    })
    target.on('data', (said) => {
      if (state === 'through') client.write(said)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const hangUp = () => {
    for (const end of ends) end.destroy()
  }
  return {
    port: (server.address() as net.AddressInfo).port,
    set(next) {
      state = next
      if (next === 'cut') hangUp()
    },
    hear(next) {
      listener = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        hangUp()
      }),
  }
}
