import type { LabelCode } from '@backstock/contract/label-paper.ts'
import bwipjs from 'bwip-js/node'

/** The black parts of a code, in modules. The bars of a Code 128 have no height here, because they fill the room. */
export type CodeSymbol = { width: number; runs: { x: number; y: number; width: number }[] }

const KINDS = { code128: 'code128', qr: 'qrcode', datamatrix: 'datamatrix' } as const

/**
 * The code of a text, with the black modules of each row merged into runs; undefined if the code cannot hold the text.
 */
export function symbolOf(code: LabelCode, text: string): CodeSymbol | undefined {
  try {
    const [drawn] = bwipjs.raw({ bcid: KINDS[code], text, ...(code === 'qr' && { eclevel: 'M' }) } as never)
    if (!drawn) return undefined
    return 'sbs' in drawn ? bars(drawn.sbs) : squares(drawn)
  } catch {
    return undefined
  }
}

/** The widths of bars and spaces in turn, beginning with a bar. */
function bars(widths: readonly number[]): CodeSymbol {
  const runs: CodeSymbol['runs'] = []
  let x = 0
  widths.forEach((width, n) => {
    if (n % 2 === 0) runs.push({ x, y: 0, width })
    x += width
  })
  return { width: x, runs }
}

function squares({ pixs, pixx, pixy }: { pixs: readonly number[]; pixx: number; pixy: number }): CodeSymbol {
  const runs: CodeSymbol['runs'] = []
  for (let y = 0; y < pixy; y++) {
    for (let x = 0; x < pixx; x++) {
      const from = x
      while (x < pixx && pixs[y * pixx + x]) x++
      if (x > from) runs.push({ x: from, y, width: x - from })
    }
  }
  return { width: pixx, runs }
}
