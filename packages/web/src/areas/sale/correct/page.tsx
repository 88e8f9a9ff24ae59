import type { Customer } from '@backstock/contract/customer.ts'
import { Alert, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { record } from '../../../api/reads.ts'
import { useRecordId } from '../../../crud/record-page.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import type { KeptForm } from '../../../ui/feedback/kept-form.ts'
import { KeptNote } from '../../../ui/feedback/kept-note.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'
import { taxFacts } from '../draft/tax-facts.ts'
import { whyNotCorrect } from '../sale-papers.ts'
import { useSale } from '../sale-record.ts'
import { CorrectForm } from './form.tsx'

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth']

/** Corrects a sale and, with it, its documents. */
export default function SaleCorrectPage() {
  const id = useRecordId()
  const [kept, setKept] = useState<KeptForm | null>(null)
  const [discards, setDiscards] = useState(0)
  const { customer: taken } = useSearch({ strict: false }) as { customer?: string }
  const found = useSale(id)
  const sale = found.data
  const items = useMemo(() => (sale ? sale.items.map(({ stock_id }) => stock_id) : []), [sale])
  const facts = useQuery({ ...taxFacts(items, sale?.id), enabled: items.length > 0 })
  const customer = useQuery({ ...record<Customer>('customer', sale?.customer_id ?? 0), enabled: sale !== undefined })
  const whyNot = sale ? whyNotCorrect(sale) : null
  const queries = [found, facts, customer]
  const failed = queries.find((query) => query.isError && query.data === undefined)
  const crumbs = [
    { title: 'Sales Overview', to: '/admin/sale' },
    { title: `Sale #${id ?? ''}`, to: recordPath('sale', id ?? 0) },
    { title: 'Correct' },
  ]
  return (
    <>
      <PageHeader
        title={`Correct sale #${id ?? ''}`}
        crumbs={crumbs}
        note={kept && <KeptNote isFound={kept.isFound} onDiscard={kept.discard} />}
      />
      {failed || id === null ? (
        <ErrorState
          error={failed?.error ?? new ApiError(404, 'There is no such sale.')}
          retry={() => queries.forEach((query) => void query.refetch())}
        />
      ) : sale && whyNot !== null ? (
        <Alert color="gray">
          {whyNot}{' '}
          <TextLink to={recordPath('sale', sale.id)} inherit underline="always">
            Back to the sale
          </TextLink>
        </Alert>
      ) : sale && facts.data && customer.data ? (
        <CorrectForm
          key={`${sale.id} ${discards}`}
          sale={sale}
          onKept={setKept}
          onDiscard={() => setDiscards((count) => count + 1)}
          facts={facts.data}
          customer={customer.data}
          takesOver={taken !== undefined && sale.invoice_differs.length > 0}
        />
      ) : (
        <Panel>
          {PLACES.map((place) => (
            <Skeleton key={place} height={20} my="md" />
          ))}
        </Panel>
      )}
    </>
  )
}
