import { useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readStorageData, type StorageData } from './storage-data.ts'

/**
 * The items that the last screen left, read at each visit, because one may choose 'Sale' in the basket on the
 * sale's own screen. A visit counts once it arrived, so a screen that is being left keeps its items.
 */
export function useStorageData(): StorageData {
  const visit = useRouterState({ select: (state) => state.resolvedLocation?.state.__TSR_key })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the visit is what the storage is read for
  return useMemo(() => readStorageData(), [visit])
}
