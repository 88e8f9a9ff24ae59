let opened = false
const listeners = new Set<() => void>()

function set(next: boolean) {
  opened = next
  for (const listener of listeners) listener()
}

/** Opens the overview of all shortcuts, on any screen. */
export const openOverview = () => set(true)
export const closeOverview = () => set(false)

export const overviewStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  read: () => opened,
}
