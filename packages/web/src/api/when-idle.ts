const LATEST_MS = 500
/** For Safari, which does not tell when it is idle. */
const A_MOMENT_MS = 200

/** Runs this once the screen is painted and the browser has nothing else to do. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: LATEST_MS })
  else setTimeout(work, A_MOMENT_MS)
}
