import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { CustomerVatChecks } from '@backstock/contract/vat-check.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidate } from '../../api/reads.ts'

/** The checks of a customer's VAT number. The key begins as the customer's own: both change together. */
export const vatChecks = (customerId: number) =>
  queryOptions({
    queryKey: ['customer', 'vat-checks', customerId],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: CustomerVatChecks }>(`customer/${customerId}/vat-checks`, { signal })).data,
  })

/** Sends a new check, or asks the server to ask VIES; then shows it wherever the customer is shown. */
export async function sendCheck(customerId: number, path: string, body: object, tellsTrouble = false): Promise<void> {
  const { data } = await api.post<WriteAnswer<CustomerVatChecks>>(`customer/${customerId}/${path}`, {
    body,
    tellsTrouble,
  })
  queryClient.setQueryData(vatChecks(customerId).queryKey, data)
  void invalidate('customer', 'sale')
}
