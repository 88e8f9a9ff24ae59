import type { FastifyRequest } from 'fastify'
import { withUploads } from '../http/file-on-disk.ts'
import { invalid, Refusal } from '../http/refusal.ts'
import { actorOf } from '../http/session.ts'
import { type Drawing, redrawPicture } from '../render/uploads/redraw-picture.ts'

const MAX_BYTES = 10 * 1024 * 1024

/**
 * Reads the uploaded picture in `field` and draws it anew, so that nothing of the original file stays. Throws 422 if
 * there is no file, 413 above 10 MB, and 415 under `field` if it is no picture, or takes too much memory to open.
 */
export function redrawnUpload(request: FastifyRequest, field: string, drawing: Drawing): Promise<Uint8Array> {
  const form = { fields: [field], maxBytes: MAX_BYTES, tooLarge: 'A picture may have at most 10 MB.' }
  return withUploads(request, form, async ([upload]) => {
    if (!upload) throw invalid({ [field]: 'Choose a picture.' })
    const redrawn = await redrawPicture(actorOf(request).id, upload.content, drawing)
    if (redrawn.ok) return redrawn.content
    throw new Refusal(415, redrawn.reason, { errors: { [field]: redrawn.reason } })
  })
}
