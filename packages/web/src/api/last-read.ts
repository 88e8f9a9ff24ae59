import { useState } from 'react'

/**
 * The last value that is not undefined. Pass the data of a query: the old value stays while the query loads again, and
 * if it fails. Returns undefined until there is a first value.
 */
export function useLastRead<Read>(read: Read | undefined): Read | undefined {
  const [last, setLast] = useState(read)
  if (read === undefined || read === last) return last
  setLast(read)
  return read
}
