import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { toDisk } from '../../../http/file-on-disk.ts'
import { processForEachFile } from '../../../render/workers/process.ts'
import { camt053, mt940 } from '../../../testing/bank-file.ts'
import { packedText, zipOf } from '../../../testing/xlsx.ts'
import type { BankAnswer } from './read-worker.ts'

const SIZE = 19 * 1024 * 1024
/** The entries of one statement. Three such statements have almost as many as a ZIP may have. */
const ENTRIES = 6600
/** The memory that reading may take here in MB. It is below the server's limit, and the texts alone have 57 MB. */
const MEMORY_MB = 260

const one = { amount: 100, day: '2026-11-02', text: 'Rückzahlung für 1 € '.padEnd(140, '2026-00001 ') }
const xml = camt053([one])
const swift = mt940([one])

test.each([
  ['XML', xml, /<Ntry>.*<\/Ntry>/s],
  ['MT940', swift, /:61:.*(?=:62F:)/s],
])('three statements of 19 MB in %s, in one ZIP, are read one after the other', async (_format, statement, pattern) => {
  const [entry = ''] = pattern.exec(statement) ?? []
  const blanks = `${' '.repeat(100)}\r\n`.repeat(Math.floor((SIZE / ENTRIES - Buffer.byteLength(entry)) / 102))
  const part = packedText(statement.replace(entry, `${entry}${blanks}`.repeat(ENTRIES)))
  expect(part.size).toBeGreaterThan(0.95 * SIZE)
  const content = await toDisk(Readable.from([zipOf({ 'a.txt': part, 'b.txt': part, 'c.txt': part })]))
  const limits = { cpuMs: 20_000, memoryMb: MEMORY_MB }
  const read = processForEachFile<null, BankAnswer>(new URL('./read-worker.ts', import.meta.url), limits)
  try {
    const answer = await read(1, content, null)
    expect('refused' in answer ? answer.refused : answer.lines.length).toBe(3 * ENTRIES)
  } finally {
    await content.handle.close()
  }
})
