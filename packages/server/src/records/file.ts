import { createHash } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Db, Tx } from '../db/connect.ts'
import { type FileOnDisk, piecesOf } from '../http/file-on-disk.ts'
import { missing } from '../http/refusal.ts'

const CHUNK = 1024 * 1024

export type NewFile = { name: string; mediaType: string; content: Uint8Array | FileOnDisk }
export type StoredFile = { id: number; name: string; media_type: string; size: number }

/** Stores a file in pieces of 1 MiB and returns its id. Its name is stored in the form of `safeFileName`. */
export async function storeFile(tx: Tx, { name, mediaType, content }: NewFile): Promise<number> {
  const { size, sha256, pieces } = content instanceof Uint8Array ? inMemory(content) : onDisk(content)
  const { id } = await tx
    .insertInto('file')
    .values({ name: safeFileName(name), media_type: mediaType, size, sha256 })
    .returning('id')
    .executeTakeFirstOrThrow()
  let seq = 0
  for await (const data of pieces) await tx.insertInto('file_chunk').values({ file_id: id, seq: seq++, data }).execute()
  return id
}

function inMemory(content: Uint8Array) {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const starts = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, n) => n * CHUNK)
  return {
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
    pieces: starts.map((start) => bytes.subarray(start, start + CHUNK)),
  }
}

const onDisk = (file: FileOnDisk) => ({ ...file, pieces: piecesOf(file, CHUNK) })

/** The pieces of a file in order. Only one is in memory at a time. */
export async function* fileChunks(db: Db, id: number): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const chunk = await db
      .selectFrom('file_chunk')
      .select('data')
      .where('file_id', '=', id)
      .where('seq', '=', seq)
      .executeTakeFirst()
    if (!chunk) return
    yield chunk.data
  }
}

/** A whole file in memory. Throws 404 if there is none. */
export async function readFile(db: Db, id: number): Promise<StoredFile & { content: Buffer }> {
  const file = await storedFile(db, id)
  return { ...file, content: Buffer.concat(await Array.fromAsync(fileChunks(db, id))) }
}

async function storedFile(db: Db, id: number): Promise<StoredFile> {
  const file = await db
    .selectFrom('file')
    .select(['id', 'name', 'media_type', 'size'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!file) throw missing('This file')
  return file
}

/**
 * Answers with a stored file, piece by piece. The browser saves it, and never shows it within the page. With `isShown`,
 * the browser shows it in a tab of its own, which is only safe for files that the server made.
 */
export async function sendFile(
  reply: FastifyReply,
  db: Db,
  id: number,
  { isShown = false } = {},
): Promise<FastifyReply> {
  const file = await storedFile(db, id)
  return reply
    .header('content-disposition', isShown ? 'inline' : contentDisposition(file.name))
    .header('content-length', file.size)
    .header('x-content-type-options', 'nosniff')
    .type(file.media_type)
    .send(Readable.from(fileChunks(db, id)))
}

/**
 * A file's name without folders, control characters and marks for right-to-left text. It has at most 150 characters,
 * with its extension.
 */
export function safeFileName(name: string): string {
  const base = name
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"<>:|?*]/gu, '')
    .trim()
    .replace(/^\.+/, '')
  const extension = [...path.extname(base)].slice(0, 10).join('')
  const stem = [...base.slice(0, base.length - path.extname(base).length)].slice(0, 140).join('')
  return stem + extension || 'file'
}

/**
 * The header `Content-Disposition` (RFC 6266): an ASCII name for old clients, and the real one in UTF-8 (RFC 8187).
 * Quotation marks and slashes are removed at the end, because normalising a name turns full-width ones into ordinary
 * ones.
 */
export function contentDisposition(name: string): string {
  const safe = safeFileName(name)
  const plain = safe
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|[%\\/"]/g, '_')
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
