/** The time that a person waits, measured inside the page. */
export type Seen = {
  /** From the event to the end of the frame that shows its result. */
  ms: number
  /** The number of tasks of more than 50 ms in that time. */
  longTasks: number
  /** The server's time for the slowest request that was needed; null if there was none. */
  serverMs: number | null
}

type Watched = Window & {
  /**
   * Measures from the last event of this kind before the result (for typed text, the last key), or from the navigation
   * if `event` is null. Stops when an element that matches `shown` has a new text.
   */
  watch(event: string | null, shown: string): void
  seen: Promise<Seen>
}

// The functions below run inside the page, so they cannot use anything outside of themselves.

/** Runs before all scripts of the page. `fromLoad` is the selector to wait for, measured from the navigation. */
export function installStopwatch(fromLoad: string | null): void {
  const watched = window as unknown as Watched
  performance.setResourceTimingBufferSize(10_000)
  const tasks: PerformanceEntry[] = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true })
  const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? null

  /** Resolves at the end of the frame that shows the present document. */
  const endOfFrame = () =>
    new Promise<number>((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(null)
      }),
    )
  const report = async (asked: number, start: number, shown: number): Promise<Seen> => {
    // The browser reports tasks, paints and requests a moment later.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const painted = start === 0 ? (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0) : 0
    const end = Math.max(shown, painted)
    const requests = performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.startsWith('/api/')) as PerformanceResourceTiming[]
    const needed = requests.filter(({ startTime, responseEnd }) => startTime >= asked && responseEnd <= end)
    return {
      ms: end - start,
      longTasks: tasks.filter((task) => task.startTime + task.duration > start && task.startTime < end).length,
      serverMs: needed.length
        ? Math.max(...needed.map(({ requestStart, responseStart }) => responseStart - requestStart))
        : null,
    }
  }
  const PATIENCE_MS = 30_000
  /**
   * These listeners are added before the page's own, because the page might draw before a later listener gets the
   * event.
   */
  const last = new Map<string, number>()
  for (const event of ['click', 'keydown', 'popstate'])
    addEventListener(event, ({ timeStamp }) => last.set(event, timeStamp), { capture: true })
  watched.watch = (event, shown) => {
    const asked = event ? performance.now() : 0
    let before = event ? textOf(shown) : null
    if (event) last.delete(event)
    watched.seen = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`Nothing new matches ${shown}`)), PATIENCE_MS)
      const observer = new MutationObserver(() => {
        const text = textOf(shown)
        if (text === null || text === before) return
        const started = event ? last.get(event) : 0
        // Something else has changed the text before the event.
        if (started === undefined) {
          before = text
          return
        }
        observer.disconnect()
        void endOfFrame().then((end) => resolve(report(asked, started, end)))
      })
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    })
  }
  if (fromLoad !== null) watched.watch(null, fromLoad)
}

export function startStopwatch({ event, shown }: { event: string; shown: string }): void {
  ;(window as unknown as Watched).watch(event, shown)
}

export const readStopwatch = () => (window as unknown as Watched).seen

/** Resolves when nothing has changed and nothing was loaded for this long. */
export function quiet(forMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const observer of observers) observer.disconnect()
      resolve()
    }
    let timer = setTimeout(done, forMs)
    const again = () => {
      clearTimeout(timer)
      timer = setTimeout(done, forMs)
    }
    const changes = new MutationObserver(again)
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    const requests = new PerformanceObserver(again)
    requests.observe({ type: 'resource' })
    const observers = [changes, requests]
  })
}
