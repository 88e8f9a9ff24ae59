const there = Promise.withResolvers<void>()
const fetchers = new Set<() => void>()

/** Waits for the code that draws dialogs, which is fetched when it is first needed. */
export function dialogsThere(): Promise<void> {
  for (const fetchNow of fetchers) fetchNow()
  return there.promise
}

/** Tells when dialogs are needed; answers how to stop. */
export function onDialogsNeeded(fetchNow: () => void): () => void {
  fetchers.add(fetchNow)
  return () => void fetchers.delete(fetchNow)
}

export const setDialogsThere = () => there.resolve()
