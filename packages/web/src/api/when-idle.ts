const LATEST_MS = 500
/** The pause in Safari, which has no requestIdleCallback. */
const A_MOMENT_MS = 200

/** Runs `work` once the screen is painted and the browser has nothing else to do. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: LATEST_MS })
  else setTimeout(work, A_MOMENT_MS)
}
