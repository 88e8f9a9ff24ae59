import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import {
  type Address,
  type ListPatch,
  type ListState,
  type ReadBy,
  readListState,
  writeListState,
} from './list-state.ts'

/** A change that depends on the present state is a function of it: the state on screen may be a moment behind. */
export type ListChange = (change: ListPatch | ((now: ListState) => ListPatch), options?: { replace?: boolean }) => void

/**
 * The list's state lives in the address. Any change but that of the page leads back to page 1. `onNext` is told of the
 * state to come before the address has it.
 */
export function useListState(list: ReadBy, onNext?: (state: ListState) => void) {
  const address = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const router = useRouter()
  const read = useMemo(() => readListState(address, list), [address, list])
  // The same object as long as the same is chosen: the filters are drawn anew when it changes.
  const key = JSON.stringify(read.chosen)
  const chosen = useMemo<ListState['chosen']>(() => JSON.parse(key), [key])
  const state = useMemo(() => ({ ...read, chosen }), [read, chosen])
  const change = useCallback<ListChange>(
    (change, options = {}) => {
      const next = (now: Address): ListState => {
        const before = readListState(now, list)
        return { ...before, page: 1, ...(typeof change === 'function' ? change(before) : change) }
      }
      onNext?.(next(router.latestLocation.search as Address))
      void navigate({
        to: '.',
        search: (now: Address) => ({ ...now, ...writeListState(next(now), list) }),
        resetScroll: 'page' in change,
        replace: options.replace ?? false,
      })
    },
    [navigate, router, list, onNext],
  )
  return [state, change] as const
}
