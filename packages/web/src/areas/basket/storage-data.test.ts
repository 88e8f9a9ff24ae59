import { afterEach, expect, test, vi } from 'vitest'
import { readStorageData, soldSaleItems, writeStorageData } from './storage-data.ts'

afterEach(() => vi.unstubAllGlobals())

test('a finished sale clears its own items, and leaves those that another tab has handed over since', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  const batchStockItemIds = [8]
  writeStorageData({ saleStockItemIds: [1, 2], saleFromBatch: 5, batchStockItemIds })
  soldSaleItems([3])
  // A sale of the basket has no items that were handed over.
  soldSaleItems([])
  expect(readStorageData()).toMatchObject({ saleStockItemIds: [1, 2], saleFromBatch: 5 })
  soldSaleItems([1, 2])
  expect(readStorageData()).toMatchObject({ saleStockItemIds: [], saleFromBatch: null, batchStockItemIds })
})
