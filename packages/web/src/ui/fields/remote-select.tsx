import { CloseButton, Combobox, Loader, Popover, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Query } from '../../api/client.ts'
import { errorMessage } from '../../api/error.ts'
import { pages } from '../../api/reads.ts'
import { type Choice, choiceLabel } from './choice.ts'
import { FieldAnchor } from './field-anchor.tsx'
import { useMadeOnFocus } from './made-on-focus.ts'
import { TextField } from './text-field.tsx'

const MIN_SEARCH = 3
const PAGE_SIZE = 10
const DEBOUNCE_MS = 400
/** The value of the option that creates a record. */
const CREATE = 'create'

/** The areas whose records have only a name. There the typed text must be the whole name of a record to mean it. */
const NAMES: ReadonlySet<string> = new Set(['make', 'colour', 'category', 'grade'])

/**
 * Whether the typed text means this record. It must be the whole name, or, unless `isWhole` is true, the beginning of a
 * word in the name.
 */
const isCalled = (name: string, wanted: string, isWhole: boolean) =>
  isWhole ? name === wanted : ` ${name}`.includes(` ${wanted}`)

type Props<Row extends Choice> = {
  /** The area whose records are offered: 'supplier', 'product', ... */
  area: string
  value?: number | null
  /** Gets the chosen record too; both are null if the person cleared the choice. */
  onChange: (id: number | null, row: Row | null) => void
  label: string
  labelOf?: (row: Row) => string
  /** Offers only some of the records, for example { is_locked: false }. */
  query?: Query
  optionDisabled?: (row: Row) => boolean
  /**
   * Creates a record from the typed text and returns it, or null if that failed. Offered if no record has this name.
   */
  create?: ((typed: string) => Promise<Row | null>) | false | undefined
  placeholder?: string
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  clearable?: boolean
  disabled?: boolean
  onFocus?: () => void
  onBlur?: () => void
}

/**
 * Chooses a record of another area. It opens with the first page of records, filters from 3 typed characters, and loads
 * more on scrolling.
 */
export function RemoteSelect<Row extends Choice = Choice>({
  area,
  value = null,
  onChange,
  labelOf = choiceLabel,
  query = {},
  optionDisabled,
  create,
  required = false,
  clearable = !required,
  disabled = false,
  ...field
}: Props<Row>) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Row | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const viewport = useRef<HTMLDivElement>(null)
  const chooseWhenFound = useRef(false)
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      chooseWhenFound.current = false
      setTyped('')
    },
  })
  const { made, make } = useMadeOnFocus()
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS)
  const search = settled.trim().length >= MIN_SEARCH && typed ? settled.trim() : undefined
  const known = chosen !== null && chosen.id === value
  const rows = useInfiniteQuery({
    ...pages<Row>(area, {
      ...query,
      per_page: PAGE_SIZE,
      ...(search ? { search, select: true } : { ajax_id: value ?? undefined }),
    }),
    enabled: combobox.dropdownOpened || (value !== null && !known),
    placeholderData: (before) => before,
  })
  const seen = new Set<number>()
  const options = (rows.data?.pages ?? [])
    .flatMap((page) => page.data)
    .filter((row) => !seen.has(row.id) && seen.add(row.id))
  const current = known ? chosen : (options.find((row) => row.id === value) ?? null)
  const shown = value === null ? '' : current ? labelOf(current) : rows.isPending ? '…' : `#${value}`

  // While people filter, Enter takes the first match, even if they press it before the matches have arrived.
  const { selectFirstOption, resetSelectedOption, clickSelectedOption } = combobox
  const answer = settled === typed && !rows.isPlaceholderData ? rows.data?.pages[0] : undefined
  const filtered = search !== undefined
  useEffect(() => {
    if (!answer) return
    if (filtered) selectFirstOption()
    else resetSelectedOption()
    // If there is no match, Enter does nothing, because the person could not see in time that it would create a record.
    if (chooseWhenFound.current && answer.data.length > 0) clickSelectedOption()
    chooseWhenFound.current = false
  }, [answer, filtered, selectFirstOption, resetSelectedOption, clickSelectedOption])

  const loadMore = () => {
    const list = viewport.current
    const nearEnd = list && list.scrollTop + list.clientHeight >= list.scrollHeight - 40
    if (nearEnd && rows.hasNextPage && !rows.isFetching) void rows.fetchNextPage()
  }
  const choose = (row: Row | null) => {
    setChosen(row)
    onChange(row?.id ?? null, row)
    combobox.closeDropdown()
  }

  const wanted = typed.trim()
  const isNamed = (row: Row) => isCalled(labelOf(row).toLowerCase(), wanted.toLowerCase(), NAMES.has(area))
  const mayCreate = create && wanted !== '' && (wanted.length < MIN_SEARCH || answer) && !options.some(isNamed)
  const createIt = async () => {
    combobox.closeDropdown()
    const row = await (create || undefined)?.(wanted)
    if (row) choose(row)
    input.current?.focus()
  }

  return (
    <Combobox
      store={combobox}
      disabled={disabled}
      onOptionSubmit={(id) =>
        id === CREATE ? void createIt() : choose(options.find((row) => String(row.id) === id) ?? null)
      }
    >
      <Combobox.EventsTarget withExpandedAttribute>
        <TextField
          {...field}
          ref={input}
          withAsterisk={required}
          disabled={disabled}
          pointer
          autoComplete="off"
          placeholder={shown || field.placeholder || 'Choose…'}
          value={combobox.dropdownOpened ? typed : shown}
          rightSection={
            rows.isFetching && combobox.dropdownOpened ? (
              <Loader size={14} />
            ) : clearable && value !== null && !disabled ? (
              <CloseButton size={24} aria-label={`Clear ${field.label}`} onClick={() => choose(null)} />
            ) : (
              <Combobox.Chevron />
            )
          }
          rightSectionPointerEvents={clearable && value !== null ? 'auto' : 'none'}
          onClick={() => combobox.openDropdown()}
          onFocus={() => {
            make()
            field.onFocus?.()
          }}
          onBlur={() => {
            combobox.closeDropdown()
            field.onBlur?.()
          }}
          onChange={(event) => {
            chooseWhenFound.current = false
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onKeyDown={(event) => {
            const { key, ctrlKey, metaKey, nativeEvent } = event
            if (key !== 'Enter' || ctrlKey || metaKey || nativeEvent.isComposing) return
            if (!combobox.dropdownOpened || typed === '') return
            // Enter chooses an option here, and must not send the form.
            event.preventDefault()
            chooseWhenFound.current = !answer && typed.trim().length >= MIN_SEARCH
          }}
        />
      </Combobox.EventsTarget>
      {(made || combobox.dropdownOpened) && (
        <>
          <Popover.Target>
            <FieldAnchor of={input} />
          </Popover.Target>
          <Combobox.Dropdown>
            {/* The list itself scrolls. A scroll area inside of it would have to be a tab stop. */}
            <Combobox.Options
              ref={viewport}
              mah={260}
              style={{ overflowY: 'auto', overscrollBehavior: 'contain' }}
              onScroll={loadMore}
            >
              {options.map((row) => (
                <Combobox.Option
                  key={row.id}
                  value={String(row.id)}
                  active={row.id === value}
                  disabled={optionDisabled?.(row) ?? false}
                >
                  {labelOf(row)}
                </Combobox.Option>
              ))}
              {mayCreate && <Combobox.Option value={CREATE}>{`Create "${wanted}"`}</Combobox.Option>}
              {rows.isError && <Combobox.Empty>{errorMessage(rows.error)}</Combobox.Empty>}
              {rows.isSuccess && options.length === 0 && !mayCreate && (
                <Combobox.Empty>No results found</Combobox.Empty>
              )}
              {rows.isFetchingNextPage && <Combobox.Empty>Loading more…</Combobox.Empty>}
            </Combobox.Options>
            {typed.length > 0 && typed.trim().length < MIN_SEARCH && (
              <Combobox.Footer>
                <Text size="xs" c="dimmed">
                  Type at least {MIN_SEARCH} characters to filter.
                </Text>
              </Combobox.Footer>
            )}
          </Combobox.Dropdown>
        </>
      )}
    </Combobox>
  )
}
