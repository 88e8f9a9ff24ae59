import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import { BANK_ENTRY_STATE_NAMES, BANK_ENTRY_STATES } from '@backstock/contract/bank-entry-state.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { Button } from '@mantine/core'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { lazyPart } from '../../api/lazy-part.ts'
import { invalidate } from '../../api/reads.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import type { ListArea } from '../../crud/area.ts'
import { ListPage } from '../../crud/list-page.tsx'
import { useAct } from '../../ui/feedback/use-act.ts'
import { formatDate } from '../../ui/fields/date-format.ts'
import { moneyColumn } from '../../ui/table/columns.tsx'
import { DataTable, type TableProps } from '../../ui/table/data-table.tsx'
import { RowLink, recordPath } from '../../ui/values/link.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import classes from './bank-entry.module.css'
import { BookButton } from './book-button.tsx'
import { ChosenEntriesContext, hasProposal, useChosenEntries } from './chosen-entries.ts'
import { useKeptTicks } from './kept-ticks.ts'
import { FirstFile, TakeIn } from './take-in.tsx'

const EntryDialog = lazyPart(() => import('./entry-dialog.tsx'))

export const list: ListArea<BankEntry> = {
  area: 'bank-entry',
  title: 'Bank statements',
  columns: [
    {
      header: 'Day',
      sort: 'booked_on',
      width: 104,
      phone: 'below',
      cell: (row) => formatDate(row.booked_on, 'dd/MM/yyyy'),
    },
    { header: 'Entry', phone: 'lead', cell: (row) => <Said entry={row} /> },
    moneyColumn('Amount', (row) => row.amount, { sort: 'amount', phone: 'end' }),
    { header: 'Pays', phone: 'field', cell: (row) => <Pays entry={row} /> },
    {
      header: 'State',
      width: 130,
      phone: 'below',
      isDetail: true,
      cell: (row) => <StatusBadge status={BANK_ENTRY_STATE_NAMES[row.state]} />,
    },
    {
      header: 'Action',
      align: 'right',
      width: 116,
      phone: 'below',
      isAction: true,
      cell: (row) => <Action entry={row} />,
    },
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      options: BANK_ENTRY_STATES.map((state) => ({ value: state, label: BANK_ENTRY_STATE_NAMES[state] })),
      default: ['open', 'partly'],
      hiding: 'in other states',
    },
    { name: 'from', label: 'From', options: [], isDay: true },
    { name: 'to', label: 'To', options: [], isDay: true },
  ],
  defaultOrder: 'booked_on_desc',
  empty: {
    text: "Import your bank's statement as CAMT.053 or MT940: each entry is shown beside the sales that it pays. Nothing is booked until you confirm it.",
    steps: [],
    Also: () => (
      <div className={classes['first']}>
        <FirstFile />
      </div>
    ),
  },
  mayCreate: () => false,
}

/** The name of the payer or payee, and the text of the transfer. */
function Said({ entry: { name, iban, remittance, end_to_end, is_reversal } }: { entry: BankEntry }) {
  const text = remittance || end_to_end
  return (
    <span className={classes['said']}>
      <span className={classes['name']} title={iban ?? undefined}>
        {name ?? iban ?? 'Without a name'}
      </span>
      {(text || is_reversal) && (
        <small title={text ?? undefined}>
          {[is_reversal && 'Reversed by the bank', text].filter(Boolean).join(' · ')}
        </small>
      )}
    </span>
  )
}

/** The sales for which an entry was booked, or those that it seems to pay. */
function Pays({ entry }: { entry: BankEntry }) {
  const { payments, proposal, amount, booked, state } = entry
  const isOpen = state === 'open' || state === 'partly'
  const lines = [...payments.map((payment) => ({ ...payment, isBooked: true })), ...(proposal?.payments ?? [])]
  const isSpread = lines.length > 1 || (lines[0] !== undefined && lines[0].amount !== amount)
  return (
    <span className={classes['pays']}>
      {lines.map((line) => (
        <span key={'isBooked' in line ? `payment ${line.id}` : `sale ${line.sale_id}`}>
          <RowLink to={`${recordPath('sale', line.sale_id)}?tab=summary`}>
            {line.invoice_number ?? `Sale #${line.sale_id}`}
          </RowLink>{' '}
          {line.buyer_name}
          {isSpread && ` · ${formatMoney(line.amount)} ${CURRENCY}`}
          {'isBooked' in line && isOpen && ' · booked'}
        </span>
      ))}
      {isOpen && (
        <small data-sure={proposal?.is_sure || undefined}>
          {proposal?.why || (booked === 0 ? 'No sale fits.' : 'No sale fits the rest.')}
        </small>
      )}
    </span>
  )
}

function Action({ entry }: { entry: BankEntry }) {
  const { openDialog } = useChosenEntries()
  const [sending, run] = useAct()
  const { id, state, name, updated_at } = entry
  const about = `entry #${id}${name ? ` of ${name}` : ''}`
  if (state === 'booked') return null
  if (state !== 'aside')
    return (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Choose what ${about} pays`}
        onClick={() => openDialog(entry)}
      >
        Choose
      </Button>
    )
  const putBack = async () => {
    const body = { is_aside: false, updated_at }
    await run(() => api.post<WriteAnswer<BankEntry>>(`bank-entry/${id}/set-aside`, { body }))
    await invalidate('bank-entry')
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={sending}
      aria-label={`Put back ${about}`}
      onClick={() => void putBack()}
    >
      Put back
    </Button>
  )
}

/** The list of entries. Entries with a sure proposal are ticked until the person changes that. */
function EntryTable(props: TableProps<BankEntry>) {
  const { isTicked, tick } = useChosenEntries()
  const ticks = {
    isTicked: (entry: BankEntry) => hasProposal(entry) && isTicked(entry),
    onTick: tick,
    isFixed: (entry: BankEntry) => !hasProposal(entry),
  }
  return <DataTable {...props} ticks={ticks} />
}

function Actions() {
  if (!isAdmin(useMe())) return null
  return (
    <>
      <TakeIn />
      <BookButton list={list} />
    </>
  )
}
const ACTIONS = <Actions />

export default function BankEntryListPage() {
  const [ticks, setTicks] = useKeptTicks()
  const [shown, setShown] = useState<BankEntry | null>(null)
  const tick = useCallback(
    (entries: readonly BankEntry[], on: boolean) =>
      setTicks((now) => new Map([...now, ...entries.map((entry) => [keyOf(entry), on] as const)])),
    [setTicks],
  )
  const forget = useCallback(
    (entries: readonly BankEntry[]) => {
      const gone = new Set(entries.map(keyOf))
      setTicks((now) => new Map([...now].filter(([key]) => !gone.has(key))))
    },
    [setTicks],
  )
  const chosen = useMemo(
    () => ({
      isTicked: (entry: BankEntry) => ticks.get(keyOf(entry)) ?? entry.proposal?.is_sure ?? false,
      tick,
      forget,
      openDialog: setShown,
    }),
    [ticks, tick, forget],
  )
  return (
    <ChosenEntriesContext value={chosen}>
      <ListPage area={list} table={EntryTable} actions={ACTIONS} />
      {shown && (
        <Suspense>
          <EntryDialog entry={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </ChosenEntriesContext>
  )
}

/**
 * Ticks are kept under this key. If an entry's proposal changes, the key changes too, and the old tick no longer
 * counts: the person has not seen the new proposal.
 */
const keyOf = ({ id, proposal }: BankEntry) =>
  `${id} ${proposal?.payments.map(({ sale_id, amount, open_amount }) => `${sale_id}:${amount}:${open_amount}`).join()}`
