import type { InvoiceLacks } from '@backstock/contract/invoice-lacks.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../../api/client.ts'
import type { DraftCustomer } from './customer.tsx'
import type { DraftLine } from './lines.ts'
import type { DraftTax } from './tax.ts'

const TYPING_MS = 400

const invoiceLacks = (body: object) =>
  queryOptions({
    queryKey: ['sale', 'invoice-lacks', body],
    queryFn: async ({ signal }) =>
      (await api.post<{ data: InvoiceLacks }>('sale/invoice-lacks', { body, silent: true, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })

type Draft = {
  lines: readonly DraftLine[]
  tax: DraftTax
  vats: readonly Vat[]
  wanted: boolean
  reference_number: string
}

/**
 * The facts that this draft's invoice would lack, as the server lists them. Undefined until they are known, or if no
 * invoice is wanted.
 */
export function useInvoiceLacks(
  { isNew, id, typed }: DraftCustomer,
  { lines, tax, vats, wanted, reference_number }: Draft,
): InvoiceLacks | undefined {
  const { customer_email: _, customer_phone: __, ...parts } = typed
  const filled = Object.entries(parts).filter(([, text]) => text.trim() !== '')
  const chosen = isNew ? Object.fromEntries(filled) : { customer_id: id }
  const [buyer] = useDebouncedValue(JSON.stringify({ ...chosen, reference_number }), TYPING_MS)
  const taxed = useMemo(() => taxedWays(lines, tax, vats), [lines, tax, vats])
  const { data } = useQuery({ ...invoiceLacks({ ...JSON.parse(buyer), lines: taxed }), enabled: wanted })
  return wanted ? data : undefined
}

/** The different ways in which the lines are taxed. */
function taxedWays(lines: readonly DraftLine[], tax: DraftTax, vats: readonly Vat[]) {
  const names = new Map(vats.map(({ id, name }) => [id, name]))
  const ways = lines.flatMap(({ id, vat_type_id }) => {
    const taken = tax.lines.get(id)?.taken
    const vat_name = names.get(vat_type_id ?? 0) ?? null
    return taken ? [JSON.stringify({ vat_treatment: taken.treatment, vat_rate: taken.rate / 100, vat_name })] : []
  })
  return [...new Set(ways)].sort().map((way) => JSON.parse(way) as object)
}
