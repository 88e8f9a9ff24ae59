import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { CustomerReturn, CustomerReturnItem } from '@backstock/contract/customer-return.ts'
import { RETURN_STATE_NAMES } from '@backstock/contract/return-state.ts'
import { Alert, Anchor, Button, Checkbox, Kbd, Stack, Text, Textarea } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { api, apiUrl, idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidate, record } from '../../api/reads.ts'
import type { RecordArea } from '../../crud/area.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { useRecordId } from '../../crud/record-page.tsx'
import { UnreadRecord } from '../../crud/unread-record.tsx'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { KeptNote } from '../../ui/feedback/kept-note.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import recordClasses from '../../ui/layout/record.module.css'
import { Sections } from '../../ui/layout/section.tsx'
import { useCtrlEnter } from '../../ui/layout/use-ctrl-enter.ts'
import { LogTimeline } from '../../ui/log/log-timeline.tsx'
import { mustMendPrice } from '../../ui/table/wrong-prices.ts'
import { DateTime } from '../../ui/values/date-text.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { type Choice, type Choices, CREDIT, ForAll, withChoice } from './choices.tsx'
import { useKeptChoices } from './kept-choices.ts'
import { questionOfAwaited } from './questions.ts'
import classes from './return.module.css'
import { type ReturnLine, ReturnTable } from './return-table.tsx'
import { creditText, itemsText } from './sums.ts'

const POLL_MS = 1500

export default function ReturnEditPage() {
  const id = useRecordId()
  const [begins, setBegins] = useState(0)
  const found = useQuery({
    ...record<CustomerReturn>('return', id ?? 0),
    enabled: id !== null,
    // Read the return again and again while a credit note is being made.
    refetchInterval: ({ state }) =>
      state.data?.credit_notes.some(({ status }) => status === 'pending') ? POLL_MS : false,
  })
  if (found.data) {
    const key = `${found.data.id} ${begins}`
    return <ReturnPage key={key} row={found.data} onDiscard={() => setBegins((count) => count + 1)} />
  }
  return (
    <>
      <PageHeader title={`Return #${id ?? ''}`} />
      <UnreadRecord id={id} read={found} kind="return" />
    </>
  )
}

function lineOf(item: CustomerReturnItem, isOpen: boolean, choices: Choices): ReturnLine {
  const editable = isOpen && item.received_at === null
  const said = { ...item, price: item.price ?? item.sold_price, editable, locked: null }
  return editable ? { ...said, ...choices.get(item.id) } : said
}

function ReturnPage({ row, onDiscard }: { row: CustomerReturn; onDiscard: () => void }) {
  const kept = useKeptChoices(row)
  const { choices, setChoices, left, setLeft, email, setEmail } = kept
  const isOpen = row.state === 'announced' || row.state === 'received'
  const lines = useMemo(() => row.items.map((item) => lineOf(item, isOpen, choices)), [row.items, isOpen, choices])
  const awaited = lines.filter((line) => line.editable)
  const coming = awaited.filter((line) => !left.has(line.id))
  const { trouble, running, receive, move } = useReturnWrites(row)
  const choose = (ids: readonly number[], choice: Partial<Choice>) => setChoices((now) => withChoice(now, ids, choice))

  const receiveAll = async () => {
    if (mustMendPrice(lines, kept.wrong, CREDIT)) return
    const items = coming.map(({ id, reason, condition, outcome, price, sold_price }) => ({
      ...{ id, reason, condition, outcome },
      price: price === sold_price ? null : price,
    }))
    if (!(await confirmDialog(questionOfAwaited(coming, email), 'Receive', { isUsual: true }))) return
    if (await receive({ items, send_email: email, updated_at: row.updated_at })) kept.received()
  }
  useCtrlEnter(() => {
    if (!isOpen || running) return
    if (coming.length > 0) void receiveAll()
    else if (awaited.length === 0 && row.state === 'received') void move('settled')
  })
  return (
    <>
      <PageHeader
        title={`Return #${row.id}`}
        note={kept.isKept && <KeptNote isFound onDiscard={() => kept.discard(onDiscard)} />}
      />
      <Facts row={row} />
      {trouble && (
        <Alert color="red" role="alert" mb="md" icon={<IconAlertTriangle size={18} />}>
          {trouble}
        </Alert>
      )}
      <Stack gap="md">
        <Panel p={0} className={classes['items'] ?? ''}>
          <div className={classes['head']}>
            <Text size="sm" role="status" className={classes['said'] ?? ''}>
              {itemsText(row.items_count)}
              {row.state !== 'refused' && `, ${row.items_received.toLocaleString('en')} came back`}
            </Text>
            {awaited.length > 0 && <ForAll onChoose={(choice) => choose(idsOf(coming), choice)} />}
          </div>
          <ReturnTable
            lines={lines}
            dimmed={running}
            left={left}
            onLeave={awaited.length > 0 ? setLeft : undefined}
            onChoose={(id, choice) => choose([id], choice)}
            prices={kept.prices}
          />
        </Panel>
        <Sections
          items={[
            { name: 'credit', title: 'Credit notes', content: <CreditNotes row={row} /> },
            { name: 'details', title: 'Note', content: <RecordForm area={details} row={row} /> },
            { name: 'logs', title: 'Logs', content: <LogTimeline logs={row.logs} /> },
          ]}
        />
      </Stack>
      {isOpen && (
        <div className={classes['bar']}>
          {awaited.length > 0 && (
            <Button loading={running} disabled={coming.length === 0} onClick={() => void receiveAll()}>
              Receive ({coming.length.toLocaleString('en')})
            </Button>
          )}
          <EndOf row={row} awaited={awaited.length} running={running} move={move} />
          <Text size="xs" c="dimmed" visibleFrom="md">
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
          </Text>
          {awaited.length > 0 ? (
            <CreditChoice coming={coming} email={email} onEmail={setEmail} />
          ) : (
            <Text size="sm" c="dimmed">
              Everything has come back. Settle the return once the money has been refunded.
            </Text>
          )}
        </div>
      )}
    </>
  )
}

const idsOf = (lines: readonly ReturnLine[]) => lines.map(({ id }) => id)

type CreditProps = { coming: readonly ReturnLine[]; email: boolean; onEmail: (email: boolean) => void }

/** The sum that the items that come back are credited with, and whether the credit notes go by email. */
function CreditChoice({ coming, email, onEmail }: CreditProps) {
  return (
    <>
      <Checkbox
        label="Send the credit notes by email"
        checked={email}
        onChange={(event) => onEmail(event.currentTarget.checked)}
      />
      <Text size="sm" className={classes['sum'] ?? ''}>
        {itemsText(coming.length)}, credited: <b>{creditText(coming)}</b>
      </Text>
    </>
  )
}

/** Writes that return the whole return, one at a time. `trouble` is the message of the last one that failed. */
function useReturnWrites({ id, updated_at }: CustomerReturn) {
  const [trouble, setTrouble] = useState<string | null>(null)
  const [running, setRunning] = useState(false)
  const busy = useRef(false)
  /** The idempotency key. It changes when a write has succeeded, or was refused. */
  const key = useRef(idempotencyKey())
  const write = async (path: string, body: object, ...alsoChanges: string[]): Promise<boolean> => {
    if (busy.current) return false
    busy.current = true
    setRunning(true)
    setTrouble(null)
    const { queryKey } = record<CustomerReturn>('return', id)
    try {
      const call = { body, tellsTrouble: true, idempotent: key.current }
      const { data } = await api.post<WriteAnswer<CustomerReturn>>(path, call)
      key.current = idempotencyKey()
      // A running read would overwrite the return with an older one.
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, data)
      void queryClient.invalidateQueries({ queryKey: ['return', 'find'] })
      void invalidate(...alsoChanges)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble(error.message)
      if (!error.isOutage) key.current = idempotencyKey()
      void queryClient.invalidateQueries({ queryKey })
      return false
    } finally {
      busy.current = false
      setRunning(false)
    }
  }
  return {
    trouble,
    running,
    receive: (body: object) => write(`return/${id}/receive`, body, 'stock', 'batch', 'sale', 'dashboard'),
    move: (state: 'settled' | 'refused') => write(`return/${id}/edit`, { state, updated_at }),
  }
}

type EndProps = {
  row: CustomerReturn
  awaited: number
  running: boolean
  move: (state: 'settled' | 'refused') => Promise<boolean>
}

/** The button that ends an open return: 'Refuse' if no item has come, otherwise 'Settle'. */
function EndOf({ row, awaited, running, move }: EndProps) {
  const refuse = async () => {
    if (await confirmDialog('Nothing comes back and nothing is credited.', 'Refuse')) await move('refused')
  }
  const settle = async () => {
    const question = `${itemsText(awaited)} ${awaited === 1 ? 'has' : 'have'} not come back. After this, the return no longer waits for ${awaited === 1 ? 'it' : 'them'}.`
    if (awaited === 0 || (await confirmDialog(question, 'Settle'))) await move('settled')
  }
  const isAnnounced = row.state === 'announced'
  return (
    <Button
      variant={awaited > 0 ? 'default' : 'filled'}
      disabled={running}
      onClick={() => void (isAnnounced ? refuse() : settle())}
    >
      {isAnnounced ? 'Refuse' : 'Settle'}
    </Button>
  )
}

function Facts({ row }: { row: CustomerReturn }) {
  return (
    <div className={recordClasses['facts']}>
      <StatusBadge status={RETURN_STATE_NAMES[row.state]} />
      <TextLink to={recordPath('customer', row.customer_id)}>{row.customer_name}</TextLink>
      <span className={classes['quiet']}>
        <DateTime iso={row.created_at} />
        {row.created_by_name && ` by ${row.created_by_name}`}
      </span>
      {row.received_at && (
        <span className={classes['quiet']}>
          Received <DateTime iso={row.received_at} />
        </span>
      )}
    </div>
  )
}

const MADE = {
  none: 'Removed from the sale',
  pending: 'Being made…',
  ready: null,
  failed: 'Could not be made',
} as const

/** Why a return has no credit notes, or when it gets them. */
function whyNoNotes({ state, items_received }: CustomerReturn): string {
  if (state === 'refused') return 'None: nothing came back.'
  if (items_received > 0) return 'None: there was no invoice, or nothing is credited.'
  return 'They are made once items come back.'
}

function CreditNotes({ row }: { row: CustomerReturn }) {
  const { credit_notes } = row
  if (credit_notes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {whyNoNotes(row)}
      </Text>
    )
  return (
    <div>
      {credit_notes.map(({ id, number, sale_id, total_gross, status }) => (
        <div key={id} className={classes['note']}>
          {status === 'ready' ? (
            <Anchor size="sm" href={apiUrl(`document/${id}/pdf`)} download>
              {number} (PDF)
            </Anchor>
          ) : (
            <span>
              {number} <span className={classes['quiet']}>{MADE[status]}</span>
            </span>
          )}
          <TextLink to={recordPath('sale', sale_id)} size="sm">
            Sale #{sale_id}
          </TextLink>
          <Money amount={total_gross} />
        </div>
      ))}
    </div>
  )
}

const details: RecordArea<CustomerReturn, { note: string }> = {
  area: 'return',
  title: 'Returns',
  values: (row) => ({ note: row?.note ?? '' }),
  fields: (form) => (
    <Textarea aria-label="Note" maxLength={10_000} autosize minRows={2} maxRows={10} {...form.getInputProps('note')} />
  ),
}
