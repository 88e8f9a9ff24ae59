import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'
import type { StockColumns } from '../../stock/columns.ts'
import type { DescribedProduct } from '../read/described-product.ts'
import type { CurrentItem } from './choose-item.ts'

export type NamedRecord = { id: number; name: string }
/** `purchase` is what items of this supplier were bought under, unless they say otherwise. */
export type KnownSupplier = NamedRecord & { purchase: PurchaseTreatment }
export type KnownProduct = { id: number; display_name: string }

/** The item that is to be written. */
export type Wanted = StockColumns & {
  in_hand: boolean
  sale_id: number | null
  grading_data: Record<string, unknown>
  attributes: Record<string, unknown>
}
export type Written = {
  /** Its `actual_product_id` is `product.id`. */
  wanted: Wanted
  product: KnownProduct
  /** The product that has to be made first; `product` is then empty. */
  newProduct: DescribedProduct | null
  supplier: string | null
  vat: string | null
  grade: string | null
}
export type Create = Written & { kind: 'create' }
/** `freed` are the identifiers that this update makes lead elsewhere, as `Earlier` has them. */
export type Update = Written & { kind: 'update'; item: CurrentItem; freed: string[] }
/** `blockedItem` is the item that the row meant to change, if it is the first to: later rows may not change it. */
export type Failed = { kind: 'failed'; errors: FieldErrors; blockedItem: number | null }
export type Decision = Create | Update | Failed
