import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { getDocumentProxy } from 'unpdf'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
const { buffer, byteOffset, byteLength } = readFileSync(wasm)
prepareZXingModule({ overrides: { wasmBinary: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer } })

const FORMATS = { code128: 'Code128', qr: 'QRCode', datamatrix: 'DataMatrix' } as const
/** Labels are read upright, so the slower attempts at other angles are switched off. */
const UPRIGHT = { tryRotate: false, tryInvert: false, tryDownscale: false }
const MM = 25.4

/** A text on a page (counted from 0), with its edges in mm. */
export type Printed = { page: number; text: string; left: number; top: number; right: number; bottom: number }

type Picture = { width: number; height: number; grey: Buffer }

/** The pages of a PDF as a printer of this resolution would print them. */
function printedPages(pdf: Buffer, dpi: number): Picture[] {
  const options = ['-q', '-r', String(dpi), '-gray', '-']
  const all = execFileSync('pdftoppm', options, { input: pdf, maxBuffer: 2 ** 30 })
  const pages: Picture[] = []
  for (let at = 0; at < all.length; ) {
    const [header, width, height] = /^P5\s(\d+) (\d+)\s255\s/.exec(all.toString('latin1', at, at + 40)) ?? []
    const from = at + header!.length
    at = from + Number(width) * Number(height)
    pages.push({ width: Number(width), height: Number(height), grey: all.subarray(from, at) })
  }
  return pages
}

/** Prints labels, and reads their codes from the picture, as a scanner would. */
export async function scannedLabels(pdf: Buffer, code: keyof typeof FORMATS, dpi = 203): Promise<Printed[]> {
  const found: Printed[] = []
  for (const [page, { width, height, grey }] of printedPages(pdf, dpi).entries()) {
    const pixels = Uint32Array.from(grey, (shade) => 0xff000000 + shade * 0x010101)
    const image = { data: new Uint8ClampedArray(pixels.buffer), width, height, colorSpace: 'srgb' } as ImageData
    const read = await readBarcodes(image, { ...UPRIGHT, formats: [FORMATS[code]], maxNumberOfSymbols: 255 })
    for (const { isValid, text, position } of read) {
      if (!isValid) continue
      const corners = Object.values(position)
      const [xs, ys] = [corners.map(({ x }) => (x * MM) / dpi), corners.map(({ y }) => (y * MM) / dpi)]
      const edges = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
      found.push({ page, text, ...edges })
    }
  }
  return found
}

/** The pieces of text on labels. Their lower edge is the baseline, for letters without descenders. */
export async function textOnLabels(pdf: Buffer): Promise<(Printed & { font: string })[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf))
  const found: (Printed & { font: string })[] = []
  for (let page = 0; page < document.numPages; page++) {
    const drawn = await document.getPage(page + 1)
    const [, , , high] = drawn.view as [number, number, number, number]
    for (const item of (await drawn.getTextContent()).items) {
      if (!('str' in item) || item.str.trim() === '') continue
      const [, , , size, x, y] = item.transform as [number, number, number, number, number, number]
      const mm = (points: number) => (points * MM) / 72
      const edges = { left: mm(x), right: mm(x + item.width), top: mm(high - y - size * 0.7), bottom: mm(high - y) }
      found.push({ page, text: item.str, ...edges, font: item.fontName })
    }
  }
  return found
}
