/** What the screens keep in localStorage under `storageData`. Lists of stock item ids, a batch id or null. */
export type StorageData = {
  saleStockItemIds: number[]
  saleFromBatch: number | null
  batchStockItemIds: number[]
  movingFromBatch: number | null
}
