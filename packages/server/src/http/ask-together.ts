/**
 * Makes a function that looks up keys together: all keys that are wanted in one turn of the event loop share one query.
 * A key that the query does not find gets undefined. The reasons are in
 * docs/decisions/2026-11-22-sessions-in-one-question.md.
 */
export function askTogether<Answer>(
  ask: (keys: string[]) => Promise<Map<string, Answer>>,
): (key: string) => Promise<Answer | undefined> {
  let wanted = new Map<string, PromiseWithResolvers<Answer | undefined>>()

  const askForAll = async () => {
    const asked = wanted
    wanted = new Map()
    try {
      const answers = await ask([...asked.keys()])
      for (const [key, one] of asked) one.resolve(answers.get(key))
    } catch (error) {
      for (const one of asked.values()) one.reject(error)
    }
  }

  return (key) => {
    if (wanted.size === 0) setImmediate(askForAll)
    const one = wanted.get(key) ?? Promise.withResolvers<Answer | undefined>()
    wanted.set(key, one)
    return one.promise
  }
}
