const KEY = 'person'
/** What the screens before left for a sale or a batch: of one person, who finds it again after a session that ended. */
const LEFT = 'storageData'

/** Who was logged in last in this browser, known before the server has answered; null where nobody was. */
export const lastPerson = () => localStorage.getItem(KEY)

/** Remembers who is logged in. What somebody else has left for a sale or a batch is forgotten. */
export function rememberPerson(id: number): void {
  const last = lastPerson()
  if (last !== null && last !== String(id)) forgetLeft()
  localStorage.setItem(KEY, String(id))
}

/** Forgets what was left for a sale or a batch. */
export const forgetLeft = () => localStorage.removeItem(LEFT)
