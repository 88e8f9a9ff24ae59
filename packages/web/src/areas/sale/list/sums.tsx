import type { SaleSums as Sums } from '@backstock/contract/sale.ts'
import { Box } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type Query } from '../../../api/client.ts'
import { type ListState, type ReadBy, whichRows, writeListState } from '../../../crud/list-state.ts'
import { useListState } from '../../../crud/use-list-state.ts'
import { PartUnread } from '../../../ui/feedback/part-unread.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Money } from '../../../ui/values/money.tsx'
import classes from './sums.module.css'

const sums = (query: Query) =>
  queryOptions({
    queryKey: ['sale', 'sums', query],
    queryFn: async ({ signal }) => (await api.get<{ data: Sums }>('sale/sums', { query, signal })).data,
    placeholderData: keepPreviousData,
  })

/** Whether the list is searched or filtered. */
const isNarrowed = (state: ListState, list: ReadBy) => {
  const { page: _, per_page: __, order_by: ___, ...which } = writeListState(state, list)
  return Object.values(which).some((value) => value !== undefined)
}

/** The totals of all listed sales, also of those on other pages. They are shown if the list is searched or filtered. */
export function SaleSums({ list }: { list: ReadBy }) {
  const [state] = useListState(list)
  return isNarrowed(state, list) ? <SumsOf query={whichRows(state)} /> : null
}

function SumsOf({ query }: { query: Query }) {
  const { data, isPlaceholderData, error, refetch } = useQuery(sums(query))
  if (error && !data)
    return (
      <Box my="sm">
        <PartUnread title="The totals could not be read" error={error} retry={() => void refetch()} />
      </Box>
    )
  const number = (n: number | undefined) => n?.toLocaleString('en') ?? '-'
  return (
    <Panel px="md" py={10} my="sm" aria-busy={!data || isPlaceholderData}>
      <dl className={classes['sums']}>
        <Figure name="Sales">{number(data && data.sales - data.voided)}</Figure>
        {FIGURES.map(([name, key]) => (
          <Figure key={key} name={name}>
            <Money amount={data?.[key] ?? null} />
          </Figure>
        ))}
        <Figure name="Voided, not counted">{number(data?.voided)}</Figure>
      </dl>
    </Panel>
  )
}

/** All totals are always drawn, so that nothing moves when they have loaded. */
const FIGURES: [name: string, key: keyof Sums][] = [
  ['Net', 'net'],
  ['VAT', 'vat'],
  ['Gross', 'gross'],
  ['Credited on these, incl. VAT', 'returned'],
]

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
