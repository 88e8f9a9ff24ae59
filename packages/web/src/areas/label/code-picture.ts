import type { LabelCode } from '@backstock/contract/label-paper.ts'

/** A horizontal run of black modules. A module is the smallest square or bar of a code. */
export type Run = { x: number; y: number; width: number }

/** The size of a DataMatrix in modules for each side, and how many code words it holds: ISO/IEC 16022, table 7. */
const MATRICES = [
  ...[
    [10, 3],
    [12, 5],
    [14, 8],
    [16, 12],
    [18, 18],
    [20, 22],
    [22, 30],
    [24, 36],
    [26, 44],
    [32, 62],
    [36, 86],
  ],
  ...[
    [40, 114],
    [44, 144],
    [48, 174],
    [52, 204],
    [64, 280],
  ],
] as const

/** The approximate width of a text's code in modules. */
export function modulesOf(code: LabelCode, text: string): number {
  const digits = /^\d+$/.test(text)
  const words = digits ? Math.ceil(text.length / 2) + (text.length % 2) : text.length
  if (code === 'code128') return 11 * (words + 2) + 13
  if (code === 'datamatrix') return MATRICES.find(([, room]) => room >= words)?.[0] ?? 72
  return 21 + 4 * Math.floor(text.length / (digits ? 35 : 21))
}

/** A source of whole numbers below `most` that look random. The same text always gives the same numbers. */
function dice(text: string) {
  let state = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
  return (most: number) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** Widths of bars and spaces in Code 128, in modules. */
const BARS = [
  '212222',
  '222122',
  '121223',
  '131222',
  '122213',
  '311222',
  '113213',
  '221312',
  '123122',
  '231131',
] as const

/**
 * A picture that looks like a code for the preview. It encodes nothing: the server makes the real code for the print.
 */
export function pictureOf(code: LabelCode, text: string, modules: number): Run[] {
  const roll = dice(text)
  if (code === 'code128') {
    const letters = Array.from({ length: (modules - 13) / 11 }, () => BARS[roll(BARS.length)] ?? BARS[0])
    return barsOf(`${letters.join('')}2331112`)
  }
  const isBlack = code === 'qr' ? finders(modules) : edges(modules)
  const runs: Run[] = []
  for (let y = 0; y < modules; y++)
    for (let x = 0; x < modules; x++) if (isBlack(x, y) ?? roll(2) === 1) runs.push({ x, y, width: 1 })
  return runs
}

function barsOf(widths: string): Run[] {
  let x = 0
  return [...widths].flatMap((digit, n) => {
    const run = { x, y: 0, width: Number(digit) }
    x += run.width
    return n % 2 === 0 ? [run] : []
  })
}

/** Whether a module of the three corner squares of a QR code is black; undefined for all other modules. */
function finders(modules: number) {
  return (x: number, y: number) => {
    const [across, down] = [Math.min(x, modules - 1 - x), Math.min(y, modules - 1 - y)]
    if (across > 7 || down > 7 || (x > 7 && y > 7)) return undefined
    const ring = Math.max(Math.abs(across - 3), Math.abs(down - 3))
    return ring !== 2 && ring !== 4
  }
}

/** Whether a module at the edge of a DataMatrix is black; undefined for all others. */
function edges(modules: number) {
  return (x: number, y: number) => {
    if (x === 0 || y === modules - 1) return true
    if (y === 0) return x % 2 === 0
    return x === modules - 1 ? y % 2 === 1 : undefined
  }
}
