import { STOCK_AGE_NAMES, STOCK_AGES } from '@backstock/contract/stock-age.ts'
import { STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import type { Filter } from '../../crud/area.ts'

/** The filters of the stock list, and of bulk edits of all items that it shows. */
export const STOCK_FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'Status',
    options: STOCK_STATUSES.map((status) => ({ value: status, label: status })),
    default: ['In Stock'],
    hiding: 'in other statuses',
    hidden: 'stock/elsewhere',
  },
  { name: 'supplier_id', label: 'Supplier', options: [], of: 'supplier', isMore: true },
  { name: 'make_id', label: 'Make', options: [], of: 'make', isMore: true },
  { name: 'product_id', label: 'Product', options: [], of: 'product', isMore: true },
  { name: 'grade_id', label: 'Grade', options: [], of: 'grade', isMore: true },
  { name: 'batch_id', label: 'Batch', options: [], of: 'batch', isMore: true },
  {
    name: 'age',
    label: 'Age',
    options: STOCK_AGES.map((age) => ({ value: age, label: STOCK_AGE_NAMES[age] })),
    isMore: true,
  },
  { name: 'price_from', label: 'Sales price from', options: [], isAmount: true, isMore: true },
  { name: 'price_to', label: 'Sales price to', options: [], isAmount: true, isMore: true },
  {
    name: 'network_locked',
    label: 'Network lock',
    options: [
      { value: 'true', label: 'Locked' },
      { value: 'false', label: 'Not locked' },
    ],
    isOne: true,
    isMore: true,
  },
  {
    name: 'unpriced',
    label: 'Sales price',
    options: [{ value: 'true', label: 'Without a sales price' }],
    isMore: true,
  },
  { name: 'import', label: 'Import', options: [], chip: (id) => (/^\d{1,9}$/.test(id) ? `#${id}` : null) },
]
