import { useCallback, useState } from 'react'

/**
 * Makes a field's dropdown when the field gets its first focus. Use it for a dropdown that must be in the page while it
 * is closed, so that the key that opens it finds its options. Most dropdowns are never needed, and each one reads the
 * layout many times.
 */
export function useMadeOnFocus() {
  const [made, setMade] = useState(false)
  return { made, make: useCallback(() => setMade(true), []) }
}
