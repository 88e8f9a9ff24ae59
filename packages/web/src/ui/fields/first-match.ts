import type { ComboboxStore } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { MIN_SEARCH } from './remote-rows.ts'

type Found = {
  /** The matches of what is typed now; undefined until they have arrived. */
  answer: { data: readonly unknown[] } | undefined
  isFiltered: boolean
}

/** While people filter, Enter takes the first match, even if they press it before the matches have arrived. */
export function useFirstMatch(combobox: ComboboxStore, typed: string, { answer, isFiltered }: Found) {
  const { selectFirstOption, resetSelectedOption, clickSelectedOption } = combobox
  const takeWhenFound = useRef(false)
  useEffect(() => {
    if (!answer) return
    if (isFiltered) selectFirstOption()
    else resetSelectedOption()
    // If there is no match, Enter does nothing, because the person could not see in time that it would create a record.
    if (takeWhenFound.current && answer.data.length > 0) clickSelectedOption()
    takeWhenFound.current = false
  }, [answer, isFiltered, selectFirstOption, resetSelectedOption, clickSelectedOption])
  return {
    /** Call it if the person types on, or closes the list. */
    forget: () => {
      takeWhenFound.current = false
    },
    onKeyDown: (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, nativeEvent } = event
      if (key !== 'Enter' || ctrlKey || metaKey || nativeEvent.isComposing) return
      if (!combobox.dropdownOpened || typed === '') return
      // Enter chooses an option here, and must not send the form.
      event.preventDefault()
      takeWhenFound.current = !answer && typed.trim().length >= MIN_SEARCH
    },
  }
}
