import type { Batch } from '@backstock/contract/batch.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { RecordArea, RecordFormOf } from '../../crud/area.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { hasSameItems } from '../../ui/feedback/draft-store.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { type Begin, useFoundDraft, useKeepDraft } from '../../ui/feedback/kept-draft.ts'
import { KeptNote } from '../../ui/feedback/kept-note.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { moneyColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../ui/table/paged-rows.tsx'
import { withRows } from '../../ui/table/with-rows.ts'
import { PlainLink, recordPath, TextLink } from '../../ui/values/link.tsx'
import { clearBatchItems } from '../basket/storage-data.ts'
import { ItemsUnread } from '../stock/items-unread.tsx'
import { purchasePriceColumn, stockIdColumn, stockProductColumn, stockStatusColumn } from '../stock/stock-columns.tsx'
import classes from './batch.module.css'
import { useItemsToJoin, whyNot } from './items-to-join.ts'

type JoiningRow = StockRow & { reason: string | null }

const COLUMNS: readonly Column<JoiningRow>[] = [
  stockIdColumn(),
  stockStatusColumn(),
  stockProductColumn(),
  {
    header: 'Batch',
    phone: 'hidden',
    cell: (row) => <span title={row.batch_name ?? undefined}>{row.batch_name ?? '-'}</span>,
  },
  purchasePriceColumn('Purchase price', { phone: 'hidden' }),
  moneyColumn('Sales price', (row) => row.sales_price),
]
const lockedReason = (row: JoiningRow) => row.reason
const NONE: ReadonlySet<number> = new Set()

type Props<Values extends object> = {
  title: string
  /** How the form is saved. The items and the batch that they come from are added to the body. */
  area: Pick<RecordArea<Batch, Values>, 'values' | 'save'>
  fields: (form: RecordFormOf<Values>, from: number | null) => React.ReactNode
  saveLabel: string
  /** The values were chosen for the listed items: a draft of other items does not bring them. */
  isOfItems?: boolean
  /** Called with the items that have moved from one batch to another. */
  onMoved?: (items: readonly number[], from: number, to: number) => void
}

/**
 * The parts of the form that the browser keeps: the typed values, the listed items, and those of them that are not
 * ticked (`left`). Version 1.0.0 did not keep the listed items.
 */
type KeptJoining<Values> = { values: Values; left: number[]; items?: number[] }

/** A form that puts the listed items into a batch. After saving, the screen shows that batch. */
export function JoiningPage<Values extends object>(props: Props<Values>) {
  const [discards, setDiscards] = useState(0)
  return <Joining key={discards} {...props} onDiscard={() => setDiscards((count) => count + 1)} />
}

function Joining<Values extends object>({
  title,
  area,
  fields,
  saveLabel,
  isOfItems = false,
  onMoved,
  onDiscard,
}: Props<Values> & { onDiscard: Begin }) {
  const navigate = useNavigate()
  const { items, from, error, retry } = useItemsToJoin()
  const found = useFoundDraft<KeptJoining<Values>>(title)
  const ids = useMemo(() => items?.map((item) => item.id), [items])
  /** The draft that the form continues, null if there is none. Undefined until the items are known. */
  const [begun, setBegun] = useState<KeptJoining<Values> | null>()
  const [typed, setTyped] = useState<Values | null>(null)
  const [left, setLeft] = useState(NONE)
  if (ids && begun === undefined) {
    const isOfThese = found?.items !== undefined && hasSameItems(found.items, ids)
    const continued = isOfThese || !isOfItems ? found : null
    setBegun(continued)
    setTyped(continued?.values ?? null)
    // An item that was unticked stays so only in the same list.
    if (isOfThese) setLeft(new Set(found.left))
  }
  const draft = useMemo<KeptJoining<Values> | null>(
    () => (typed && ids ? { values: typed, left: [...left], items: ids } : null),
    [typed, ids, left],
  )
  const { isLost, drop, discard } = useKeepDraft(title, draft)
  const rows = useMemo(() => items?.map((item) => ({ ...item, reason: whyNot(item, from) })), [items, from])
  const joining = rows?.filter((row) => row.reason === null && !left.has(row.id)) ?? []

  const tick = (ticked: JoiningRow[], on: boolean) => setLeft((now) => withRows(now, ticked, !on))
  const done = (id: number) => {
    drop()
    clearBatchItems()
    const moved = joining.map((row) => row.id)
    if (from !== null) onMoved?.(moved, from, id)
    void navigate({ to: recordPath('batch', id) })
  }

  const isKept = typed !== null && !isLost

  return (
    <>
      <PageHeader
        title={from === null ? title : `Moving items from Batch #${from}`}
        note={
          (from !== null || isKept) && (
            <>
              {from !== null && (
                <TextLink to={recordPath('batch', from)} inherit onClick={clearBatchItems}>
                  Cancel and go back to Batch #{from}
                </TextLink>
              )}
              {from !== null && isKept && ' · '}
              {isKept && <KeptNote isFound={begun != null} onDiscard={() => discard(onDiscard)} />}
            </>
          )
        }
      />
      {rows && error && <ItemsUnread error={error} retry={retry} />}
      {rows ? (
        <RecordForm<Batch, Values>
          area={{
            ...area,
            area: 'batch',
            title,
            alsoChanges: ['stock', 'basket'],
            input: (values) => ({ ...values, items: joining.map((row) => row.id).join(','), id: from }),
            fields: (form) => (
              <Stack gap="md">
                <Panel>{fields(form, from)}</Panel>
                <JoiningItems
                  title={title}
                  rows={rows}
                  joining={joining.length}
                  isJoining={(row) => row.reason === null && !left.has(row.id)}
                  onTick={tick}
                />
              </Stack>
            ),
          }}
          row={null}
          saveLabel={saveLabel}
          onSaved={done}
          draft={{ begun: begun?.values ?? null, isKept: !isLost, onTyped: setTyped }}
        />
      ) : error ? (
        <ErrorState error={error} retry={retry} />
      ) : (
        <Panel>
          {['name', 'first', 'second', 'third'].map((row) => (
            <Skeleton key={row} height={14} my="md" />
          ))}
        </Panel>
      )}
    </>
  )
}

/** Takes the place of the items if there are none. `button` is the button of the basket that leads to this screen. */
function NoItems({ button }: { button: string }) {
  return (
    <Stack align="center" gap="sm" mt={4}>
      <Text size="sm">Your basket is empty. Tick items in the stock list, then press {button} in the basket.</Text>
      <Button component={PlainLink} to="/admin/stock" variant="default">
        Choose items
      </Button>
    </Stack>
  )
}

function JoiningItems(props: {
  title: string
  rows: readonly JoiningRow[]
  joining: number
  isJoining: (row: JoiningRow) => boolean
  onTick: (rows: JoiningRow[], on: boolean) => void
}) {
  const [wanted, setPage] = useState(1)
  const { rows, page, pages } = rowsOf(props.rows, wanted)
  return (
    <Panel p={0} className={classes['items'] ?? ''}>
      <div className={classes['head']}>
        <Text size="sm" role="status">
          {props.joining.toLocaleString('en')} of {props.rows.length.toLocaleString('en')}{' '}
          {props.rows.length === 1 ? 'item joins' : 'items join'} the batch
        </Text>
      </div>
      <DataTable
        label="Items"
        columns={COLUMNS}
        rows={rows}
        empty={<NoItems button={props.title} />}
        ticks={{ isTicked: props.isJoining, onTick: props.onTick, isFixed: (row) => row.reason !== null }}
        lockedReason={lockedReason}
      />
      <RowPages page={page} pages={pages} total={props.rows.length} onPage={setPage} />
    </Panel>
  )
}
