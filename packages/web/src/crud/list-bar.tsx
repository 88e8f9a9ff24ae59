import { attributeTitle } from '@backstock/contract/attribute-name.ts'
import { PAGE_SIZES } from '@backstock/contract/page-size.ts'
import { Button, Group, NativeSelect, Text } from '@mantine/core'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import { lazy, memo, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { SearchBox } from '../ui/fields/search-box.tsx'
import { MultiSelect } from '../ui/fields/select.tsx'
import type { Column } from '../ui/table/column.ts'
import { Pages } from '../ui/table/pages.tsx'
import type { Filter } from './area.ts'
import { FilterChip } from './filter-chip.tsx'
import classes from './list-bar.module.css'
import { choose, type ListState, put, type Sorting } from './list-state.ts'
import type { ListChange } from './use-list-state.ts'

const FilterSwitch = lazy(() => import('./filter-switch.tsx'))
const FilterDay = lazy(() => import('./filter-day.tsx'))
const ChosenFilters = lazy(() => import('./chosen-filters.tsx'))
const loadMore = () => import('./more-filters.tsx')
const MoreFilters = lazy(loadMore)

type BarProps = {
  state: ListState
  onChange: (patch: Partial<ListState>, options?: { replace?: boolean }) => void
}
type FilterProps = { filter: Filter; chosen: readonly string[]; onChange: ListChange }
const NONE: readonly string[] = []

/** A chip for each value by which a link narrowed the list, with a button that removes it. */
export function FilterChips({ filter: { name, label, chip }, chosen, onChange }: FilterProps) {
  const without = (value: string) => chosen.filter((v) => v !== value)
  return chosen.map((value) => (
    <FilterChip
      key={value}
      text={`${label}: ${chip?.(value)}`}
      onClear={() => onChange(choose(name, chosen, without(value)))}
    />
  ))
}

const FilterInput = memo(function FilterInput({ filter, chosen, onChange }: FilterProps) {
  const { name, label, options, chip, isDay } = filter
  const [only, second] = options
  const change = (values: string[]) => onChange(choose(name, chosen, values))
  if (chip) return <FilterChips filter={filter} chosen={chosen} onChange={onChange} />
  if (isDay)
    return (
      <Suspense fallback={<span className={classes['day']} />}>
        <FilterDay label={label} day={chosen[0] ?? null} onChange={(day) => onChange(put(name, day ? [day] : []))} />
      </Suspense>
    )
  if (only && !second)
    return (
      <Suspense fallback={<span className={classes['switch']} />}>
        <FilterSwitch label={only.label} on={chosen.length > 0} onChange={(on) => change(on ? [only.value] : [])} />
      </Suspense>
    )
  return (
    <MultiSelect
      className={classes['filter'] ?? ''}
      aria-label={label}
      placeholder={chosen.length ? '' : `${label}: all`}
      data={options}
      value={[...chosen]}
      onChange={change}
      nothingFoundMessage="No results found"
    />
  )
})

type MoreProps = {
  /** The button's words and the title of its dialog. */
  name: string
  /** How many filters are set: said on the button. */
  set?: number
  filters: readonly Filter[]
  chosen: ListState['chosen']
  onChange: ListChange
  /** The orders and the present one, for a list without column heads. */
  sorting?: Sorting | undefined
  onClear?: (() => void) | undefined
}

/** Opens the filters that the bar has no room for; they are fetched once somebody points at it. */
const MoreButton = memo(function MoreButton({ set = 0, ...props }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  const [wanted, setWanted] = useState(false)
  const close = useCallback(() => setOpened(false), [])
  return (
    <>
      <Button
        ref={button}
        variant="default"
        px="sm"
        className={classes['more'] ?? ''}
        leftSection={<IconFilter size={16} stroke={1.6} />}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onPointerEnter={() => void loadMore().catch(() => {})}
        onClick={() => {
          setWanted(true)
          setOpened((now) => !now)
        }}
      >
        {set > 0 ? `${props.name} (${set})` : props.name}
      </Button>
      {wanted && (
        <Suspense>
          <MoreFilters {...props} opened={opened} onClose={close} button={button} />
        </Suspense>
      )}
    </>
  )
})

type SortColumn = Pick<Column<never>, 'header' | 'sort'>

type FilterBarProps = {
  /** The state without its page, which changes nothing here. */
  search: string
  order: string
  chosen: ListState['chosen']
  onChange: ListChange
  title: string
  filters: readonly Filter[]
  columns: readonly SortColumn[]
  defaultOrder: string
  phone: boolean
  /** Shown at the end of the bar. Keep it, or its parts, outside of components. */
  end?: ReactNode
}

/**
 * Ascending and descending for each sortable column. `others` may be orders without a column, as a batch's priority.
 */
function orderChoices(columns: readonly SortColumn[], others: readonly string[]) {
  const headers = new Map(columns.flatMap(({ header, sort }) => (sort ? [[sort, header] as const] : [])))
  const shown = [...headers.keys()].flatMap((sort) => [`${sort}_desc`, `${sort}_asc`])
  return [...new Set([...shown, ...others])].map((order) => {
    const [, sort = '', direction] = /^(.*)_(asc|desc)$/.exec(order) ?? []
    return { value: order, label: `${headers.get(sort) ?? attributeTitle(sort)} ${direction === 'asc' ? '↑' : '↓'}` }
  })
}

/** Search, filters with their chosen values as chips, and one 'Clear'. */
export const FilterBar = memo(function FilterBar({ phone, ...props }: FilterBarProps) {
  return phone ? <PhoneBar {...props} /> : <WideBar {...props} />
})

type BarPartProps = Omit<FilterBarProps, 'phone'>

function Search({ title, search, onChange }: Pick<BarPartProps, 'title' | 'search' | 'onChange'>) {
  return (
    <SearchBox
      className={classes['search'] ?? ''}
      label={`Search ${title}`}
      value={search}
      // In place, so that Back leaves the list.
      onSearch={(search) => onChange({ search }, { replace: true })}
    />
  )
}

const cleared = (filters: readonly Filter[]) => ({
  chosen: Object.fromEntries(filters.map(({ name }) => [name, []])),
})

function WideBar(props: BarPartProps) {
  const { filters, chosen, onChange, end } = props
  const filtered = filters.some(
    ({ name, options, chip, isDay, isMore }) => (options.length > 1 || chip || isDay || isMore) && chosen[name]?.length,
  )
  const [inBar, more] = useMemo(
    () => [filters.filter(({ isMore }) => !isMore), filters.filter(({ isMore }) => isMore)],
    [filters],
  )
  return (
    <div className={classes['bar']}>
      <Search {...props} />
      {inBar.map((filter) => (
        <FilterInput key={filter.name} filter={filter} chosen={chosen[filter.name] ?? NONE} onChange={onChange} />
      ))}
      {more.length > 0 && <MoreButton name="More filters" filters={more} chosen={chosen} onChange={onChange} />}
      {filtered && (
        <Button variant="subtle" color="gray" onClick={() => onChange(cleared(filters))}>
          Clear
        </Button>
      )}
      {end && <div className={classes['end']}>{end}</div>}
      {more.some(({ name }) => chosen[name]?.length) && (
        <div className={classes['chips']}>
          <Suspense>
            <ChosenFilters filters={more} chosen={chosen} onChange={onChange} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** One line, so that rows begin near the top: one button opens all filters and, for want of column heads, the order. */
function PhoneBar(props: BarPartProps) {
  const { filters, columns, defaultOrder, order, chosen, onChange, end } = props
  const orders = orderChoices(columns, [defaultOrder, order])
  const ofLinks = filters.filter(({ chip }) => chip)
  const offered = useMemo(() => filters.filter(({ chip }) => !chip), [filters])
  const set = offered.filter(({ name }) => chosen[name]?.length).length
  const isOffered = offered.length > 0 || orders.length > 1
  return (
    <div className={classes['bar']}>
      <Search {...props} />
      {isOffered && (
        <MoreButton
          name={offered.length > 0 ? 'Filters' : 'Sort'}
          set={set}
          filters={offered}
          chosen={chosen}
          onChange={onChange}
          sorting={orders.length > 1 ? { order, orders } : undefined}
          onClear={set > 0 ? () => onChange(cleared(filters)) : undefined}
        />
      )}
      {end && <div className={classes['end']}>{end}</div>}
      {ofLinks.map((filter) => (
        <FilterChips key={filter.name} filter={filter} chosen={chosen[filter.name] ?? NONE} onChange={onChange} />
      ))}
    </div>
  )
}

type PageBarProps = BarProps & { lastPage: number; onNear?: (page: number) => void }

/** Rows per page (the present number too, if it is unusual) and the pages. */
export function PageBar({ state, onChange, lastPage, onNear }: PageBarProps) {
  const pages = Math.max(1, lastPage)
  return (
    <div className={classes['pages']}>
      <PerPage perPage={state.perPage} onChange={onChange} />
      <Pages
        page={Math.min(state.page, pages)}
        pages={pages}
        onPage={(page) => onChange({ page })}
        {...(onNear && { onNear })}
      />
    </div>
  )
}

const PerPage = memo(function PerPage({ perPage, onChange }: Pick<BarProps, 'onChange'> & { perPage: number }) {
  const sizes = [...new Set([...PAGE_SIZES, perPage])].sort((a, b) => a - b)
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Rows per page"
        value={String(perPage)}
        data={sizes.map(String)}
        onChange={(event) => onChange({ perPage: Number(event.currentTarget.value) })}
      />
      <Text size="sm" c="dimmed">
        per page
      </Text>
    </Group>
  )
})

/** Leads back to the last page if an address names one behind it. */
export function useLastPage({ state, onChange }: BarProps, lastPage: number | undefined) {
  useEffect(() => {
    if (lastPage !== undefined && state.page > Math.max(1, lastPage)) onChange({ page: lastPage }, { replace: true })
  }, [state.page, lastPage, onChange])
}
