import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { CustomerReturn, ReturnLookUpAnswer, ReturnLookUpRow } from '@backstock/contract/customer-return.ts'
import { Alert, Button, Checkbox, Kbd, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError, errorMessage } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { useFoundDraft, useKeepDraft } from '../../ui/feedback/kept-draft.ts'
import { KeptNote } from '../../ui/feedback/kept-note.tsx'
import { useLeaveGuard } from '../../ui/feedback/leave-guard.ts'
import { Select } from '../../ui/fields/select.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useCtrlEnter } from '../../ui/layout/use-ctrl-enter.ts'
import { recordPath } from '../../ui/values/link.tsx'
import { LineList } from '../quick-order/line-list.tsx'
import { linesOf } from '../quick-order/look-up.ts'
import { type Choice, type Choices, ForAll, withChoice } from './choices.tsx'
import { type FoundLine, FoundTable } from './found-table.tsx'
import { useGivenLines } from './given-lines.ts'
import classes from './return.module.css'
import { creditText, itemsText } from './sums.ts'

const DEBOUNCE_MS = 400
const NO_CHOICES: Choices = new Map()
const NONE: ReadonlySet<number> = new Set()

/** Looks up the pasted lines. It is a read, but sent by POST, since the lines may be long. */
const lookUp = (lines: readonly string[]) =>
  queryOptions({
    queryKey: ['return', 'look-up', lines],
    queryFn: ({ signal }) => api.post<ReturnLookUpAnswer>('return/look-up', { body: { lines }, silent: true, signal }),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
  })

type Buyer = { id: number; name: string; items: number }

/** The customers who bought the items that may come back. The one with most items comes first. */
function buyersOf(rows: readonly ReturnLookUpRow[]): Buyer[] {
  const sales = rows.flatMap((row) => (row.returnable && row.sale ? row.sale : []))
  return [...Map.groupBy(sales, (sale) => sale.customer_id)]
    .map(([id, of]) => ({ id, name: of[0]!.customer_name, items: of.length }))
    .toSorted((a, b) => b.items - a.items)
}

const UNCHOSEN = { reason: 'not_stated', condition: 'not_checked', outcome: 'restock' } as const

function linesFor(rows: readonly ReturnLookUpRow[], buyer: Buyer | undefined, choices: Choices): FoundLine[] {
  return rows.map((row) => {
    const isOthers = row.returnable && row.sale?.customer_id !== buyer?.id
    const locked = isOthers ? `Sold to ${row.sale?.customer_name}: another return` : row.why_not
    const sold_price = row.sale?.price ?? 0
    const sold = { sold_price, price: sold_price, prices_include_vat: row.sale?.prices_include_vat ?? false }
    return { ...row, ...UNCHOSEN, ...sold, ...choices.get(row.id), locked, editable: locked === null }
  })
}

/** The form for a customer's return. It takes pasted or scanned lines. The return is received at once, or announced. */
export default function ReturnCreatePage() {
  const [discards, setDiscards] = useState(0)
  return <NewReturn key={discards} isAfresh={discards > 0} onDiscard={() => setDiscards((count) => count + 1)} />
}

/** The parts of a new return that the browser keeps as a draft. */
type KeptReturn = {
  text: string
  note: string
  email: boolean
  buyer: number | null
  choices: [number, Partial<Choice>][]
  left: number[]
}

function NewReturn({ isAfresh, onDiscard }: { isAfresh: boolean; onDiscard: () => void }) {
  const fromScreen = useGivenLines()
  const given = isAfresh ? '' : fromScreen
  const kept = useFoundDraft<KeptReturn>('return')
  // Lines that another screen has handed over start a new return, and the kept draft is not used.
  const begun = given === '' ? kept : null
  const [text, setText] = useState(begun?.text ?? given)
  const [note, setNote] = useState(begun?.note ?? '')
  const [email, setEmail] = useState(begun?.email ?? true)
  const [wantedBuyer, setBuyer] = useState<number | null>(begun?.buyer ?? null)
  const [choices, setChoices] = useState<Choices>(begun ? new Map(begun.choices) : NO_CHOICES)
  const [left, setLeft] = useState<ReadonlySet<number>>(begun ? new Set(begun.left) : NONE)
  const isBegun = text !== '' || note !== ''
  const draft = useMemo<KeptReturn | null>(
    () => (isBegun ? { text, note, email, buyer: wantedBuyer, choices: [...choices], left: [...left] } : null),
    [isBegun, text, note, email, wantedBuyer, choices, left],
  )
  const { isLost, drop } = useKeepDraft('return', draft)
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const lines = useMemo(() => linesOf(settled), [settled])
  const found = useQuery(lookUp(lines))
  const answer = lines.length > 0 ? found.data : undefined
  const waiting = settled !== text || found.isPlaceholderData || (lines.length > 0 && found.isPending)
  const buyers = useMemo(() => buyersOf(answer?.data ?? []), [answer])
  const buyer = buyers.find(({ id }) => id === wantedBuyer) ?? buyers[0]
  const rows = useMemo(() => linesFor(answer?.data ?? [], buyer, choices), [answer, buyer, choices])
  const coming = rows.filter((row) => row.editable && !left.has(row.id))
  const choose = (ids: readonly number[], choice: Partial<Choice>) => setChoices((now) => withChoice(now, ids, choice))
  const others = ofOthers(answer, buyer)
  const { saving, trouble, save } = useSave(isBegun && isLost, drop, coming, buyer, { note, email, others })
  useCtrlEnter(() => {
    if (!waiting && coming.length > 0) void save('receive')
  })

  return (
    <>
      <PageHeader
        title="New return"
        note={
          isBegun &&
          !isLost && (
            <KeptNote
              isFound={begun !== null}
              onDiscard={() => {
                drop()
                onDiscard()
              }}
            />
          )
        }
      />
      <Stack gap="md">
        <Panel>
          <div className={classes['paste']}>
            <Textarea
              label="IMEIs or serial numbers"
              description="One on each line: IMEI, serial number or Backstock ID. Paste a list, or scan."
              rows={6}
              autoFocus
              spellCheck={false}
              autoComplete="off"
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Textarea
              label="Note"
              description="For example the customer's reason, or a tracking number."
              rows={6}
              maxLength={10_000}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          </div>
        </Panel>
        {found.isError && lines.length > 0 && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
            {found.error instanceof ApiError && found.error.status === 422
              ? (Object.values(found.error.errors)[0] ?? found.error.message)
              : errorMessage(found.error)}
          </Alert>
        )}
        <LineList title="Not sold by you" lines={answer?.not_found ?? []} />
        <LineList
          title="May be several phones: paste the IMEI"
          lines={(answer?.ambiguous ?? []).map(
            ({ line, items }) => `${line}: ${items.map((id) => `#${id}`).join(', ')}`,
          )}
        />
        {lines.length > 0 && !found.isError && (
          <Panel p={0} className={classes['items'] ?? ''}>
            <div className={classes['head']}>
              <Text size="sm" role="status" className={classes['said'] ?? ''}>
                {answer ? said(answer, coming.length, others, buyer) : 'Looking…'}
              </Text>
              {buyers.length > 1 && buyer && (
                <Select
                  size="xs"
                  label="Customer of this return"
                  data={buyers.map(({ id, name, items }) => ({ value: String(id), label: `${name} (${items})` }))}
                  value={String(buyer.id)}
                  onChange={(value) => value && setBuyer(Number(value))}
                />
              )}
              {coming.length > 0 && (
                <ForAll
                  onChoose={(choice) =>
                    choose(
                      coming.map(({ id }) => id),
                      choice,
                    )
                  }
                />
              )}
            </div>
            <FoundTable
              rows={answer && rows}
              dimmed={waiting || saving !== null}
              left={left}
              onLeave={setLeft}
              onChoose={(id, choice) => choose([id], choice)}
            />
          </Panel>
        )}
        {trouble && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
            {trouble}
          </Alert>
        )}
      </Stack>
      {lines.length > 0 && (
        <div className={classes['bar']}>
          <Button
            loading={saving === 'receive'}
            disabled={waiting || coming.length === 0 || saving !== null}
            onClick={() => void save('receive')}
          >
            Receive ({coming.length.toLocaleString('en')})
          </Button>
          <Button
            variant="default"
            loading={saving === 'announce'}
            disabled={waiting || coming.length === 0 || saving !== null}
            onClick={() => void save('announce')}
          >
            Announce
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="md">
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
          </Text>
          <Checkbox
            label="Send the credit notes by email"
            checked={email}
            onChange={(event) => setEmail(event.currentTarget.checked)}
          />
          <Text size="sm" className={classes['sum'] ?? ''}>
            {itemsText(coming.length)}, credited: <b>{creditText(coming)}</b>
          </Text>
        </div>
      )}
    </>
  )
}

/** Stores the return, received or announced, and opens its screen. A repeated attempt does not store it twice. */
function useSave(
  unsaved: boolean,
  onDone: () => void,
  coming: readonly FoundLine[],
  buyer: Buyer | undefined,
  { note, email, others }: { note: string; email: boolean; others: number },
) {
  const navigate = useNavigate()
  const [saving, setSaving] = useState<'receive' | 'announce' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const busy = useRef(false)
  const allowLeave = useLeaveGuard(unsaved)
  const save = async (how: 'receive' | 'announce') => {
    if (busy.current || !buyer) return
    busy.current = true
    const received = how === 'receive'
    if (received && !(await confirmDialog(question(coming, buyer, email, others), 'Receive', { isUsual: true }))) {
      busy.current = false
      return
    }
    setSaving(how)
    setTrouble(null)
    try {
      const items = coming.map(({ id, sale, reason, condition, outcome, price, sold_price }) => ({
        ...{ id, sale_id: sale?.id, reason, condition, outcome },
        price: price === sold_price ? null : price,
      }))
      const body = { customer_id: buyer.id, note, items, received, send_email: received && email }
      const { data } = await api.post<WriteAnswer<CustomerReturn>>('return/create', { body, tellsTrouble: true })
      void invalidate('return', 'sale', ...(received ? ['stock', 'batch', 'dashboard'] : []))
      onDone()
      allowLeave()
      await navigate({ to: recordPath('return', data.id) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble(error.message)
      void invalidate('return')
    } finally {
      busy.current = false
      setSaving(null)
    }
  }
  return { saving, trouble, save }
}

function question(coming: readonly FoundLine[], buyer: Buyer, email: boolean, others: number): string {
  const invoiced = new Set(coming.flatMap(({ sale, price }) => (sale?.invoice_number && price > 0 ? sale.id : [])))
  const notes = `${invoiced.size.toLocaleString('en')} credit ${invoiced.size === 1 ? 'note' : 'notes'}`
  const credited =
    invoiced.size > 0 ? ` ${notes} for ${creditText(coming)} ${invoiced.size === 1 ? 'is' : 'are'} made` : ''
  const mailed = credited && email ? ' and sent by email' : ''
  const back = `${itemsText(coming.length)} of ${buyer.name} ${coming.length === 1 ? 'comes' : 'come'} back.`
  const rest =
    others > 0 ? ` ${itemsText(others)} of other customers ${others === 1 ? 'needs' : 'need'} another return.` : ''
  return `${back}${credited}${mailed}${credited && '.'}${rest}`
}

/** The number of items that may come back but were sold to somebody else. */
const ofOthers = (answer: ReturnLookUpAnswer | undefined, buyer: Buyer | undefined): number =>
  answer?.data.filter((row) => row.returnable && row.sale?.customer_id !== buyer?.id).length ?? 0

function said(answer: ReturnLookUpAnswer, coming: number, others: number, buyer: Buyer | undefined): string {
  const parts = [
    [others, 'of other customers'],
    [answer.data.filter((row) => !row.returnable).length, 'cannot come back'],
    [answer.not_found.length, 'not sold by you'],
    [answer.ambiguous.length, 'not clear'],
    [answer.duplicates.length, 'twice'],
  ] as const
  const what = buyer ? `${itemsText(coming)} of ${buyer.name}` : itemsText(coming)
  return [what, ...parts.filter(([n]) => n > 0).map(([n, words]) => `${n.toLocaleString('en')} ${words}`)].join(', ')
}
