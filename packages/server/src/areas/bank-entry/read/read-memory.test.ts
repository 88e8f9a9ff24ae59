import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { toDisk } from '../../../http/file-on-disk.ts'
import { processForEachFile } from '../../../render/workers/process.ts'
import { ACCOUNT, camt053, mt940 } from '../../../testing/bank-file.ts'
import { testInTurn } from '../../../testing/in-turn.ts'
import { packedText, zipOf } from '../../../testing/xlsx.ts'
import type { BankAnswer } from './read-worker.ts'

const SIZE = 19 * 1024 * 1024
/** The entries of one statement. Three such statements have almost as many as a ZIP may have. */
const ENTRIES = 6600
/** The memory that reading may take here in MB. It is below the server's limit, and the texts alone have 57 MB. */
const MEMORY_MB = 260

const one = { amount: 100, day: '2026-11-02', text: 'Rückzahlung für 1 € '.padEnd(140, '2026-00001 ') }

/**
 * Reads a ZIP of three statements, which stay below the memory that reading may take. Its time is a guard only: the
 * process has the lowest priority, and waits for minutes on a busy machine.
 */
async function readThree(statement: string, pattern: RegExp): Promise<void> {
  const [entry = ''] = pattern.exec(statement) ?? []
  const blanks = `${' '.repeat(100)}\r\n`.repeat(Math.floor((SIZE / ENTRIES - Buffer.byteLength(entry)) / 102))
  const text = statement.replace(entry, `${entry}${blanks}`.repeat(ENTRIES))
  // Each statement has an account of its own, because an entry that several statements have counts once.
  const of = (account: string) => [`${account}.txt`, packedText(text.replace(ACCOUNT, account))] as const
  const parts = ['A', 'B', 'C'].map(of)
  for (const [, { size }] of parts) expect(size).toBeGreaterThan(0.95 * SIZE)
  const content = await toDisk(Readable.from([zipOf(Object.fromEntries(parts))]))
  const limits = { cpuMs: 60_000, memoryMb: MEMORY_MB, patienceMs: 240_000 }
  const read = processForEachFile<null, BankAnswer>(new URL('./read-worker.ts', import.meta.url), limits)
  try {
    const answer = await read(1, content, null)
    expect('refused' in answer ? answer.refused : answer.lines.length).toBe(3 * ENTRIES)
  } finally {
    await content.handle.close()
  }
}

testInTurn('three statements of 19 MB in XML, in one ZIP, are read one after the other', () =>
  readThree(camt053([one]), /<Ntry>.*<\/Ntry>/s),
)

testInTurn('three statements of 19 MB in MT940, in one ZIP, are read one after the other', () =>
  readThree(mt940([one]), /:61:.*(?=:62F:)/s),
)
