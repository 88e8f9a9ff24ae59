const KEY = 'person'
/** Items that one screen hands to a new sale or batch. They belong to one person, who finds them after a new login. */
const LEFT = 'storageData'

/** The person who was last logged in in this browser, known before the server answers; null if nobody was. */
export const lastPerson = () => localStorage.getItem(KEY)

/** Remembers who is logged in, and forgets the items that somebody else gathered for a sale or a batch. */
export function rememberPerson(id: number): void {
  const last = lastPerson()
  if (last !== null && last !== String(id)) forgetLeft()
  localStorage.setItem(KEY, String(id))
}

/** Forgets the items for a new sale or batch. */
export const forgetLeft = () => localStorage.removeItem(LEFT)
