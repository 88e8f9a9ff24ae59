import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { nearestFirst } from './in-picture.ts'

/** The worker's answer for a frame. */
export type FrameRead = { codes: string[] } | { trouble: string }

// By default the library would load its .wasm file from another company's server.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasm : prefix + path) },
})

/** Options for the kinds of codes on phones and their boxes. */
const HOW: ReaderOptions = {
  formats: ['Code128', 'DataMatrix', 'QRCode', 'EAN13', 'EAN8', 'UPCA'],
  maxNumberOfSymbols: 6,
  tryHarder: true,
}

async function read(frame: ImageData): Promise<FrameRead> {
  try {
    const found = (await readBarcodes(frame, HOW)).filter(({ isValid }) => isValid)
    return { codes: nearestFirst(found, frame).map(({ text }) => text) }
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) }
  }
}

addEventListener('message', async ({ data }: MessageEvent<ImageData>) => postMessage(await read(data)))
