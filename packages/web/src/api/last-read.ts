import { useState } from 'react'

/**
 * The last value that was read. It stays while it is read again, and when that fails. `read` is undefined until there
 * is one.
 */
export function useLastRead<Read>(read: Read | undefined): Read | undefined {
  const [last, setLast] = useState(read)
  if (read === undefined || read === last) return last
  setLast(read)
  return read
}
