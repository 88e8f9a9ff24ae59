import type { Accounting } from '@backstock/contract/accounting.ts'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { apiUrl } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import type { Address } from '../../crud/list-state.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { formatDate } from '../../ui/fields/date-format.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './accounting.module.css'
import { books } from './books.ts'
import { Documents } from './documents.tsx'
import { type Kind, kindOf, type Period, periodIn } from './period.ts'
import { PeriodBar } from './period-bar.tsx'
import { Summary } from './summary.tsx'

export default function AccountingPage() {
  if (isAdmin(useMe())) return <Books />
  return (
    <>
      <PageHeader title="Accounting" />
      <ErrorState error={new ApiError(403, 'Only an administrator can do this.')} />
    </>
  )
}

function Books() {
  const address = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const asked = periodIn(address)
  const found = useQuery(books(asked))
  const { data } = found
  const period = asked ?? (data && { from: data.from, to: data.to })
  const change = (by: Kind, { from, to }: Period) =>
    void navigate({
      to: '.',
      search: (now: Address) => ({ ...now, by: by === 'days' ? by : undefined, from, to, page: undefined }),
      resetScroll: false,
      replace: by === 'days' && address['by'] === 'days',
    })
  return (
    <>
      <PageHeader
        title="Accounting"
        note={data && !found.isPlaceholderData ? shown(data) : ' '}
        actions={period && <Files period={period} lacks={data?.datev_lacks ?? []} />}
      />
      {period && <PeriodBar kind={kindOf(period, address['by'])} period={period} onChange={change} />}
      {found.isError && !data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : data && period ? (
        <div className={classes['page']}>
          <div
            className={classes['books']}
            aria-busy={found.isPlaceholderData}
            data-dimmed={found.isPlaceholderData || undefined}
          >
            <Summary books={data} />
          </div>
          <Documents period={period} />
        </div>
      ) : (
        <div className={classes['summary']}>
          {['vat', 'margin', 'buyers'].map((part) => (
            <Panel key={part} className={part === 'vat' ? (classes['wide'] ?? '') : ''}>
              {['head', 'first', 'second', 'third'].map((row) => (
                <Skeleton key={row} height={20} my="sm" />
              ))}
            </Panel>
          ))}
        </div>
      )}
    </>
  )
}

const day = (text: string) => formatDate(text, 'dd/MM/yyyy')
const some = (count: number, one: string) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

const shown = ({ from, to, invoices, credit_notes }: Accounting) =>
  `${day(from)} to ${day(to)}: ${some(invoices, 'invoice')}, ${some(credit_notes, 'credit note')}. Amounts in EUR.`

/**
 * The buttons for the accountant's files. If settings for DATEV are missing (`lacks`), the DATEV button leads to the
 * page that sets them.
 */
function Files({ period, lacks }: { period: Period; lacks: readonly string[] }) {
  const file = (kind: string) => apiUrl(`accounting/${kind}`, { ...period })
  return (
    <>
      <Button component="a" href={file('excel')} target="_blank">
        Excel
      </Button>
      <Button component="a" href={file('csv')} target="_blank" variant="default">
        CSV
      </Button>
      <Button
        component="a"
        href={file('zip')}
        target="_blank"
        variant="default"
        title="The PDF and XML of the period’s final documents"
      >
        ZIP
      </Button>
      {lacks.length === 0 ? (
        <Button component="a" href={file('datev')} target="_blank" variant="default">
          DATEV
        </Button>
      ) : (
        <Button component={Link} to="/admin/datev" search={period as never} variant="default">
          DATEV
        </Button>
      )}
    </>
  )
}
