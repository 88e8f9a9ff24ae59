/** The parts of an answer that change with time alone, and those that no screen takes from there. */
const LEFT_OUT = ['time_ago', 'recent_logs', 'basket_items']

/** The header of a read that only compares. The subject of such a read may be gone. */
export const COMPARES = 'x-compares'

/** How soon after the answer to a write a screen must read again, or be left. */
const SOON_MS = 2_000

/**
 * A script for a page, which reads all that is on screen once more after each write, and reports each read that the
 * screen should have repeated: people would see the state from before their own action. It reports to the console, as an
 * error. `comparesScreens` resolves once nothing is being compared.
 */
export const FRESH_SCREENS = `{
  const send = window.fetch
  const later = window.setTimeout
  const pause = (ms) => new Promise((resolve) => later(resolve, ms))
  const text = (data) => JSON.stringify(data, (key, value) => ${JSON.stringify(LEFT_OUT)}.includes(key) ? null : value)
  let writes = 0
  let isReading = false
  let comparing = Promise.resolve()
  window.comparesScreens = () => comparing

  // React keeps the properties of its components at the root of the page.
  const client = () => {
    const root = document.getElementById('root')
    const name = Object.keys(root ?? {}).find((name) => name.startsWith('__reactContainer'))
    for (let part = name && root[name]; part; part = part.child)
      if (part.memoizedProps?.client) return part.memoizedProps.client
  }
  const read = async (query) => {
    const { data } = query.state
    const { signal } = new AbortController()
    isReading = true
    const answer = query.options.queryFn({ queryKey: query.queryKey, signal, client: client(), meta: {} })
    isReading = false
    return { query, data, now: await answer }
  }
  const isOld = ({ query, data, now }) => query.isActive() && query.state.data === data && text(data) !== text(now)
  const compare = async (write, number, at) => {
    await pause(50)
    const queries = client()?.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle' }) ?? []
    // A read that repeats itself after a while is no business of the write.
    const before = queries.filter(({ state, options, observers }) =>
      state.status === 'success' && state.dataUpdatedAt <= at && !state.data?.pageParams && options.queryFn &&
      observers.every(({ options }) => !options.refetchInterval))
    const reads = await Promise.allSettled(before.map(read))
    let old = reads.flatMap(({ value }) => value && isOld(value) ? [value] : [])
    for (let waited = 0; old.length > 0 && waited < ${SOON_MS}; waited += 50) {
      await pause(50)
      old = old.filter(isOld)
    }
    if (number !== writes) return
    for (const { query, data, now } of old) {
      const [was, is] = [text(data), text(now)]
      const at = [...was].findIndex((character, at) => character !== is[at])
      const parts = [was, is].map((all) => all.slice(Math.max(0, at - 60), at + 60))
      console.error('not read again after ' + write + ': ' + JSON.stringify(query.queryKey) + ' ' + parts.join(' | '))
    }
  }
  window.fetch = async (url, init = {}) => {
    // A call with a signal looks something up.
    const isWrite = (init.method ?? 'GET') !== 'GET' && !init.signal
    if (isReading) return send(url, { ...init, headers: { ...init.headers, '${COMPARES}': '1' } })
    if (!isWrite) return send(url, init)
    const number = ++writes
    const answer = await send(url, init)
    // With a clock that a journey has faked, no pause would end.
    if (answer.ok && /native code/.test(window.setTimeout)) {
      const at = Date.now()
      const write = init.method + ' ' + String(url).split('?')[0]
      const read = answer.clone().arrayBuffer().then(() => compare(write, number, at))
      comparing = Promise.all([comparing, read.catch(() => undefined)])
    }
    return answer
  }
}`
