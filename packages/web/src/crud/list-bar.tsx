import { PAGE_SIZES } from '@backstock/contract/page-size.ts'
import { Button, Group, MultiSelect, NativeSelect, Pagination, Switch, Text } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect } from 'react'
import { SearchBox } from '../ui/search-box.tsx'
import type { Column, Filter } from './area.ts'
import classes from './list-bar.module.css'
import type { ListState } from './list-state.ts'

const CONTROLS = { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' }

type BarProps = {
  state: ListState
  onChange: (patch: Partial<ListState>, options?: { replace?: boolean }) => void
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

function FilterInput({ filter, state, onChange }: BarProps & { filter: Filter }) {
  const { name, label, options, chip } = filter
  const [only, second] = options
  const chosen = state.chosen[name] ?? []
  const choose = (values: string[]) => onChange({ chosen: { ...state.chosen, [name]: values } })
  if (chip) return <FilterChips filter={filter} state={state} onChange={onChange} />
  if (only && !second)
    return (
      <Switch
        label={only.label}
        checked={chosen.length > 0}
        onChange={(event) => choose(event.currentTarget.checked ? [only.value] : [])}
      />
    )
  return (
    <MultiSelect
      className={classes['filter'] ?? ''}
      aria-label={label}
      placeholder={chosen.length ? '' : `${label}: all`}
      data={options}
      value={chosen}
      onChange={choose}
      nothingFoundMessage="No results found"
    />
  )
}

type FilterBarProps<Row> = BarProps & {
  title: string
  filters: readonly Filter[]
  columns: readonly Column<Row>[]
  phone: boolean
}

/** Search, filters with their chosen values as chips, and one 'Clear'; on a phone, which has no column heads, the order too. */
export function FilterBar<Row>({ title, filters, columns, phone, state, onChange }: FilterBarProps<Row>) {
  const filtered = filters.some(({ name, options, chip }) => (options.length > 1 || chip) && state.chosen[name]?.length)
  const orders = columns.flatMap(({ header, sort }) =>
    sort
      ? [
          { value: `${sort}_desc`, label: `${header} ↓` },
          { value: `${sort}_asc`, label: `${header} ↑` },
        ]
      : [],
  )
  return (
    <div className={classes['bar']}>
      <SearchBox
        className={classes['search'] ?? ''}
        label={`Search ${title}`}
        value={state.search}
        // In place, so that Back leaves the list.
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      {filters.map((filter) => (
        <FilterInput key={filter.name} filter={filter} state={state} onChange={onChange} />
      ))}
      {filtered && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => onChange({ chosen: Object.fromEntries(filters.map(({ name }) => [name, []])) })}
        >
          Clear
        </Button>
      )}
      {phone && orders.length > 0 && (
        <NativeSelect
          aria-label="Sort by"
          value={state.order}
          data={orders}
          onChange={(event) => onChange({ order: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

/** Rows per page (the present number too, where it is unusual) and the pages. */
export function PageBar({ state, onChange, lastPage }: BarProps & { lastPage: number }) {
  const sizes = [...new Set([...PAGE_SIZES, state.perPage])].sort((a, b) => a - b)
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
          getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
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
