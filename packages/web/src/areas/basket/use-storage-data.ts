import { useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readStorageData, type StorageData } from './storage-data.ts'

/**
 * The items that the last screen has left. They are read at each visit, because somebody may choose 'Sale' in the
 * basket while the sale's screen is open. The visit counts when the new screen has arrived, so a screen that is being
 * left keeps its items.
 */
export function useStorageData(): StorageData {
  const visit = useRouterState({ select: (state) => state.resolvedLocation?.state.__TSR_key })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the storage is read at each visit
  return useMemo(() => readStorageData(), [visit])
}
