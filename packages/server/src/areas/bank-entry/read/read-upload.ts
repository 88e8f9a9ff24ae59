import type { FastifyRequest } from 'fastify'
import { withUploads } from '../../../http/file-on-disk.ts'
import { invalid } from '../../../http/refusal.ts'
import { actorOf } from '../../../http/session.ts'
import { safeFileName } from '../../../records/file.ts'
import { processForEachFile } from '../../../render/workers/process.ts'
import type { BankFileLines } from './bank-line.ts'
import type { BankAnswer } from './read-worker.ts'

const MAX_MB = 20
/**
 * Files are read in a process of their own, with limits. A ZIP with 57 MB of statements takes up to 220 MB and some
 * seconds.
 */
const read = processForEachFile<null, BankAnswer>(new URL('./read-worker.ts', import.meta.url), {
  cpuMs: 20_000,
  memoryMb: 300,
})
const TOO_MUCH = 'This file is too large to open. Download a shorter period from your bank.'

export type BankUpload = BankFileLines & { name: string; sha256: Buffer }

/**
 * Reads the bank's file that a form sends under `file`. Throws 413 if it is too large, and 422 under `file` if it is
 * missing or cannot be read.
 */
export function readBankUpload(request: FastifyRequest): Promise<BankUpload> {
  const form = {
    fields: ['file'],
    maxBytes: MAX_MB * 1024 * 1024,
    tooLarge: `A bank file may have at most ${MAX_MB} MB.`,
  }
  return withUploads(request, form, async ([upload]) => {
    if (!upload) throw invalid({ file: 'Choose a bank file.' })
    const { name, content } = upload
    const answer = await read(actorOf(request).id, content, null).catch((): BankAnswer => ({ refused: TOO_MUCH }))
    if ('refused' in answer) throw invalid({ file: answer.refused })
    return { ...answer, name: safeFileName(name || 'statement'), sha256: content.sha256 }
  })
}
