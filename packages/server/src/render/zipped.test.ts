import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { type ZipEntry, zipped } from './zipped.ts'

const MB = Buffer.alloc(1024 * 1024, 'x')

test('a ZIP has its files in order, packed or as they are', async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { name: 'a.pdf', content: [Buffer.from('%PDF'), MB], isPacked: true }
    yield { name: 'Ü.xml', content: [Buffer.from('<a/>')] }
    yield { name: 'empty.csv', content: [] }
  }
  const zip = Buffer.concat(await Array.fromAsync(zipped(entries())))
  const file = await fromBufferPromise(zip)
  const found: [string, number][] = []
  for await (const { fileName, uncompressedSize } of file.eachEntry()) found.push([fileName, uncompressedSize])
  expect(found).toEqual([
    ['a.pdf', MB.length + 4],
    ['Ü.xml', 4],
    ['empty.csv', 0],
  ])
  expect(zip.length).toBeGreaterThan(MB.length)
})

test('files are read as fast as the ZIP is taken, and no further once the caller leaves', async () => {
  let read = 0
  let isClosed = false
  async function* content() {
    try {
      for (let n = 0; n < 100; n++) {
        read++
        yield MB
      }
    } finally {
      isClosed = true
    }
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { name: 'a.pdf', content: content(), isPacked: true }
  }
  const pieces = zipped(entries())
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > 3 * MB.length) break
  }
  expect(read).toBeLessThan(12)
  expect(isClosed).toBe(true)
})

test('a file that cannot be read is an error, and the ZIP has no end', async () => {
  async function* broken() {
    yield Buffer.from('half')
    throw new Error('torn')
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { name: 'a.txt', content: [Buffer.from('whole')] }
    yield { name: 'b.txt', content: broken() }
  }
  const got: Buffer[] = []
  const taking = async () => {
    for await (const piece of zipped(entries())) got.push(piece)
  }
  await expect(taking()).rejects.toThrow('torn')
  expect(Buffer.concat(got).includes('PK\x05\x06')).toBe(false)
})
