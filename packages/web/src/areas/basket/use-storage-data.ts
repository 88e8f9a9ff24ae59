import { useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readStorageData, type StorageData } from './storage-data.ts'

/**
 * What the screen before left, read anew at each visit: one may choose 'Sale' in the basket while being there already.
 * A visit counts once it has arrived, so that a screen that is being left keeps what it has.
 */
export function useStorageData(): StorageData {
  const visit = useRouterState({ select: (state) => state.resolvedLocation?.state.__TSR_key })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the visit is what the storage is read for
  return useMemo(() => readStorageData(), [visit])
}
