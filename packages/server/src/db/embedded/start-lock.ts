import fs from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedError } from './embedded-error.ts'

const PATIENCE = 120_000
/** A flag of open(2) on macOS that takes an exclusive lock on the file. Node accepts it, but has no name for it. */
const O_EXLOCK = 0x20

/**
 * Runs `work` while no other process of this machine runs work under the same name. The operating system holds the
 * lock, and frees it even after kill -9. Throws `EmbeddedError` after two minutes of waiting.
 */
export async function withStartLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const take = process.platform === 'linux' ? takeAbstractSocket : takeLockedFile
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(50)) {
    const release = await take(`backstock-${name}`)
    if (!release) continue
    try {
      return await work()
    } finally {
      release()
    }
  }
  throw new EmbeddedError('Another process has been starting the embedded PostgreSQL for two minutes: end it first.')
}

type Release = () => void

function takeAbstractSocket(name: string): Promise<Release | undefined> {
  const server = net.createServer()
  return new Promise((done) => {
    server.once('error', () => done(undefined))
    server.listen(`\0${name}`, () => done(() => server.close()))
  })
}

async function takeLockedFile(name: string): Promise<Release | undefined> {
  const { O_CREAT, O_RDWR, O_NONBLOCK } = fs.constants
  try {
    const file = fs.openSync(`/tmp/${name}.lock`, O_CREAT | O_RDWR | O_NONBLOCK | O_EXLOCK, 0o600)
    return () => fs.closeSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}
