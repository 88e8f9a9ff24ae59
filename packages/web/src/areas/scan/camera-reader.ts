import type { FrameRead } from './camera-worker.ts'
import { inPicture } from './in-picture.ts'

/** The pause between two frames. It saves battery and keeps the screen quick. */
const PAUSE_MS = 50
/** The largest width of a frame in px. Wider ones take longer and show no more codes. */
const WIDEST = 1280

/** Reads codes from a playing video, in a worker. Returns a function that stops it. */
export function readCamera(
  video: HTMLVideoElement,
  onCode: (code: string) => void,
  onTrouble: (message: string) => void,
): () => void {
  const worker = new Worker(new URL('./camera-worker.ts', import.meta.url), { type: 'module' })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser does not draw on a canvas.')
  const seen = inPicture()
  let timer: ReturnType<typeof setTimeout>

  const send = () => {
    const { videoWidth, videoHeight } = video
    // While the page is hidden, the video has no new frames.
    if (videoWidth === 0 || document.hidden) {
      timer = setTimeout(send, PAUSE_MS)
      return
    }
    const scale = Math.min(1, WIDEST / videoWidth)
    const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)]
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    context.drawImage(video, 0, 0, width, height)
    const frame = context.getImageData(0, 0, width, height)
    worker.postMessage(frame, [frame.data.buffer])
  }
  worker.onmessage = ({ data }: MessageEvent<FrameRead>) => {
    if ('trouble' in data) {
      onTrouble(data.trouble)
      return
    }
    const code = seen(data.codes, performance.now())
    if (code !== null) onCode(code)
    timer = setTimeout(send, PAUSE_MS)
  }
  worker.onerror = ({ message }) => onTrouble(message || 'it could not be loaded')
  send()
  return () => {
    clearTimeout(timer)
    worker.terminate()
  }
}
