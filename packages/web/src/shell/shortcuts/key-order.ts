/** The shortest pause in ms between two keys of a person. Scanners send a key every 1 to 50 ms. */
export const SCANNER_MS = 60

type Press = {
  key: string
  /** The time of the event in ms. It may be handled later. */
  at: number
}

/**
 * Recognises shortcuts and ignores scanners. A shortcut acts only if no other key comes within 60 ms, because a
 * scanner's first key looks like a person's. A sequence such as `g s` may be typed as slowly as one likes.
 */
export function keyOrder(shortcuts: readonly string[]) {
  let last = Number.NEGATIVE_INFINITY
  let begun = ''
  return {
    /**
     * Takes a key. Returns the shortcut that it completes, or null. The caller must wait 60 ms and drop the shortcut if
     * another key comes.
     */
    press({ key, at }: Press): string | null {
      const isFast = at - last < SCANNER_MS
      last = at
      const typed = begun && !isFast ? `${begun} ${key}` : key
      begun = ''
      if (isFast) return null
      if (shortcuts.includes(typed)) return typed
      if (shortcuts.some((one) => one.startsWith(`${key} `))) begun = key
      return null
    },
    /** Call it when something else, such as a field or a dialog, has taken a key. An unfinished sequence ends. */
    forget(at: number): void {
      last = at
      begun = ''
    },
  }
}
