import type { ReturnLookUpAnswer, ReturnLookUpRow } from '@backstock/contract/customer-return.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { linesOf } from '../quick-order/look-up.ts'
import type { Choices } from './choices.tsx'
import type { FoundLine } from './found-table.tsx'
import { itemsText } from './sums.ts'

const DEBOUNCE_MS = 400

/** Looks up the pasted lines. It is a read, but sent by POST, since the lines may be long. */
const lookUp = (lines: readonly string[]) =>
  queryOptions({
    queryKey: ['return', 'look-up', lines],
    queryFn: ({ signal }) => api.post<ReturnLookUpAnswer>('return/look-up', { body: { lines }, silent: true, signal }),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
  })

export type Buyer = { id: number; name: string; items: number }

/** The customers who bought the items that may come back. The one with most items comes first. */
function buyersOf(rows: readonly ReturnLookUpRow[]): Buyer[] {
  const sales = rows.flatMap((row) => (row.returnable && row.sale ? row.sale : []))
  return [...Map.groupBy(sales, (sale) => sale.customer_id)]
    .flatMap(([id, of]) => of.slice(0, 1).map(({ customer_name }) => ({ id, name: customer_name, items: of.length })))
    .toSorted((a, b) => b.items - a.items)
}

const UNCHOSEN = { reason: 'not_stated', condition: 'not_checked', outcome: 'restock' } as const

function linesFor(rows: readonly ReturnLookUpRow[], buyer: Buyer | undefined, choices: Choices): FoundLine[] {
  return rows.map((row) => {
    const isOthers = row.returnable && row.sale?.customer_id !== buyer?.id
    const locked = isOthers ? `Sold to ${row.sale?.customer_name}: needs a return of its own` : row.why_not
    const sold_price = row.sale?.price ?? 0
    const sold = { sold_price, price: sold_price, prices_include_vat: row.sale?.prices_include_vat ?? false }
    return { ...row, ...UNCHOSEN, ...sold, ...choices.get(row.id), locked, editable: locked === null }
  })
}

/** The items of the pasted lines, for one of their buyers: the wanted one, or else the one with most items. */
export type FoundLines = {
  /** Undefined until it is known, or if nothing was pasted. */
  answer: ReturnLookUpAnswer | undefined
  /** Null if the lines could be looked up. */
  error: Error | null
  /** True while the answer may be of an earlier text. */
  waiting: boolean
  isEmpty: boolean
  rows: readonly FoundLine[]
  buyers: readonly Buyer[]
  buyer: Buyer | undefined
  /** The number of items that may come back but were sold to somebody else. */
  others: number
}

export function useFoundLines(text: string, wantedBuyer: number | null, choices: Choices): FoundLines {
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const lines = useMemo(() => linesOf(settled), [settled])
  const isEmpty = lines.length === 0
  const found = useQuery(lookUp(lines))
  const answer = isEmpty ? undefined : found.data
  const buyers = useMemo(() => buyersOf(answer?.data ?? []), [answer])
  const buyer = buyers.find(({ id }) => id === wantedBuyer) ?? buyers[0]
  return {
    answer,
    error: isEmpty ? null : found.error,
    waiting: settled !== text || found.isPlaceholderData || (!isEmpty && found.isPending),
    isEmpty,
    rows: useMemo(() => linesFor(answer?.data ?? [], buyer, choices), [answer, buyer, choices]),
    buyers,
    buyer,
    others: answer?.data.filter((row) => row.returnable && row.sale?.customer_id !== buyer?.id).length ?? 0,
  }
}

/** For example `3 items of Ada Byron, 1 cannot come back, 2 not sold by you`. */
export function foundText(answer: ReturnLookUpAnswer, coming: number, { others, buyer }: FoundLines): string {
  const parts = [
    [others, 'of other customers'],
    [answer.data.filter((row) => !row.returnable).length, 'cannot come back'],
    [answer.not_found.length, 'not sold by you'],
    [answer.ambiguous.length, 'may be several phones'],
    [answer.duplicates.length, 'twice'],
  ] as const
  const what = buyer ? `${itemsText(coming)} of ${buyer.name}` : itemsText(coming)
  return [what, ...parts.filter(([n]) => n > 0).map(([n, words]) => `${n.toLocaleString('en')} ${words}`)].join(', ')
}
