import type { Metadata } from 'sharp'

/** 40 million pixels of four colours: the most that a camera or a screen makes, and some more. */
const MOST_BYTES = 160e6
const DEPTHS: Partial<Record<string, number>> = { uchar: 1, ushort: 2 }

/**
 * Whether this picture may be opened, judged by its header. A JPEG that comes in several passes (a progressive one)
 * is held whole until the last pass, as coefficients of two bytes. If its colours have fewer pixels than its
 * brightness, it needs half of that.
 */
export function isAffordable({ format, width, height, channels, depth, isProgressive, chromaSubsampling }: Metadata) {
  const pixels = width * height
  if (pixels > MOST_BYTES / 4) return false
  if (format !== 'jpeg') return pixels * channels * (DEPTHS[depth] ?? 4) <= MOST_BYTES
  const samples = chromaSubsampling === '4:2:0' ? channels / 2 : channels
  return !isProgressive || pixels * samples * 2 <= MOST_BYTES
}
