import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'

const DEBOUNCE_MS = 400

type Props = { label: string; value: string; onSearch: (text: string) => void } & Pick<TextInputProps, 'className'>

/** A search box that waits for a pause in typing. `value` is the current search; it may also change from outside. */
export function SearchBox({ label, value, onSearch, className = '' }: Props) {
  const [text, setText] = useState(value)
  const [searched, setSearched] = useState(value)
  const [asked, setAsked] = useState(value)
  const search = useDebouncedCallback((wanted: string) => {
    setAsked(wanted)
    onSearch(wanted)
  }, DEBOUNCE_MS)
  // The search that this box asked for comes back as `value` a moment later, and the person may have typed more since.
  // So the text changes only if `value` differs from the search that this box asked for last.
  if (searched !== value) {
    setSearched(value)
    setAsked(value)
    if (asked !== value) setText(value)
  }
  const type = (typed: string) => {
    setText(typed)
    search(typed.trim())
  }
  return (
    <TextInput
      className={className}
      type="search"
      aria-label={label}
      placeholder="Search"
      maxLength={255}
      leftSection={<IconSearch size={15} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={text ? <CloseButton size="sm" aria-label="Clear the search" onClick={() => type('')} /> : null}
    />
  )
}
