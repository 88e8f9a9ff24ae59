type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'getModifierState'>

/**
 * Whether a key starts a search: printable keys, Backspace and Delete, but not with Ctrl, Alt or Meta. AltGr is none of
 * these, although browsers report it as Ctrl and Alt. Touch keyboards and input methods do not name their keys; such
 * unnamed keys start a search, too.
 */
export function startsSearch(event: Key): boolean {
  const held = event.ctrlKey || event.altKey || event.metaKey
  if (held && !event.getModifierState('AltGraph')) return false
  return event.key.length === 1 || ['Backspace', 'Delete', 'Unidentified', 'Process', 'Dead'].includes(event.key)
}
