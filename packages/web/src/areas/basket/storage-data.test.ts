import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readStorageData, soldSaleItems, writeStorageData } from './storage-data.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a finished sale clears its own items, and leaves those that another tab has handed over since', () => {
  const batchStockItemIds = [8]
  writeStorageData({ saleStockItemIds: [1, 2], saleFromBatch: 5, batchStockItemIds })
  soldSaleItems([3])
  // A sale of the basket has no items that were handed over.
  soldSaleItems([])
  expect(readStorageData()).toMatchObject({ saleStockItemIds: [1, 2], saleFromBatch: 5 })
  soldSaleItems([1, 2])
  expect(readStorageData()).toMatchObject({ saleStockItemIds: [], saleFromBatch: null, batchStockItemIds })
})

test('items that were handed over wrongly count as none', () => {
  const nothing = { saleStockItemIds: [], saleFromBatch: null, batchStockItemIds: [], movingFromBatch: null }
  for (const text of ['{', 'null', '[]', '{"saleStockItemIds":"1","saleFromBatch":"5","movingFromBatch":1.5}']) {
    stored.set('storageData', text)
    expect(readStorageData(), text).toEqual(nothing)
  }
  stored.set('storageData', '{"batchStockItemIds":[1,"2",null,3],"movingFromBatch":4}')
  expect(readStorageData()).toEqual({ ...nothing, batchStockItemIds: [1, 3], movingFromBatch: 4 })
})
