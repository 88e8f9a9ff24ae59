import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { passOver } from './form-parts.ts'
import { Refusal } from './refusal.ts'

/** An uploaded file without a name on the disk. It disappears when it is closed, or when this process ends. */
export type FileOnDisk = {
  handle: FileHandle
  size: number
  sha256: Buffer
  /** Whether the sender still waits for the answer. */
  isWanted(): boolean
}

export type UploadedFile<Field> = { field: Field; name: string; content: FileOnDisk }

/** Opens a file without a name in the temporary folder, for reading and writing. */
export async function openUnnamed(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `backstock-upload-${randomUUID()}`)
  const handle = await open(file, 'wx+', 0o600)
  await unlink(file)
  return handle
}

/**
 * Runs `work` with the files that a form sends under `fields`; another kind of request has none. The files are on the
 * disk, not in memory, and disappear afterwards. Throws 413 if a file is too large.
 */
export async function withUploads<Field extends string, Result>(
  request: FastifyRequest,
  { fields, maxBytes, tooLarge }: { fields: readonly Field[]; maxBytes: number; tooLarge: string },
  work: (files: UploadedFile<Field>[]) => Promise<Result>,
): Promise<Result> {
  if (!request.isMultipart()) return work([])
  const files: UploadedFile<Field>[] = []
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes, files: fields.length } })) {
      if (part.type === 'field') continue
      const field = fields.find((one) => one === part.fieldname)
      if (field === undefined) passOver(part)
      else {
        const content = await toDisk(part.file, () => !request.raw.socket.destroyed)
        files.push({ field, name: part.filename, content })
        if (part.file.truncated) throw new Refusal(413, tooLarge)
      }
    }
    return await work(files)
  } finally {
    await Promise.all(files.map(({ content }) => content.handle.close()))
  }
}

/** Writes a stream to the disk as it arrives. The caller must close the file. */
export async function toDisk(stream: AsyncIterable<Buffer>, isWanted = () => true): Promise<FileOnDisk> {
  const handle = await openUnnamed()
  try {
    const hash = createHash('sha256')
    let size = 0
    let fault: unknown
    for await (const chunk of stream) {
      // The stream is read to its end even if the disk is full, so that the sender gets an answer.
      if (fault) continue
      size += chunk.length
      hash.update(chunk)
      await handle.appendFile(chunk).catch((error: unknown) => {
        fault = error
      })
    }
    if (fault) throw fault
    return { handle, size, sha256: hash.digest(), isWanted }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The bytes of a file from `start` on, in pieces of `length` bytes. */
export async function* piecesOf({ handle, size }: FileOnDisk, length: number, start = 0): AsyncGenerator<Buffer> {
  for (let position = start; position < size; position += length) yield bytesOf(handle, position, length)
}

/** `length` bytes of a file from `position` on; fewer at its end. */
export async function bytesOf(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
