import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'
import type { StockColumns } from '../../stock/columns.ts'
import type { DescribedProduct } from '../read/described-product.ts'
import type { CurrentItem } from './choose-item.ts'

export type NamedRecord = { id: number; name: string }
/** `purchase` is the treatment with which items of this supplier were bought, if the row has none. */
export type KnownSupplier = NamedRecord & { purchase: PurchaseTreatment }
export type KnownProduct = { id: number; display_name: string }

/** The item as it is to be written. */
export type Wanted = StockColumns & {
  in_hand: boolean
  sale_id: number | null
  grading_data: Record<string, unknown>
  attributes: Record<string, unknown>
}
export type Written = {
  /** The item after the row. Its `actual_product_id` is `product.id`. */
  wanted: Wanted
  product: KnownProduct
  /** The product that the import must make first; `product` is empty then. */
  newProduct: DescribedProduct | null
  supplier: string | null
  vat: string | null
  grade: string | null
}
export type Create = Written & { kind: 'create' }
/** `freed` has the identifiers that lead to another item, or to none, after this update (see `Earlier`). */
export type Update = Written & { kind: 'update'; item: CurrentItem; freed: string[] }
/**
 * `blockedItem` is the item that the row meant to change; null if an earlier row changed it. No later row may change
 * it.
 */
export type Failed = { kind: 'failed'; errors: FieldErrors; blockedItem: number | null }
export type Decision = Create | Update | Failed
