import { writeFile } from 'node:fs/promises'
import bwipjs from 'bwip-js/node'
import sharp from 'sharp'

/** A code for bwip-js to draw: its symbology and its text. */
export type PrintedCode = { bcid: 'code128' | 'qrcode' | 'datamatrix' | 'ean13'; text: string }

const WIDTH = 640
const HEIGHT = 480
const PER_SECOND = 10
/** The number of frames for which each code is in front of the camera. */
const FRAMES = 8
const TABLE = '#b9b4ae'

/**
 * Writes a film for the browser's `--use-file-for-fake-video-capture`: one code after another, turned a little, not
 * quite sharp, and with a camera's noise. The browser repeats it at its end.
 */
export async function filmOf(codes: readonly PrintedCode[], file: string): Promise<void> {
  const parts: Buffer[] = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${PER_SECOND}:1 Ip A1:1 C420jpeg\n`)]
  const colour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  for (const code of codes) {
    const grey = await pictureOf(code)
    for (let n = 0; n < FRAMES; n++) parts.push(Buffer.from('FRAME\n'), withNoise(grey, n), colour)
  }
  await writeFile(file, Buffer.concat(parts))
}

async function pictureOf({ bcid, text }: PrintedCode): Promise<Buffer> {
  const isSquare = bcid === 'qrcode' || bcid === 'datamatrix'
  const drawn = await bwipjs.toBuffer({
    ...{ bcid, text, padding: 10, backgroundcolor: 'FFFFFF' },
    ...(isSquare ? { scale: 7 } : { scale: 2, height: 14, includetext: true }),
  })
  const turned = await sharp(drawn).rotate(7, { background: TABLE }).toBuffer()
  const label = await sharp(turned)
    .resize({ width: 560, height: 400, fit: 'inside', withoutEnlargement: true })
    .toBuffer()
  const scene = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: TABLE } })
  const picture = await scene
    .composite([{ input: label, gravity: 'centre' }])
    .png()
    .toBuffer()
  return sharp(picture).blur(0.7).removeAlpha().greyscale().raw().toBuffer()
}

/** The picture with noise, which is the same in each run. */
function withNoise(grey: Buffer, frame: number): Buffer {
  let seed = frame + 1
  return Buffer.from(
    grey.map((light) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.min(255, Math.max(0, light + ((seed >> 16) % 21) - 10))
    }),
  )
}
