const keyOf = (userId: number) => `shortcutsOff:${userId}`

/**
 * Whether this person has switched off the shortcuts of single keys in this browser. WCAG 2.1.4 asks for this switch.
 */
export const areOff = (userId: number): boolean => localStorage.getItem(keyOf(userId)) === 'true'

export function switchShortcuts(userId: number, on: boolean): void {
  if (on) localStorage.removeItem(keyOf(userId))
  else localStorage.setItem(keyOf(userId), 'true')
}
