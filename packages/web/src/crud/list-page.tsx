import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, memo, type ReactNode, Suspense, use, useCallback, useContext, useMemo } from 'react'
import { lazyPart } from '../api/lazy-part.ts'
import { type Me, useMe } from '../api/session.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { PHONE } from '../ui/layout/phone.ts'
import type { Column, ListRow } from '../ui/table/column.ts'
import { DataTable, type TableProps } from '../ui/table/data-table.tsx'
import { PlainLink } from '../ui/values/link.tsx'
import type { Filter, ListArea } from './area.ts'
import { areUsual } from './column-choice.ts'
import { ColumnsButton } from './columns-button.tsx'
import { deleteColumn } from './delete-column.tsx'
import { FilterBar, PageBar, useLastPage } from './list-bar.tsx'
import { listRows, prefetchRows } from './list-read.ts'
import { DEFAULT_ORDER, entriesShown, type ListState } from './list-state.ts'
import { ListViewsContext } from './list-views.ts'
import { useListState } from './use-list-state.ts'

/** Loaded only if needed: most lists have rows. */
const EmptyList = lazyPart(() => import('./empty-list.tsx'))
const MoreHits = lazyPart(() => import('./more-hits.tsx'))

type Props<Row extends ListRow> = {
  area: ListArea<Row>
  /**
   * Buttons beside 'Add new'. Define the array outside of components: if it is a new object, the buttons are drawn
   * again.
   */
  actions?: ReactNode
  /** Drawn above the rows. */
  notice?: ReactNode
  /** The totals of the rows. Drawn above them, and on a phone below them: there a list begins with its search. */
  sums?: ReactNode
  /** A table that reads more than its rows, such as ticks. If that changes, only the table is drawn again. */
  table?: ComponentType<TableProps<Row>>
}

const NO_FILTERS: readonly Filter[] = []
const POLL_MS = 1500

/** The list page of an area, with search, filters, sorting and pages. All of its state is in the address. */
export function ListPage<Row extends ListRow>(props: Props<Row>) {
  // The list suspends while the code of further columns loads. That happens if Back leads to an address that names such
  // columns.
  return (
    <Suspense>
      <List {...props} />
    </Suspense>
  )
}

function List<Row extends ListRow>({ area, actions, notice, sums, table: Table = DataTable }: Props<Row>) {
  // The user changes with every check of the session. Only the id and the role count here, so that the rows need not be
  // drawn again.
  const { id, role } = useMe()
  const me = useMemo(() => ({ id, role }), [id, role])
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const { filters = NO_FILTERS, defaultOrder = DEFAULT_ORDER } = area
  const readAhead = useCallback((state: ListState) => prefetchRows(area, state), [area])
  const [state, change] = useListState(area, readAhead)
  const sortBy = useCallback((order: string) => change({ order }), [change])
  const { isUnderWay } = area
  const page = useQuery({
    ...listRows<Row>(area, state),
    refetchInterval: ({ state: { data } }) => (isUnderWay && data?.data.some(isUnderWay) ? POLL_MS : false),
  })
  const shown = useColumns(area, state.columns)
  const columns = useMemo(() => withDelete(area, shown, me), [area, shown, me])
  const { choice } = area
  const views = useContext(ListViewsContext)
  const end = useMemo(
    () => (
      <>
        {views && <views.Save list={area} />}
        {choice && state.columns && <ColumnsButton choice={choice} columns={state.columns} onChange={change} />}
      </>
    ),
    [views, area, choice, state.columns, change],
  )
  useLastPage({ state, onChange: change }, page.isPlaceholderData ? undefined : page.data?.last_page)
  const mayCreate = area.mayCreate?.(me) ?? true
  const data = page.data
  const hider = filters.find(({ name, hidden }) => hidden && state.chosen[name]?.length)

  return (
    <>
      <PageHeader
        title={area.title}
        note={
          <>
            {data ? entriesShown(data) : ' '}
            {data && data.total > 0 && state.search && hider?.hidden && (
              <Suspense>
                <MoreHits area={area.area} filter={hider} counts={hider.hidden} state={state} onChange={change} />
              </Suspense>
            )}
          </>
        }
        actions={
          (mayCreate || actions) && (
            <>
              {actions}
              {mayCreate && <AddNew area={area.area} />}
            </>
          )
        }
      />
      {notice}
      {!phone && sums}
      <Panel p={0}>
        {views && <views.Tabs list={area} />}
        <FilterBar
          title={area.title}
          filters={filters}
          columns={shown}
          defaultOrder={defaultOrder}
          search={state.search}
          order={state.order}
          chosen={state.chosen}
          onChange={change}
          phone={phone ?? false}
          end={end}
        />
        {page.isError && !data ? (
          <ErrorState error={page.error} retry={() => void page.refetch()} />
        ) : (
          <Table
            label={area.title}
            columns={columns}
            rows={data?.data}
            dimmed={page.isPlaceholderData}
            order={state.order}
            onOrder={sortBy}
            empty={
              data?.total === 0 && (
                <Suspense>
                  <EmptyList area={area} filters={filters} state={state} mayCreate={mayCreate} onChange={change} />
                </Suspense>
              )
            }
          />
        )}
        {data && (
          <PageBar
            state={state}
            onChange={change}
            lastPage={data.last_page}
            onNear={(page) => readAhead({ ...state, page })}
          />
        )}
      </Panel>
      {/* Below rows that have not come yet, the totals would move when these come. */}
      {phone && data && sums}
    </>
  )
}

const AddNew = memo(function AddNew({ area }: { area: string }) {
  return (
    <Button component={PlainLink} to={`/admin/${area}/create`} leftSection={<IconPlus size={16} />}>
      Add new
    </Button>
  )
})

/** The columns that the address names. Suspends until their code is loaded. */
function useColumns<Row extends ListRow>({ columns, choice }: ListArea<Row>, names: readonly string[] | undefined) {
  const chosen = choice && names && !areUsual(names, choice) ? { choice, names } : null
  if (chosen && !chosen.choice.isLoaded()) use(chosen.choice.load())
  return useMemo(
    () => (choice && names && !areUsual(names, choice) ? choice.columns(names) : columns),
    [columns, choice, names],
  )
}

/** The columns of the area, and a delete column if rows can be deleted. */
function withDelete<Row extends ListRow>(
  area: ListArea<Row>,
  columns: readonly Column<Row>[],
  me: Me,
): readonly Column<Row>[] {
  const { mayDelete } = area
  if (!mayDelete) return columns
  return [...columns, deleteColumn<Row>(area.area, { refused: (row) => (mayDelete(row, me) ? null : '') })]
}
