/** The text that was typed before quick search was ready. `isEntered` is true if Enter followed. */
export type EarlyKeys = { text: string; isEntered: boolean }
/** `end` returns the kept keys and stops keeping them. A second call returns no keys. */
export type Early = { end: () => EarlyKeys }

const NOTHING: EarlyKeys = { text: '', isEntered: false }

/** Keeps all keys that are typed from now on. Escape discards them. */
export function keepEarlyKeys(onEscape: () => void): Early {
  let kept = NOTHING
  const keep = (event: KeyboardEvent) => {
    const { key, ctrlKey, altKey, metaKey, isComposing } = event
    const isHeld = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph')
    if (isHeld || isComposing) return
    if (key.length === 1) kept = { text: kept.text + key, isEntered: false }
    else if (key === 'Backspace') kept = { ...kept, text: kept.text.slice(0, -1) }
    else if (key === 'Enter') kept = { ...kept, isEntered: true }
    else if (key === 'Escape') onEscape()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('keydown', keep, { capture: true })
  return {
    end() {
      document.removeEventListener('keydown', keep, { capture: true })
      const typed = kept
      kept = NOTHING
      return typed
    },
  }
}
