export type Pixels = {
  width: number
  height: number
  /** Three bytes for each pixel: red, green, blue. */
  data: Uint8Array
}

/**
 * Pictures are compared by squares of this width in px. A changed word is a small part of a whole screen, but a large
 * one of its square.
 */
const SQUARE = 32
/**
 * The smallest difference of a colour, from 0 to 255, that a person sees. Smoothed edges differ by less between
 * machines.
 */
const STRONG = 48
const MOST_STRONG = 36

const isStrong = (a: Uint8Array, b: Uint8Array, at: number) =>
  [0, 1, 2].some((colour) => Math.abs(a[at + colour]! - b[at + colour]!) > STRONG)

/** Whether a person would see a difference between two pictures. */
export function differsVisibly(a: Pixels, b: Pixels): boolean {
  if (a.width !== b.width || a.height !== b.height) return true
  const across = Math.ceil(a.width / SQUARE)
  const strong = new Uint16Array(across * Math.ceil(a.height / SQUARE))
  for (let y = 0; y < a.height; y++)
    for (let x = 0; x < a.width; x++)
      if (isStrong(a.data, b.data, (y * a.width + x) * 3)) {
        const square = Math.floor(y / SQUARE) * across + Math.floor(x / SQUARE)
        strong[square] = strong[square]! + 1
      }
  return strong.some((count) => count > MOST_STRONG)
}
