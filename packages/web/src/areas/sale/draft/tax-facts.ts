import type { TaxFacts } from '@backstock/contract/tax-facts.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'

/**
 * The facts on the server that decide the VAT of these items. For the correction of a sale, pass its id: then its day
 * of dispatch counts.
 */
export const taxFacts = (items: readonly number[], saleId?: number) =>
  queryOptions({
    queryKey: ['sale', 'tax-facts', items, saleId],
    queryFn: async ({ signal }) => {
      const body = { items, sale_id: saleId }
      return (await api.post<{ data: TaxFacts }>('sale/tax-facts', { body, silent: true, signal })).data
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
