import { VisuallyHidden } from '@mantine/core'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The text that was typed before quick search was ready. `isEntered` is true if Enter followed. */
export type EarlyKeys = { text: string; isEntered: boolean }

type Props = {
  /** Gets the function that returns the typed text, and empties the field. */
  take: RefObject<(() => EarlyKeys) | null>
  /** Tells whether a letter is being composed of several keys, such as ä of ¨ and a. */
  onComposing: (isComposing: boolean) => void
  onEscape: () => void
}

/**
 * An invisible field that has the focus while the code of quick search loads. As it is a field, no text is lost that
 * people paste, or compose of several keys.
 */
export function EarlyField({ take, onComposing, onEscape }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const isEntered = useRef(false)
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    take.current = () => {
      const typed = { text: input.current?.value ?? '', isEntered: isEntered.current }
      if (input.current) input.current.value = ''
      isEntered.current = false
      return typed
    }
    return () => {
      take.current = null
    }
  }, [take])
  return (
    <VisuallyHidden>
      <input
        ref={input}
        aria-label="Quick search"
        tabIndex={-1}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={255}
        onInput={() => {
          isEntered.current = false
        }}
        onCompositionStart={() => onComposing(true)}
        onCompositionEnd={() => onComposing(false)}
        onKeyDown={({ key, nativeEvent }) => {
          if (nativeEvent.isComposing) return
          if (key === 'Enter') isEntered.current = true
          if (key === 'Escape') onEscape()
        }}
      />
    </VisuallyHidden>
  )
}
