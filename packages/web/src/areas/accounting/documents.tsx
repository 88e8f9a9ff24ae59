import type { BookedDocument } from '@backstock/contract/accounting.ts'
import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import type { Page } from '@backstock/contract/page.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import { treatmentAt } from '@backstock/contract/treatment.ts'
import { Text, Title } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { PageBar, useLastPage } from '../../crud/list-bar.tsx'
import { entriesShown } from '../../crud/list-state.ts'
import { useListState } from '../../crud/use-list-state.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { formatDate } from '../../ui/fields/date-format.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { textColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowLink, recordPath } from '../../ui/values/link.tsx'
import classes from './accounting.module.css'
import { Amount } from './figures.tsx'
import type { Period } from './period.ts'

const LIST = {}

const documents = (period: Period, page: number, per_page: number) =>
  queryOptions({
    queryKey: ['accounting', 'documents', period, page, per_page],
    queryFn: ({ signal }) =>
      api.get<Page<BookedDocument>>('accounting/documents', { query: { ...period, page, per_page }, signal }),
    placeholderData: keepPreviousData,
  })

type Part = BookedDocument['parts'][number]
/**
 * A row for one treatment and rate of a document. `id` is the row's place in the page, because a document may have
 * several rows.
 */
type Row = Omit<BookedDocument, 'parts'> & { part: Part | undefined }

const rowsOf = (page: Page<BookedDocument>): Row[] =>
  page.data
    .flatMap(({ parts, ...document }): Row[] =>
      parts.length > 0 ? parts.map((part) => ({ ...document, part })) : [{ ...document, part: undefined }],
    )
    .map((row, id) => ({ ...row, id }))

const COLUMNS: Column<Row>[] = [
  {
    header: 'Number',
    phone: 'lead',
    cell: ({ number, sale_id }) => (
      <RowLink to={recordPath('sale', sale_id)}>
        <span className={classes['number']}>{number}</span>
      </RowLink>
    ),
  },
  {
    header: 'Kind',
    cell: ({ kind, credits_number }) => (
      <>
        {DOCUMENT_NAMES[kind]}
        {credits_number !== null && (
          <>
            {' for '}
            <span className={classes['number']}>{credits_number}</span>
          </>
        )}
      </>
    ),
  },
  { header: 'Date', cell: ({ issued_on }) => formatDate(issued_on, 'dd/MM/yyyy') },
  textColumn('Buyer', ({ buyer_name }) => buyer_name),
  textColumn('Country', ({ buyer_country }) => buyer_country, { phone: 'hidden', isDetail: true }),
  textColumn('VAT number', ({ buyer_vat_number: number }) => number && shownVatNumber(number), {
    phone: 'hidden',
    isDetail: true,
  }),
  {
    header: 'Treatment',
    cell: ({ part }) => part && treatmentAt(part.treatment, part.rate),
  },
  { header: 'Net', align: 'right', phone: 'end', cell: ({ part }) => part && <Amount of={part.net} /> },
  { header: 'VAT', align: 'right', phone: 'hidden', cell: ({ part }) => part && <Amount of={part.vat} /> },
]

/** The documents of a period, sorted by day, with a row for each treatment and rate. */
export function Documents({ period }: { period: Period }) {
  const [state, change] = useListState(LIST)
  const page = useQuery(documents(period, state.page, state.perPage))
  useLastPage({ state, onChange: change }, page.isPlaceholderData ? undefined : page.data?.last_page)
  const { data } = page
  return (
    <Panel p={0} className={classes['documents'] ?? ''}>
      <div className={classes['head']}>
        <Title order={2}>Documents</Title>
        <p aria-live="polite">{data ? entriesShown(data) : ' '}</p>
      </div>
      {page.isError && !data ? (
        <ErrorState error={page.error} retry={() => void page.refetch()} />
      ) : (
        <DataTable
          label="Documents"
          columns={COLUMNS}
          rows={data && rowsOf(data)}
          dimmed={page.isPlaceholderData}
          empty={
            <Text size="sm" mt={4}>
              Invoices and credit notes appear here on the day they are issued.
            </Text>
          }
        />
      )}
      {data && data.total > 0 && <PageBar state={state} onChange={change} lastPage={data.last_page} />}
    </Panel>
  )
}
