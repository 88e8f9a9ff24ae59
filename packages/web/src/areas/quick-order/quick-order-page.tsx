import { plainIdentifier } from '@backstock/contract/plain-text.ts'
import type { QuickOrderAnswer, QuickOrderRow } from '@backstock/contract/stock.ts'
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { showToast } from '../../api/toast.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { type Begin, useFoundDraft, useKeepDraft } from '../../ui/feedback/kept-draft.ts'
import { KeptNote } from '../../ui/feedback/kept-note.tsx'
import { useLeaveGuard } from '../../ui/feedback/leave-guard.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useCtrlEnterWhenReady } from '../../ui/layout/use-ctrl-enter.ts'
import type { Column } from '../../ui/table/column.ts'
import { moneyColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useBasket, useBasketTicks } from '../basket/basket.ts'
import { writeStorageData } from '../basket/storage-data.ts'
import { stockIdColumn, stockProductColumn, stockStatusColumn } from '../stock/stock-columns.tsx'
import { LineList } from './line-list.tsx'
import { linesOf, lookUp, missedLines } from './look-up.ts'
import { batchOf, NewestLine } from './newest-line.tsx'
import classes from './quick-order.module.css'

const DEBOUNCE_MS = 400
const SHOWN_AT_ONCE = 250
const TOUCH = { base: 44, xs: 36 }
const DRAFT = 'quick-order'

/** The parts of a quick order that the browser keeps as a draft. */
type KeptOrder = { text: string }

const COLUMNS: readonly Column<QuickOrderRow>[] = [
  stockIdColumn(),
  stockStatusColumn(),
  stockProductColumn(),
  moneyColumn('Sales Price', (row) => row.sales_price),
  {
    header: 'Can be sold',
    cell: (row) => {
      const batch = row.sellable ? batchOf(row) : null
      return (
        <span className={classes['batch']} title={batch ?? undefined}>
          <span className={classes['notOnPhone']}>
            {row.sellable ? 'Yes' : 'No'}
            {batch && ', '}
          </span>
          {batch}
        </span>
      )
    },
  },
]
const lockedReason = (row: QuickOrderRow) => (row.sellable ? null : (row.reason ?? 'Cannot be sold'))

export default function QuickOrderPage() {
  const [discards, setDiscards] = useState(0)
  return <QuickOrder key={discards} onDiscard={() => setDiscards((count) => count + 1)} />
}

/** The browser keeps the lines until the basket or a sale has their items, or until they are discarded. */
function QuickOrder({ onDiscard }: { onDiscard: Begin }) {
  const begun = useFoundDraft<KeptOrder>(DRAFT)
  const [text, setText] = useState(begun?.text ?? '')
  /** The text whose items the basket has. */
  const [collected, setCollected] = useState<string | null>(null)
  const isOpen = text.trim() !== '' && text !== collected
  const draft = useMemo<KeptOrder | null>(() => (isOpen ? { text } : null), [isOpen, text])
  const { isLost, drop, discard } = useKeepDraft(DRAFT, draft)
  const allowLeave = useLeaveGuard(draft !== null && isLost)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // The next scan goes behind the lines that are back.
    const end = field.current?.value.length ?? 0
    field.current?.setSelectionRange(end, end)
  }, [])
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const lines = useMemo(() => linesOf(settled), [settled])
  const found = useQuery(lookUp(lines))
  const answer = lines.length > 0 ? found.data : undefined
  const sellable = useMemo(() => answer?.data.filter((row) => row.sellable) ?? [], [answer])
  const navigate = useNavigate()
  const sell = () => {
    writeStorageData({ saleStockItemIds: sellable.map((row) => row.id), saleFromBatch: null })
    drop()
    allowLeave()
    void navigate({ to: '/admin/sale/create' })
  }
  useCtrlEnterWhenReady(settled === text && !found.isFetching, () => {
    if (sellable.length > 0) sell()
  })
  return (
    <>
      <PageHeader
        title="Quick Order"
        note={
          draft &&
          !isLost && <KeptNote isFound={begun !== null && collected === null} onDiscard={() => discard(onDiscard)} />
        }
      />
      <Stack gap="md">
        <Panel>
          <Textarea
            ref={field}
            label="IMEIs or serial numbers"
            description="One on each line: IMEI, serial number or Backstock ID. Paste a list, or scan."
            rows={10}
            autoFocus
            spellCheck={false}
            autoComplete="off"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Panel>
        {found.isError && lines.length > 0 ? (
          <Failure error={found.error} retry={() => void found.refetch()} />
        ) : (
          lines.length > 0 && (
            <Results
              newest={plainIdentifier(lines.at(-1) ?? '')}
              answer={answer}
              dimmed={found.isPlaceholderData || settled !== text}
              sellable={sellable}
              onCollect={() => setCollected(text)}
              onSell={sell}
            />
          )
        )}
      </Stack>
    </>
  )
}

function Failure({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof ApiError) || error.status !== 422) return <ErrorState error={error} retry={retry} />
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
      {Object.values(error.errors)[0] ?? error.message}
    </Alert>
  )
}

const counts = ({ data, not_found, duplicates }: QuickOrderAnswer) =>
  [
    [data.length, 'found'],
    [data.filter((row) => row.sellable).length, 'can be sold'],
    [not_found.length, 'not found'],
    [duplicates.length, 'twice'],
  ]
    .map(([count, what]) => `${count?.toLocaleString('en')} ${what}`)
    .join(', ')

type ResultsProps = {
  newest: string
  answer: QuickOrderAnswer | undefined
  dimmed: boolean
  sellable: readonly QuickOrderRow[]
  onCollect: () => void
  onSell: () => void
}

function Results({ newest, answer, dimmed, sellable, onCollect, onSell }: ResultsProps) {
  const basket = useBasket()
  const ticks = useBasketTicks<QuickOrderRow>()
  const [limit, setLimit] = useState(SHOWN_AT_ONCE)
  const rows = answer?.data
  const none = sellable.length === 0 || dimmed

  const collect = () => {
    const allThere = sellable.every((row) => basket.ids.has(row.id))
    if (allThere) showToast({ type: 'info', message: 'All of them are in the basket already.' })
    else void basket.add(sellable)
    onCollect()
  }

  return (
    <>
      <Panel p={0}>
        {answer && <NewestLine line={newest} answer={answer} />}
        <div className={classes['head']}>
          <Text size="sm" role="status">
            {answer ? counts(answer) : 'Looking…'}
          </Text>
          <Group gap="xs">
            <Button variant="default" mih={TOUCH} disabled={none} onClick={collect}>
              Add to basket
            </Button>
            <Button mih={TOUCH} disabled={none} onClick={onSell}>
              Create Sale
            </Button>
          </Group>
        </div>
        <DataTable
          label="Items found"
          columns={COLUMNS}
          rows={rows?.slice(0, limit)}
          dimmed={dimmed}
          ticks={ticks}
          lockedReason={lockedReason}
        />
        {rows && rows.length > limit && (
          <Group p="sm" justify="space-between">
            <Text size="sm" c="dimmed">
              {limit.toLocaleString('en')} of {rows.length.toLocaleString('en')} shown
            </Text>
            <Button size="xs" variant="default" onClick={() => setLimit(limit + SHOWN_AT_ONCE)}>
              Show more
            </Button>
          </Group>
        )}
      </Panel>
      <LineList title="Not found" lines={missedLines(answer?.not_found ?? [])} />
      <LineList title="Duplicates, counted once" lines={answer?.duplicates ?? []} />
    </>
  )
}
