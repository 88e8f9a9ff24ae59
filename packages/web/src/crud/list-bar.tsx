import { attributeTitle } from '@backstock/contract/attribute-name.ts'
import { PAGE_SIZES } from '@backstock/contract/page-size.ts'
import { Button, Group, NativeSelect, Text } from '@mantine/core'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import { memo, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../api/lazy-part.ts'
import { SearchBox } from '../ui/fields/search-box.tsx'
import { MultiSelect } from '../ui/fields/select.tsx'
import type { Column } from '../ui/table/column.ts'
import { Pages } from '../ui/table/pages.tsx'
import type { Filter } from './area.ts'
import { FilterChip } from './filter-chip.tsx'
import classes from './list-bar.module.css'
import { choose, type ListState, put, type Sorting } from './list-state.ts'
import type { ListChange } from './use-list-state.ts'

const FilterSwitch = lazyPart(() => import('./filter-switch.tsx'))
const FilterDay = lazyPart(() => import('./filter-day.tsx'))
const ChosenFilters = lazyPart(() => import('./chosen-filters.tsx'))
const loadMore = () => import('./more-filters.tsx')
const MoreFilters = lazyPart(loadMore)

type BarProps = {
  state: ListState
  onChange: (patch: Partial<ListState>, options?: { replace?: boolean }) => void
}
type FilterProps = { filter: Filter; chosen: readonly string[]; onChange: ListChange }
const NONE: readonly string[] = []

/** The chips of a filter that links set, one for each value, with a button that removes the value. */
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
  /** The text of the button, and the title of the dialog that it opens. */
  name: string
  /** The number of chosen filters, which the button shows. */
  set?: number
  filters: readonly Filter[]
  chosen: ListState['chosen']
  onChange: ListChange
  /** The orders to choose from. Given on a phone, because the list has no column heads there. */
  sorting?: Sorting | undefined
  onClear?: (() => void) | undefined
}

/**
 * The button that opens the filters for which the bar has no room. Their code is loaded when the pointer reaches the
 * button.
 */
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
  /** The parts of the list's state that the bar shows. The page is not among them. */
  search: string
  order: string
  chosen: ListState['chosen']
  onChange: ListChange
  title: string
  filters: readonly Filter[]
  columns: readonly SortColumn[]
  defaultOrder: string
  phone: boolean
  /** Drawn at the end of the bar. Define it outside of components, so that the bar need not be drawn again. */
  end?: ReactNode
}

/**
 * The options for sorting: each sortable column ascending and descending. `others` are orders that may have no column,
 * such as the priority of batches.
 */
function orderChoices(columns: readonly SortColumn[], others: readonly string[]) {
  const headers = new Map(columns.flatMap(({ header, sort }) => (sort ? [[sort, header] as const] : [])))
  const shown = [...headers.keys()].flatMap((sort) => [`${sort}_desc`, `${sort}_asc`])
  return [...new Set([...shown, ...others])].map((order) => {
    const [, sort = '', direction] = /^(.*)_(asc|desc)$/.exec(order) ?? []
    return { value: order, label: `${headers.get(sort) ?? attributeTitle(sort)} ${direction === 'asc' ? '↑' : '↓'}` }
  })
}

/** The bar above a list: search, filters, a chip for each chosen value, and a button that clears all. */
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
      // Replaces the entry in the browser's history, so that Back leaves the list and does not undo the search step by
      // step.
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
  const [inBar, days, more] = useMemo(
    () => [
      filters.filter(({ isMore, isDay }) => !isMore && !isDay),
      filters.filter(({ isMore, isDay }) => !isMore && isDay),
      filters.filter(({ isMore }) => isMore),
    ],
    [filters],
  )
  const inputOf = (filter: Filter) => (
    <FilterInput key={filter.name} filter={filter} chosen={chosen[filter.name] ?? NONE} onChange={onChange} />
  )
  return (
    <div className={classes['bar']}>
      <Search {...props} />
      {inBar.map(inputOf)}
      {days.length > 0 && <div className={classes['days']}>{days.map(inputOf)}</div>}
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

/**
 * The bar on a phone. It is one line high, so that the rows begin near the top. One button opens all filters and the
 * order.
 */
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

/**
 * The page buttons, and a select for the rows per page. The present number of rows is an option even if it is an
 * unusual one.
 */
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

/** Goes to the last page if the address names a later one. */
export function useLastPage({ state, onChange }: BarProps, lastPage: number | undefined) {
  useEffect(() => {
    if (lastPage !== undefined && state.page > Math.max(1, lastPage)) onChange({ page: lastPage }, { replace: true })
  }, [state.page, lastPage, onChange])
}
