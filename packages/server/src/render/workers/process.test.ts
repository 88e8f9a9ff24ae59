import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A module of the server, quoted for a program. */
const ours = (file: string) => JSON.stringify(path.resolve(import.meta.dirname, '../..', file))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'backstock-process-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a process that opens a file ends at once when the server is killed, although its work goes on', async () => {
  const visited = net.createServer().listen(0, '127.0.0.1')
  await once(visited, 'listening')
  const { port } = visited.address() as AddressInfo
  const worker = path.join(folder, 'worker.ts')
  await writeFile(
    worker,
    `import net from 'node:net'
import { answerOnce } from ${ours('render/workers/process.ts')}
answerOnce(() => new Promise(() => void net.connect(${port}, '127.0.0.1')))`,
  )
  const server = path.join(folder, 'server.ts')
  await writeFile(
    server,
    `import { openUnnamed } from ${ours('http/file-on-disk.ts')}
import { processForEachFile } from ${ours('render/workers/process.ts')}
const content = { handle: await openUnnamed(), size: 0, sha256: Buffer.alloc(32), isWanted: () => true }
await processForEachFile(new URL('file://${worker}'), { cpuMs: 60_000, memoryMb: 300 })(1, content, {})`,
  )
  const running = spawn(process.execPath, [server], { stdio: 'inherit' })
  const [work] = (await once(visited, 'connection')) as [net.Socket]
  const ended = once(
    work.on('error', () => undefined),
    'close',
  )
  running.kill('SIGKILL')
  await ended
  expect(work.destroyed).toBe(true)
  visited.close()
})
