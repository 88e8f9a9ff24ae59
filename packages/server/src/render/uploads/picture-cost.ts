import type { Metadata } from 'sharp'

/**
 * The most bytes of an opened picture: 40 million pixels with four colours, somewhat more than any camera or screen
 * makes.
 */
const MOST_BYTES = 160e6
const DEPTHS: Partial<Record<string, number>> = { uchar: 1, ushort: 2 }

/**
 * Whether a picture may be opened, judged by its header. A JPEG in several passes (a progressive one) is in memory as a
 * whole until the last pass, as coefficients of two bytes. If its colours have fewer pixels than its brightness, it
 * takes half as much.
 */
export function isAffordable({ format, width, height, channels, depth, isProgressive, chromaSubsampling }: Metadata) {
  const pixels = width * height
  if (pixels > MOST_BYTES / 4) return false
  if (format !== 'jpeg') return pixels * channels * (DEPTHS[depth] ?? 4) <= MOST_BYTES
  const samples = chromaSubsampling === '4:2:0' ? channels / 2 : channels
  return !isProgressive || pixels * samples * 2 <= MOST_BYTES
}
