import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { DeliveryCheck, DeliveryCheckAnswer } from '@backstock/contract/delivery-check.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, type Query } from '../../api/client.ts'

export const checkPath = (id: number) => `/admin/stock/check/${id}`

/** The screen must show other people's scans within two seconds. */
const POLL_MS = 1500

/**
 * A delivery check with its counts and a page of the list in sight. It is read again and again while the check is open.
 */
export const deliveryCheck = (id: number, query: Query) =>
  queryOptions<DeliveryCheckAnswer['data']>({
    queryKey: ['stock/check', 'record', id, query],
    queryFn: async ({ signal }) => (await api.get<DeliveryCheckAnswer>(`stock/check/${id}`, { query, signal })).data,
    // Scans go to the check in sight, so another check must not stand in for this one.
    placeholderData: (before) => (before?.id === id ? before : undefined),
    refetchInterval: ({ state }) => (state.data?.state === 'closed' ? false : POLL_MS),
  })

/** Begins a check and returns its id. If the import has an open check already, returns the id of that check. */
export async function beginCheck(body: object, key: string): Promise<number> {
  const call = { body, idempotent: key, silent: true, tellsTrouble: true }
  return (await api.post<WriteAnswer<DeliveryCheck>>('stock/check', call)).data.id
}
