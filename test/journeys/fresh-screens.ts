/** Reads that may be older than a write of the same page, as `write query`, and the reason. */
const MAY_BE_OLDER: readonly string[] = []

/** The parts of an answer that change with time alone, and those that no screen shows. */
const LEFT_OUT = ['time_ago', 'recent_logs', 'basket_items']

/** A screen begins to read again at most this long after the answer to a write. */
const SOON_MS = 2_000

/**
 * A script for a page, which compares the open screen with the server after each write of the page, and reports each read
 * that the write has changed and that the screen does not repeat: people would see the state before their own action. It reports to the console,
 * as an error. `window.comparesScreens` resolves once nothing is being compared.
 */
export const FRESH_SCREENS = `{
  const send = window.fetch
  const later = window.setTimeout
  const pause = (ms) => new Promise((resolve) => later(resolve, ms))
  const free = ${JSON.stringify(MAY_BE_OLDER)}.map((pattern) => RegExp('^(?:' + pattern + ')$'))
  const text = (data) => JSON.stringify(data, (key, value) => ${JSON.stringify(LEFT_OUT)}.includes(key) ? null : value)
  let pending = 0
  let writes = 0
  let own = false
  let comparing = Promise.resolve()
  window.comparesScreens = () => comparing

  const client = () => {
    const root = document.getElementById('root')
    const name = Object.keys(root ?? {}).find((name) => name.startsWith('__reactContainer'))
    for (let fiber = name && root[name]; fiber; fiber = fiber.child)
      if (fiber.memoizedProps?.client) return fiber.memoizedProps.client
  }
  const readNow = async (query) => {
    const { data } = query.state
    const signal = new AbortController().signal
    own = true
    const reading = query.options.queryFn({ queryKey: query.queryKey, signal, client: client(), meta: {} })
    own = false
    return { query, data, now: await reading }
  }
  const isOld = ({ query, data, now }) => query.isActive() && query.state.data === data && text(data) !== text(now)
  const compare = async (call, at) => {
    const number = writes
    await pause(50)
    const queries = client()?.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle' }) ?? []
    const older = queries.filter(({ state, options }) =>
      state.status === 'success' && state.dataUpdatedAt <= at && !state.data?.pageParams && options.queryFn)
    const reads = await Promise.allSettled(older.map(readNow))
    let old = reads.flatMap(({ value }) => value && isOld(value) ? [value] : [])
    for (let waited = 0; old.length > 0 && waited < ${SOON_MS}; waited += 50) {
      await pause(50)
      old = old.filter(isOld)
    }
    if (number !== writes) return
    for (const { query, data, now } of old) {
      const what = call + ' ' + JSON.stringify(query.queryKey)
      if (free.some((pattern) => pattern.test(what))) continue
      const [was, is] = [text(data), text(now)]
      const at = [...was].findIndex((character, at) => character !== is[at])
      console.error('older than ' + what + ': ' + was.slice(at - 60, at + 60) + ' | ' + is.slice(at - 60, at + 60))
    }
  }
  window.fetch = async (url, init = {}) => {
    if (own) return send(url, init)
    // A call with a signal looks something up.
    const isWrite = (init.method ?? 'GET') !== 'GET' && !init.signal
    if (isWrite) writes++
    const answer = await send(url, init)
    // With a clock that a journey has faked, no pause would end.
    if (isWrite && answer.ok && /native code/.test(window.setTimeout)) {
      const at = Date.now()
      const call = init.method + ' ' + String(url).split('?')[0]
      comparing = Promise.all([comparing, answer.clone().arrayBuffer().then(() => compare(call, at))])
    }
    return answer
  }
}`
