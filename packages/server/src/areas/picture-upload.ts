import type { FastifyRequest } from 'fastify'
import sharp, { type Sharp } from 'sharp'
import { invalid, Refusal } from '../http/refusal.ts'

const MAX_BYTES = 10 * 1024 * 1024
const NOT_A_PICTURE = 'Only image files are allowed'

// Only the loaders for pictures that people upload: the others have a history of faults.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})

/**
 * Reads the uploaded picture in `field` and draws it anew as `draw` says: nothing of the original file survives. Throws
 * 422 without a file, 413 past 10 MB, 415 under `field` where it is no picture or has over 40 million pixels.
 */
export async function redrawnUpload(
  request: FastifyRequest,
  field: string,
  draw: (picture: Sharp) => Sharp,
): Promise<Buffer> {
  const upload = request.isMultipart() ? await request.file({ limits: { fileSize: MAX_BYTES, files: 1 } }) : undefined
  if (upload?.fieldname !== field) throw invalid({ [field]: 'Choose a picture.' })
  const original = await upload.toBuffer()
  try {
    return await draw(sharp(original, { limitInputPixels: 40e6, failOn: 'error' }).rotate()).toBuffer()
  } catch {
    throw new Refusal(415, NOT_A_PICTURE, { errors: { [field]: NOT_A_PICTURE } })
  }
}
