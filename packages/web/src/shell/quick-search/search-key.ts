type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'getModifierState'>

/**
 * Whether a key starts a search: printable ones, Backspace and Delete, not with Ctrl or Alt. AltGr types characters
 * and is reported as both; keyboards on glass and input methods name no key at all.
 */
export function startsSearch(event: Key): boolean {
  const held = event.ctrlKey || event.altKey || event.metaKey
  if (held && !event.getModifierState('AltGraph')) return false
  return event.key.length === 1 || ['Backspace', 'Delete', 'Unidentified', 'Process', 'Dead'].includes(event.key)
}
