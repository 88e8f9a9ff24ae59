const KEY = 'person'
/**
 * The localStorage key of the items that one screen hands to a new sale or batch. These items belong to one person, who
 * finds them again after the next login.
 */
const LEFT = 'storageData'

/** The id of the person who was last logged in in this browser, known before the server answers; null if nobody was. */
export const lastPerson = () => localStorage.getItem(KEY)

/**
 * Remembers who is logged in. If it is somebody else than before, the items gathered for a sale or a batch are
 * forgotten.
 */
export function rememberPerson(id: number): void {
  const last = lastPerson()
  if (last !== null && last !== String(id)) forgetLeft()
  localStorage.setItem(KEY, String(id))
}

/** Forgets the items that were handed to a new sale or batch. */
export const forgetLeft = () => localStorage.removeItem(LEFT)

/** Calls the listener when another tab of this browser has logged somebody else in. */
export function onOtherPerson(listener: (id: number) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY && newValue !== null) listener(Number(newValue))
  })
}
