import type { Dashboard } from '@backstock/contract/dashboard.ts'
import type { PaymentState } from '@backstock/contract/payment-state.ts'
import { SALE_STATUSES, type SaleStatus } from '@backstock/contract/sale-status.ts'
import type { StockAge } from '@backstock/contract/stock-age.ts'
import { SELLABLE_STATUSES, type StockStatus, UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

/** Today's figures; read anew with each visit. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: async ({ signal }) => (await api.get<{ data: Dashboard }>('dashboard', { signal })).data,
})

/** A list with its filters: what is behind a number. */
export type Target = { to: string; search?: Record<string, string> }

const UNVOIDED = SALE_STATUSES.filter((status) => status !== 'Voided').join(',')
const SELLABLE = SELLABLE_STATUSES.join(',')

export const stockOf = (status: StockStatus): Target => ({ to: '/admin/stock', search: { status } })
export const stockAged = (age: StockAge): Target => ({ to: '/admin/stock', search: { status: SELLABLE, age } })
export const unsoldStock: Target = { to: '/admin/stock', search: { status: UNSOLD_STATUSES.join(',') } }
export const sellableStock: Target = { to: '/admin/stock', search: { status: SELLABLE } }
export const salesOf = (...statuses: SaleStatus[]): Target => ({
  to: '/admin/sale',
  search: { status: statuses.join(','), order_by: 'id_asc' },
})
export const salesPaid = (states: readonly PaymentState[]): Target => ({
  to: '/admin/sale',
  search: { status: '', payment: states.join(',') },
})
export const salesOfWeek = (week: string): Target => ({ to: '/admin/sale', search: { week, status: UNVOIDED } })
export const importOf = (id: number): Target => ({ to: '/admin/stock/import/history', search: { id: String(id) } })
