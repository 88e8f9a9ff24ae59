import {
  Button,
  CloseButton,
  Group,
  MultiSelect,
  NativeSelect,
  Pagination,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useState } from 'react'
import type { Column, Filter } from './area.ts'
import classes from './list-bar.module.css'
import { type ListState, PAGE_SIZES } from './list-state.ts'

const SEARCH_DEBOUNCE_MS = 400

type BarProps = {
  state: ListState
  onChange: (patch: Partial<ListState>, options?: { replace?: boolean }) => void
}

/** The search box waits for a pause in typing; the address changes in place, so that Back leaves the list. */
function SearchBox({ state, onChange, title }: BarProps & { title: string }) {
  const [text, setText] = useState(state.search)
  const search = useDebouncedCallback(
    (typed: string) => onChange({ search: typed }, { replace: true }),
    SEARCH_DEBOUNCE_MS,
  )
  const [shown, setShown] = useState(state.search)
  if (shown !== state.search) {
    setShown(state.search)
    if (text.trim() !== state.search) setText(state.search)
  }
  const type = (typed: string) => {
    setText(typed)
    search(typed.trim())
  }
  return (
    <TextInput
      className={classes['search'] ?? ''}
      type="search"
      aria-label={`Search ${title}`}
      placeholder="Search"
      maxLength={255}
      leftSection={<IconSearch size={15} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={text ? <CloseButton size="sm" aria-label="Clear the search" onClick={() => type('')} /> : null}
    />
  )
}

/** What a link has narrowed a list down to, each with a button that undoes it. */
export function FilterChips({ filter: { name, label, chip }, state, onChange }: BarProps & { filter: Filter }) {
  const chosen = state.chosen[name] ?? []
  const without = (value: string) =>
    onChange({ chosen: { ...state.chosen, [name]: chosen.filter((v) => v !== value) } })
  return chosen.map((value) => (
    <Button
      key={value}
      variant="default"
      radius="xl"
      size="xs"
      aria-label={`Clear ${label}: ${chip?.(value)}`}
      rightSection={<IconX size={13} />}
      onClick={() => without(value)}
    >
      {label}: {chip?.(value)}
    </Button>
  ))
}

/** Search, filters with their chosen values as chips, and one 'Clear'. */
export function FilterBar<Row>({
  filters,
  columns,
  phone,
  ...bar
}: BarProps & { title: string; filters: readonly Filter[]; columns: readonly Column<Row>[]; phone: boolean }) {
  const { state, onChange } = bar
  const choose = (name: string, values: string[]) => onChange({ chosen: { ...state.chosen, [name]: values } })
  const filtered = filters.some(({ name, options, chip }) => (options.length > 1 || chip) && state.chosen[name]?.length)
  return (
    <div className={classes['bar']}>
      <SearchBox {...bar} />
      {filters.map((filter) => {
        const [only, second] = filter.options
        const chosen = state.chosen[filter.name] ?? []
        if (filter.chip) return <FilterChips key={filter.name} filter={filter} state={state} onChange={onChange} />
        return only && !second ? (
          <Switch
            key={filter.name}
            label={only.label}
            checked={chosen.length > 0}
            onChange={(event) => choose(filter.name, event.currentTarget.checked ? [only.value] : [])}
          />
        ) : (
          <MultiSelect
            key={filter.name}
            className={classes['filter'] ?? ''}
            aria-label={filter.label}
            placeholder={chosen.length ? '' : `${filter.label}: all`}
            data={filter.options}
            value={chosen}
            onChange={(values) => choose(filter.name, values)}
            nothingFoundMessage="No results found"
          />
        )
      })}
      {filtered && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => onChange({ chosen: Object.fromEntries(filters.map(({ name }) => [name, []])) })}
        >
          Clear
        </Button>
      )}
      {phone && columns.some((column) => column.sort) && (
        <NativeSelect
          aria-label="Sort by"
          value={state.order}
          onChange={(event) => onChange({ order: event.currentTarget.value })}
          data={columns.flatMap(({ header, sort }) =>
            sort
              ? [
                  { value: `${sort}_desc`, label: `${header} ↓` },
                  { value: `${sort}_asc`, label: `${header} ↑` },
                ]
              : [],
          )}
        />
      )}
    </div>
  )
}

/** Rows per page (the present number too, where it is unusual) and the pages. */
export function PageBar({ state, onChange, lastPage }: BarProps & { lastPage: number }) {
  const sizes = PAGE_SIZES.includes(state.perPage) ? PAGE_SIZES : [...PAGE_SIZES, state.perPage].sort((a, b) => a - b)
  return (
    <div className={classes['pages']}>
      <Group gap="xs">
        <NativeSelect
          size="xs"
          aria-label="Rows per page"
          value={String(state.perPage)}
          data={sizes.map(String)}
          onChange={(event) => onChange({ perPage: Number(event.currentTarget.value) })}
        />
        <Text size="sm" c="dimmed">
          per page
        </Text>
      </Group>
      {lastPage > 1 && (
        <Pagination
          className={classes['numbers'] ?? ''}
          size="sm"
          total={lastPage}
          value={Math.min(state.page, lastPage)}
          onChange={(page) => onChange({ page })}
          getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
          getControlProps={(control) => ({
            'aria-label': { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' }[
              control
            ],
          })}
        />
      )}
    </div>
  )
}

/** Leads back to the last page where an address names one behind it. */
export function useLastPage({ state, onChange }: BarProps, lastPage: number | undefined) {
  useEffect(() => {
    if (lastPage !== undefined && state.page > Math.max(1, lastPage)) onChange({ page: lastPage }, { replace: true })
  }, [state.page, lastPage, onChange])
}
