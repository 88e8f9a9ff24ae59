const there = Promise.withResolvers<void>()
const fetchers = new Set<() => void>()

/** Starts to load the code that draws dialogs, and waits for it. */
export function dialogsThere(): Promise<void> {
  for (const fetchNow of fetchers) fetchNow()
  return there.promise
}

/** Calls `fetchNow` when somebody needs a dialog. Returns a function that removes it. */
export function onDialogsNeeded(fetchNow: () => void): () => void {
  fetchers.add(fetchNow)
  return () => void fetchers.delete(fetchNow)
}

export const setDialogsThere = () => there.resolve()
