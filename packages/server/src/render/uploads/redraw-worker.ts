import sharp from 'sharp'
import { answerOnce } from '../workers/process.ts'
import { isAffordable } from './picture-cost.ts'
import type { Drawing, Redrawn } from './redraw-picture.ts'

// Only the loaders for pictures that people upload are allowed. The others have had many security faults.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})
// The process opens only one picture, so it needs no cache and no second thread.
sharp.cache(false)
sharp.concurrency(1)

answerOnce(async (content, { format, width, height }: Drawing): Promise<Redrawn> => {
  try {
    const original = sharp(content, { limitInputPixels: 40e6, failOn: 'error' })
    if (!isAffordable(await original.metadata()))
      return { ok: false, reason: 'This picture has too many pixels. Make it smaller first.' }
    const turned = original.rotate()
    const drawn =
      format === 'webp'
        ? turned.resize(width, height, { fit: 'cover' }).webp({ quality: 82 })
        : turned.resize(width, height, { fit: 'inside', withoutEnlargement: true }).png()
    return { ok: true, content: await drawn.toBuffer() }
  } catch {
    return { ok: false, reason: 'Only image files are allowed' }
  }
})
