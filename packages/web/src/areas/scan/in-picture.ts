/**
 * A code counts again if it was out of the picture for this long. If only one or two frames lack it, they are probably
 * blurred.
 */
export const MOMENT_MS = 1000

type Point = { x: number; y: number }
type Placed = { position: { topLeft: Point; bottomRight: Point } }
type Size = { width: number; height: number }

/** The squared distance of a code from the middle of the picture. */
function distance({ position: { topLeft, bottomRight } }: Placed, { width, height }: Size): number {
  const [x, y] = [(topLeft.x + bottomRight.x - width) / 2, (topLeft.y + bottomRight.y - height) / 2]
  return x * x + y * y
}

/** The codes of a picture; the one nearest to its middle comes first. */
export const nearestFirst = <Code extends Placed>(codes: readonly Code[], picture: Size): Code[] =>
  codes.toSorted((a, b) => distance(a, picture) - distance(b, picture))

/** The codes of a frame; the one nearest to the middle comes first. */
export type Frame = readonly string[]

/**
 * Returns a function that says which code of a frame counts as scanned, or null. The code nearest to the middle counts
 * once until it has left the picture for MOMENT_MS. Other codes count only when they come nearest to the middle.
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
