import { NAMED_PERIODS, periodName } from '@backstock/contract/named-period.ts'
import { PAYMENT_STATES } from '@backstock/contract/payment-state.ts'
import { DEFAULT_SALE_FILTER, SALE_STATUSES } from '@backstock/contract/sale-status.ts'
import { isMonday } from '@backstock/contract/time.ts'
import type { Filter } from '../../../crud/area.ts'
import { formatDate } from '../../../ui/fields/date-format.ts'

/** The filters of the sale list, also used for its totals. */
export const SALE_FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'Status',
    options: SALE_STATUSES.map((status) => ({ value: status, label: status })),
    default: [...DEFAULT_SALE_FILTER],
    hiding: 'in other statuses',
    hidden: 'find',
  },
  {
    name: 'payment',
    label: 'Payment',
    options: PAYMENT_STATES.map((state) => ({ value: state, label: state })),
  },
  {
    name: 'period',
    label: 'Period',
    options: NAMED_PERIODS.map((period) => ({ value: period, label: periodName(period) })),
    isOne: true,
    isMore: true,
  },
  { name: 'from', label: 'From', options: [], isDay: true, isMore: true },
  { name: 'to', label: 'To', options: [], isDay: true, isMore: true },
  { name: 'customer_id', label: 'Customer', options: [], of: 'customer', isMore: true },
  {
    name: 'week',
    label: 'Week of',
    options: [],
    chip: (week) => (isMonday(week) ? formatDate(week, 'dd/MM/yyyy') : null),
  },
]
