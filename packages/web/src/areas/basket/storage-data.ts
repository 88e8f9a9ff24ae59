/**
 * The entry `storageData` in localStorage, with which one screen hands items to another. The lists hold ids of stock
 * items; the others are the id of a batch or null.
 */
export type StorageData = {
  saleStockItemIds: number[]
  saleFromBatch: number | null
  batchStockItemIds: number[]
  movingFromBatch: number | null
}

const KEY = 'storageData'

const ids = (value: unknown): number[] => (Array.isArray(value) ? value.filter(Number.isInteger) : [])
const batch = (value: unknown): number | null => (Number.isInteger(value) ? (value as number) : null)

/** Reads the items that a screen has left for a new sale or batch. A part that cannot be read counts as absent. */
export function readStorageData(): StorageData {
  let stored: Partial<Record<keyof StorageData, unknown>> | null = null
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    // The entry is not JSON, so this application did not write it. It counts as empty.
  }
  return {
    saleStockItemIds: ids(stored?.saleStockItemIds),
    saleFromBatch: batch(stored?.saleFromBatch),
    batchStockItemIds: ids(stored?.batchStockItemIds),
    movingFromBatch: batch(stored?.movingFromBatch),
  }
}

/** Leaves items and a batch for the next screen. Parts that `patch` does not name stay as they are. */
export function writeStorageData(patch: Partial<StorageData>): void {
  localStorage.setItem(KEY, JSON.stringify({ ...readStorageData(), ...patch }))
}

/** Call it when a new sale is to take its items from the basket. */
export function clearSaleItems(): void {
  writeStorageData({ saleStockItemIds: [], saleFromBatch: null })
}

/** Call it when the sale of these items is stored. Items that another window has left meanwhile stay. */
export function soldSaleItems(handed: readonly number[]): void {
  if (handed.join() === readStorageData().saleStockItemIds.join()) clearSaleItems()
}

/** Call it when the batch is stored or has got the items. */
export function clearBatchItems(): void {
  writeStorageData({ batchStockItemIds: [], movingFromBatch: null })
}
