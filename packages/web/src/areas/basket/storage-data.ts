/** The screens' entry `storageData` in localStorage. Lists of stock item ids, a batch id or null. */
export type StorageData = {
  saleStockItemIds: number[]
  saleFromBatch: number | null
  batchStockItemIds: number[]
  movingFromBatch: number | null
}

const KEY = 'storageData'

const ids = (value: unknown): number[] => (Array.isArray(value) ? value.filter(Number.isInteger) : [])
const batch = (value: unknown): number | null => (Number.isInteger(value) ? (value as number) : null)

/** Reads the items that a screen left for a new sale or batch. A part that makes no sense counts as absent. */
export function readStorageData(): StorageData {
  let stored: Partial<Record<keyof StorageData, unknown>> | null = null
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    // Somebody else's text under our key is as good as nothing.
  }
  return {
    saleStockItemIds: ids(stored?.saleStockItemIds),
    saleFromBatch: batch(stored?.saleFromBatch),
    batchStockItemIds: ids(stored?.batchStockItemIds),
    movingFromBatch: batch(stored?.movingFromBatch),
  }
}

/** Leaves items and a batch for the next screen; parts that `patch` does not name stay. */
export function writeStorageData(patch: Partial<StorageData>): void {
  localStorage.setItem(KEY, JSON.stringify({ ...readStorageData(), ...patch }))
}

/** Without items of its own the sale takes the basket. For when the sale is made, too. */
export function clearSaleItems(): void {
  writeStorageData({ saleStockItemIds: [], saleFromBatch: null })
}

/** For when the batch is made or has gained the items. */
export function clearBatchItems(): void {
  writeStorageData({ batchStockItemIds: [], movingFromBatch: null })
}
