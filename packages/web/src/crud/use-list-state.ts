import { useNavigate, useSearch } from '@tanstack/react-router'
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

/** The list's state lives in the address. Any change but that of the page leads back to page 1. */
export function useListState(list: ReadBy) {
  const address = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const state = useMemo(() => readListState(address, list), [address, list])
  const change = useCallback<ListChange>(
    (change, options = {}) =>
      void navigate({
        to: '.',
        search: (now: Address) => {
          const before = readListState(now, list)
          const patch = typeof change === 'function' ? change(before) : change
          return { ...now, ...writeListState({ ...before, page: 1, ...patch }, list) }
        },
        resetScroll: 'page' in change,
        replace: options.replace ?? false,
      }),
    [navigate, list],
  )
  return [state, change] as const
}
