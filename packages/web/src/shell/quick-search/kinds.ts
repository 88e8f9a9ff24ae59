import type { BatchRow } from '@backstock/contract/batch.ts'
import type { Customer } from '@backstock/contract/customer.ts'
import type { Page } from '@backstock/contract/page.ts'
import type { SaleRow } from '@backstock/contract/sale.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import type { Supplier } from '@backstock/contract/supplier.ts'
import type { UserRow } from '@backstock/contract/user.ts'
import { api } from '../../api/client.ts'
import { recordPath } from '../../ui/values/link.tsx'

const PAGE_SIZE = 10

export type Badge = { label: string; value: string } | { label: 'Status'; status: StockStatus }
/** `onOpen` is called before the hit's screen opens. */
export type Hit = { to: string; title: string; badges: Badge[]; onOpen?: (() => void) | undefined }

/** A kind of record that quick search finds. */
export type Kind = { area: string; title: string; hit: (row: never) => Hit }

const badge = (label: string, value: string | null): Badge[] => (value ? [{ label, value }] : [])

function kind<Row extends { id: number }>(
  area: string,
  title: string,
  name: (row: Row) => string,
  badges: (row: Row) => Badge[] = () => [],
): Kind {
  return {
    area,
    title,
    hit: (row: Row) => ({ to: recordPath(area, row.id), title: `#${row.id} ${name(row)}`, badges: badges(row) }),
  }
}

export const KINDS: readonly Kind[] = [
  kind<Pick<StockRow, 'id' | 'status' | 'imei' | 'imei2' | 'serial_number' | 'grade_name' | 'product_display_name'>>(
    'stock',
    'Stock',
    (row) => row.product_display_name,
    (row) => [
      { label: 'Status', status: row.status },
      ...badge('Grade', row.grade_name),
      ...badge('IMEI', row.imei),
      ...badge('IMEI 2', row.imei2),
      ...badge('Serial', row.serial_number),
    ],
  ),
  kind<BatchRow>('batch', 'Batch', (row) => row.name),
  kind<Pick<SaleRow, 'id' | 'reference_number' | 'invoice_number' | 'customer_name' | 'customer_company_name'>>(
    'sale',
    'Sales',
    (row) => row.reference_number ?? row.invoice_number ?? '',
    (row) => [
      ...badge('Customer', [row.customer_company_name, row.customer_name].filter(Boolean).join(' · ')),
      ...badge('Invoice', row.reference_number ? row.invoice_number : null),
    ],
  ),
  kind<Customer>(
    'customer',
    'Customer',
    (row) => row.full_name,
    (row) => badge('Company', row.company_name),
  ),
  kind<UserRow>(
    'user',
    'Staff',
    (row) => row.name,
    (row) => badge('Email', row.email),
  ),
  kind<Supplier>('supplier', 'Supplier', (row) => row.company_name),
]

export type Group = { title: string; hits: Hit[] }

/**
 * Searches each kind of record. Groups without hits are left out. For an empty text it searches an id that no record
 * has.
 */
export async function findHits(
  kinds: readonly Kind[],
  text: string,
  inStockOnly: boolean,
  signal: AbortSignal,
): Promise<Group[]> {
  const groups = await Promise.all(
    kinds.map(async ({ area, title, hit }) => {
      const query = {
        per_page: PAGE_SIZE,
        search: text,
        quick: true,
        id: text === '' ? -1 : undefined,
        status: inStockOnly && area === 'stock' ? 'In Stock' : undefined,
      }
      const page = await api.get<Page<never>>(`${area}/find`, { query, signal })
      return { title, hits: page.data.map(hit) }
    }),
  )
  return groups.filter((group) => group.hits.length > 0)
}
