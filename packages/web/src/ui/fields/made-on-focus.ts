import { useCallback, useState } from 'react'

/**
 * For a field whose closed dropdown is in the page too, so that the key that opens it finds its options: the dropdown is
 * made when the field is first focused. Most never are, and each takes many reads of the layout.
 */
export function useMadeOnFocus() {
  const [made, setMade] = useState(false)
  return { made, make: useCallback(() => setMade(true), []) }
}
