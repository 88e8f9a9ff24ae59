/** So long a code must be out of the picture to count again: a frame or two without it are no more than a blur. */
export const MOMENT_MS = 1000

/** A frame's codes, the one nearest to the middle first. */
export type Frame = readonly string[]

/**
 * Tells which code a frame has brought; null if none. The code in the middle counts once, until it has left the
 * picture for a moment. Those beside it count when somebody aims at them.
 */
export function inPicture(): (frame: Frame, now: number) => string | null {
  const last = new Map<string, number>()
  return (frame, now) => {
    for (const [code, at] of last) if (now - at > MOMENT_MS) last.delete(code)
    for (const code of frame) if (last.has(code)) last.set(code, now)
    const [aimed] = frame
    if (aimed === undefined || last.has(aimed)) return null
    last.set(aimed, now)
    return aimed
  }
}
