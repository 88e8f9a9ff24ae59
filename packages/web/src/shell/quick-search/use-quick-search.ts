import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useMe } from '../../api/session.ts'
import { findHits, type Group, KINDS } from './kinds.ts'
import { pagesOf, shortcutsOf } from './pages.ts'
import { startsSearch } from './search-key.ts'

const DEBOUNCE_MS = 250
export const PAGES = 'Pages'
export const TAGS: readonly string[] = [...KINDS.map((kind) => kind.title), PAGES]

/** The state of quick search: the typed text, the chosen tags and the hits. If no tag is chosen, all count. */
export function useQuickSearch() {
  const me = useMe()
  const [text, setText] = useState('')
  const [tags, setTags] = useState<readonly string[]>([])
  const [inStockOnly, setInStockOnly] = useState(false)
  /** The text that was searched; null if no key has started a search yet. */
  const [asked, setAsked] = useState<string | null>(null)
  const askSoon = useDebouncedCallback(setAsked, DEBOUNCE_MS)
  const keyStarts = useRef(true)

  const chosen = (tag: string) => tags.length === 0 || tags.includes(tag)
  const kinds = KINDS.filter((kind) => chosen(kind.title))
  const found = useQuery({
    queryKey: ['quick-search', asked, kinds.map((kind) => kind.area), inStockOnly],
    queryFn: ({ signal }) => findHits(kinds, asked ?? '', inStockOnly, signal),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 30_000,
  })

  const typed = text.trim()
  const settled = asked === typed && found.isSuccess && !found.isPlaceholderData
  const named = pagesOf(me).filter((page) => asked && page.title.toLowerCase().includes(asked.toLowerCase()))
  const pages: Group[] = chosen(PAGES) && named.length > 0 ? [{ title: PAGES, hits: named }] : []
  const groups = typed === '' ? shortcutsOf(me) : [...(found.data ?? []), ...pages]

  return {
    text,
    tags,
    inStockOnly,
    setInStockOnly,
    groups,
    /** True if the groups are the result for exactly the typed text. */
    settled,
    searching: typed !== '' && found.isFetching,
    error: typed === '' ? null : found.error,
    retry: () => void found.refetch(),
    toggleTag: (tag: string) => setTags(tags.includes(tag) ? tags.filter((other) => other !== tag) : [...tags, tag]),
    onKey: (event: KeyboardEvent) => {
      keyStarts.current = startsSearch(event.nativeEvent)
    },
    onText: (event: ChangeEvent<HTMLInputElement>) => {
      const value = event.currentTarget.value
      setText(value)
      // Pasted or dropped text starts a search, although no key did.
      const inserted = (event.nativeEvent as InputEvent).inputType?.startsWith('insertFrom')
      if (keyStarts.current || inserted) askSoon(value.trim())
    },
    /** Puts words in front of the typed text, and searches. */
    start: (words: string) => {
      setText((text) => words + text)
      askSoon((words + text).trim())
    },
    /** Searches at once, without waiting for a pause in typing. */
    askNow: () => {
      askSoon.cancel()
      setAsked(typed)
    },
  }
}
