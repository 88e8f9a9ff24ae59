import type { CustomerAccount, OpenItem } from '@backstock/contract/letter.ts'
import { isStated, type LetterKind, MAX_REMINDED, whyNotReminded } from '@backstock/contract/letter-kind.ts'
import { Alert, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { record } from '../../api/reads.ts'
import { UnreadRecord } from '../../crud/unread-record.tsx'
import { formatDate } from '../../ui/fields/date-format.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { moneyColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowLink, recordPath, TextLink } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import { lastReminderColumn } from './last-reminder.tsx'
import { Letters } from './letters.tsx'
import classes from './open-item.module.css'
import { overdueBy } from './overdue-by.ts'

const LetterDialog = lazyPart(() => import('./letter-dialog.tsx'))

const POLL_MS = 2000
const isUnderWay = ({ letters }: CustomerAccount) =>
  letters.some(({ state }) => state === 'waiting' || state === 'sending')

type Row = OpenItem & { id: number }

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Invoice',
    phone: 'lead',
    cell: (row) => (
      <RowLink to={`${recordPath('sale', row.sale_id)}?tab=summary`} className={classes['onOneLine'] ?? ''}>
        {row.number ?? `Sale #${row.sale_id}`}
      </RowLink>
    ),
  },
  {
    header: 'Date',
    width: 104,
    phone: 'hidden',
    isDetail: true,
    cell: (row) => row.issued_on && formatDate(row.issued_on, 'dd/MM/yyyy'),
  },
  {
    header: 'Due on',
    width: 104,
    phoneLabel: 'Due on',
    cell: (row) => row.open > 0 && row.due_on && <span>{formatDate(row.due_on, 'dd/MM/yyyy')}</span>,
  },
  {
    header: 'State',
    width: 148,
    cell: (row) => (
      <span className={classes['onOneLine']} data-late={row.days_overdue > 0 || undefined}>
        {stateOf(row)}
      </span>
    ),
  },
  moneyColumn('Total', (row) => row.total, { phone: 'hidden' }),
  moneyColumn('Paid', (row) => (row.paid === 0 ? null : row.paid), { phone: 'hidden' }),
  moneyColumn('Open', (row) => row.open, { phone: 'end' }),
  lastReminderColumn(),
]

function stateOf({ open, number, is_sent, days_overdue, due_on }: OpenItem): string {
  if (open < 0) return 'Refund due'
  if (number === null) return 'No invoice yet'
  if (!is_sent) return 'Invoice not sent'
  if (days_overdue > 0) return overdueBy(days_overdue)
  return due_on === null ? '' : 'Not due yet'
}

/** A customer's open items, from which a person makes a statement or a reminder, and the earlier letters. */
export default function AccountPage() {
  const { id: text } = useParams({ strict: false }) as { id?: string }
  const id = text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
  const found = useQuery({
    ...record<CustomerAccount>('open-item', id ?? 0),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  })
  if (found.data) return <Account key={found.data.id} account={found.data} />
  return (
    <>
      <PageHeader title="Open items" crumbs={crumbs(`#${text ?? ''}`)} />
      <UnreadRecord id={id} read={found} kind="customer" />
    </>
  )
}

const crumbs = (name: string) => [
  { title: 'Documents', to: '/admin/document' },
  { title: 'Open items', to: '/admin/open-item' },
  { title: name },
]

function Account({ account }: { account: CustomerAccount }) {
  const { id, items, today, full_name, company_name } = account
  const [asked, setAsked] = useState<LetterKind | null>(null)
  /** Invoices whose tick the person has changed. Otherwise all that can be reminded of are ticked. */
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map())
  const rows = useMemo(() => items.map((item) => ({ ...item, id: item.sale_id })), [items])
  const mayBe = (row: OpenItem) => whyNotReminded(row, today) === null
  const isTicked = (row: Row) => mayBe(row) && (changed.get(row.id) ?? true)
  const chosen = rows.filter(isTicked)
  const ticks = {
    isTicked,
    isFixed: (row: Row) => !mayBe(row),
    onTick: (ticked: readonly Row[], on: boolean) =>
      setChanged((now) => new Map([...now, ...ticked.map((row) => [row.id, on] as const)])),
  }
  const stated = items.filter(isStated)
  const name = company_name ?? full_name
  return (
    <>
      <PageHeader
        title={`Open items of ${name}`}
        crumbs={crumbs(name)}
        actions={
          <>
            <Button variant="default" disabled={stated.length === 0} onClick={() => setAsked('statement')}>
              Statement
            </Button>
            <Button disabled={chosen.length === 0 || chosen.length > MAX_REMINDED} onClick={() => setAsked('reminder')}>
              Reminder
            </Button>
          </>
        }
      />
      <Stack gap="md">
        <Figures account={account} />
        {account.more > 0 && (
          <Alert color="orange">
            {account.more.toLocaleString('en')} more open items, which are due later, are not shown.
          </Alert>
        )}
        {chosen.length > MAX_REMINDED && (
          <Alert color="orange">A reminder takes at most {MAX_REMINDED} invoices. Untick some.</Alert>
        )}
        <Panel p={0}>
          <DataTable
            label="Open items"
            columns={COLUMNS}
            rows={rows}
            ticks={ticks}
            empty={<p>This customer has paid everything.</p>}
          />
        </Panel>
        <Letters letters={account.letters} sendsMail={account.sends_mail} />
      </Stack>
      {asked && (
        <Suspense>
          <LetterDialog
            key={id}
            account={account}
            kind={asked}
            items={asked === 'reminder' ? chosen : stated}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      )}
    </>
  )
}

function Figures({ account }: { account: CustomerAccount }) {
  const { id, open_total, overdue_total, credit_total, without_invoice } = account
  const sums: [name: string, amount: number, isBad?: boolean][] = [
    ['Open', open_total],
    ['Overdue', overdue_total, overdue_total > 0],
    ...(credit_total > 0 ? [['Refund due', credit_total] as [string, number]] : []),
    ...(without_invoice > 0 ? [['Open without an invoice', without_invoice] as [string, number]] : []),
  ]
  return (
    <Panel>
      <dl className={classes['figures']}>
        {sums.map(([name, amount, isBad]) => (
          <div key={name} data-bad={isBad || undefined}>
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} />
            </dd>
          </div>
        ))}
        <div>
          <dt>Customer</dt>
          <dd>
            <TextLink to={recordPath('customer', id)} size="sm">
              {account.full_name}
            </TextLink>
          </dd>
        </div>
      </dl>
    </Panel>
  )
}
