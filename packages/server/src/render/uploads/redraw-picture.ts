import type { FileOnDisk } from '../../http/file-on-disk.ts'
import { processForEachFile } from '../workers/process.ts'

/** The new form of a picture: a WebP that it fills, or a PNG into which it fits. */
export type Drawing = { format: 'webp' | 'png'; width: number; height: number }
export type Redrawn = { ok: true; content: Uint8Array } | { ok: false; reason: string }

const redraw = processForEachFile<Drawing, Redrawn>(new URL('./redraw-worker.ts', import.meta.url), {
  cpuMs: 20_000,
  memoryMb: 300,
})

/**
 * Redraws a picture that this person has uploaded, in a process of its own, so that nothing of the original file stays.
 * The promise never rejects; the reason for a refusal is a sentence for the person.
 */
export async function redrawPicture(person: number, file: FileOnDisk, drawing: Drawing): Promise<Redrawn> {
  try {
    return await redraw(person, file, drawing)
  } catch {
    return { ok: false, reason: 'This picture needs too much time or memory to open.' }
  }
}
