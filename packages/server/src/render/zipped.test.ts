import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type ZipEntry, zipped } from './zipped.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
/** The bytes of all buffers that somebody still holds. */
const external = async (): Promise<number> => {
  for (let n = 0; n < 3; n++) {
    await turn()
    collectGarbage()
  }
  return process.memoryUsage().external
}

test('a file that is written leaves nothing in memory but its line of the directory', async () => {
  const files: WeakRef<AsyncGenerator<Buffer>>[] = []
  const aFile = () => {
    const content = (async function* () {
      yield Buffer.from('<Invoice/>')
    })()
    files.push(new WeakRef(content))
    return content
  }
  let inMemory = Number.NaN
  let grown = Number.NaN
  async function* entries(): AsyncGenerator<ZipEntry> {
    let before = Number.NaN
    for (let n = 0; n < 1500; n++) {
      if (n === 500) before = await external()
      yield { name: `${n}.xml`, content: aFile(), isPacked: n % 2 === 0 }
    }
    grown = (await external()) - before
    inMemory = files.filter((file) => file.deref() !== undefined).length
  }
  let size = 0
  for await (const piece of zipped(entries())) size += piece.length
  expect(size).toBeGreaterThan(150_000)
  expect(inMemory).toBeLessThan(50)
  expect(grown).toBeLessThan(3_000_000)
})

test('if a file cannot be read, the ZIP ends with that error and without its directory', async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { name: 'a.txt', content: [Buffer.from('a')] }
    yield { name: 'b.txt', content: broken() }
  }
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('b')
    throw new Error('The file is gone.')
  }
  const pieces: Buffer[] = []
  const read = async () => {
    for await (const piece of zipped(entries())) pieces.push(piece)
  }
  await expect(read()).rejects.toThrow('The file is gone.')
  expect(Buffer.concat(pieces).includes('PK\x05\x06')).toBe(false)
})

test('if nobody takes the rest of a ZIP, its files are read no further', async () => {
  const asked: string[] = []
  let isClosed = false
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      while (true) yield Buffer.alloc(100_000)
    } finally {
      isClosed = true
    }
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const name of ['a.bin', 'b.bin']) {
      asked.push(name)
      yield { name, content: endless(), isPacked: true }
    }
  }
  for await (const piece of zipped(entries())) if (piece.length > 0) break
  expect([asked, isClosed]).toEqual([['a.bin'], true])
})
