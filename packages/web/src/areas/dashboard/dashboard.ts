import type { Dashboard, Worth } from '@backstock/contract/dashboard.ts'
import type { MayBePutAway } from '@backstock/contract/dashboard-parts.ts'
import type { PaymentState } from '@backstock/contract/payment-state.ts'
import { SALE_STATUSES, type SaleStatus } from '@backstock/contract/sale-status.ts'
import type { StockAge } from '@backstock/contract/stock-age.ts'
import { SELLABLE_STATUSES, type StockStatus, UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'
import { tellFailure } from '../../api/tell-failure.ts'

/** The figures of the dashboard. They are read again at each visit. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  refetchOnMount: 'always',
  queryFn: async ({ signal }) => (await api.get<{ data: Dashboard }>('dashboard', { signal })).data,
})

/** Hides a part of the dashboard for this person, or shows it again. */
export async function putAway(what: MayBePutAway, isAway: boolean): Promise<void> {
  const body = { what, put_away: isAway }
  await api.post('dashboard/put-away', { body, silent: true }).catch((error) => tellFailure(error))
  await invalidate('dashboard')
}

/** The list behind a number: its address with filters. */
export type Target = { to: string; search?: Record<string, string> }

const UNVOIDED = SALE_STATUSES.filter((status) => status !== 'Voided').join(',')
const SELLABLE = SELLABLE_STATUSES.join(',')

export const stockOf = (status: StockStatus): Target => ({ to: '/admin/stock', search: { status } })
export const stockAged = (age: StockAge): Target => ({ to: '/admin/stock', search: { status: SELLABLE, age } })
export const unsoldStock: Target = { to: '/admin/stock', search: { status: UNSOLD_STATUSES.join(',') } }
export const sellableStock: Target = { to: '/admin/stock', search: { status: SELLABLE } }
export const unpricedStock: Target = { to: '/admin/stock', search: { status: SELLABLE, unpriced: 'true' } }
export const salesOf = (...statuses: SaleStatus[]): Target => ({
  to: '/admin/sale',
  search: { status: statuses.join(','), order_by: 'id_asc' },
})
export const salesPaid = (states: readonly PaymentState[]): Target => ({
  to: '/admin/sale',
  search: { status: '', payment: states.join(',') },
})
export const salesOfWeek = (week: string): Target => ({ to: '/admin/sale', search: { week, status: UNVOIDED } })
/** The sales since this day (`yyyy-mm-dd`), without the Voided ones. */
export const salesFrom = (from: string): Target => ({ to: '/admin/sale', search: { from, status: UNVOIDED } })
export const importOf = (id: number): Target => ({ to: '/admin/stock/import/history', search: { id: String(id) } })

/** For example `1 sale` or `1,204 sales`. */
export const counted = (n: number, one: string) => `${n.toLocaleString('en')} ${n === 1 ? one : `${one}s`}`

export const sum = (parts: readonly Worth[]): Worth => ({
  items: parts.reduce((total, part) => total + part.items, 0),
  cost: parts.reduce((total, part) => total + part.cost, 0),
  sales: parts.reduce((total, part) => total + part.sales, 0),
  unpriced: parts.reduce((total, part) => total + part.unpriced, 0),
})
