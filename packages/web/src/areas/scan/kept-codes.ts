/**
 * Codes that wait for the server, oldest first. The first `size` of them were sent under `key`; the server may have got
 * them.
 */
export type Waiting = { codes: string[]; batch: { size: number; key: string } | null }

export type KeptCodes = { read: () => Waiting; keep: (waiting: Waiting) => void }

/**
 * Keeps codes in sessionStorage under this name until the window closes: they survive a reload, the end of a session
 * and another screen.
 */
export const keptCodes = (name: string): KeptCodes => ({
  read: () => readWaiting(name),
  keep({ codes, batch }) {
    keepText(name, codes.length === 0 ? null : JSON.stringify({ codes, batch }))
  },
})

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The stored value under this name; null if it is not JSON. */
export function readKept(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

export function keepText(name: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // Scanning works even if the browser keeps nothing.
  }
}

function readWaiting(name: string): Waiting {
  const { codes, batch } = (readKept(name) ?? {}) as { codes?: unknown; batch?: Partial<Waiting['batch'] & object> }
  if (!isTexts(codes)) return { codes: [], batch: null }
  const { size = 0, key } = batch ?? {}
  const isSent = typeof key === 'string' && Number.isInteger(size) && size > 0 && size <= codes.length
  return { codes, batch: isSent ? { size, key } : null }
}
