/** Scanners send a key every 1 to 50 ms; between two of a person's are 60 and more. */
export const SCANNER_MS = 60

type Press = {
  key: string
  /** When it was pressed, in ms, of the event and not of when it was handled. */
  at: number
}

/**
 * Makes shortcuts of keys. A key acts after 60 ms, and only if no other key came meanwhile: a scanner's first key
 * looks like a person's until its second has come. In `g s` the first key waits for the next, however long.
 */
export function keyOrder(shortcuts: readonly string[]) {
  let last = Number.NEGATIVE_INFINITY
  let begun = ''
  return {
    /** Takes a key; answers the shortcut that it completes, unless another key comes within 60 ms. */
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
    /** A field, a dialog or Ctrl has taken a key: a sequence under way ends. */
    forget(at: number): void {
      last = at
      begun = ''
    },
  }
}
