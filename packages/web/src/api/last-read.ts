import { useState } from 'react'

/** What was read last: it stays while it is read again, and where that fails. `read` is undefined where there is nothing. */
export function useLastRead<Read>(read: Read | undefined): Read | undefined {
  const [last, setLast] = useState(read)
  if (read === undefined || read === last) return last
  setLast(read)
  return read
}
