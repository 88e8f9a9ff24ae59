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
import { chooseRows, chosenRows } from './page-size.ts'

/** A change that depends on the present state is a function of it: the state on screen may be a moment behind. */
export type ListChange = (change: ListPatch | ((now: ListState) => ListPatch), options?: { replace?: boolean }) => void

/**
 * The list's state lives in the address. A change leads back to page 1, unless it changes the page alone. `onNext`
 * gets the next state before the address has it. A list with an `area` remembers the size of its pages.
 */
export function useListState(list: ReadBy & { area?: string }, onNext?: (state: ListState) => void) {
  const address = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const router = useRouter()
  const read = useMemo(() => readListState(address, list, chosenRows(list.area)), [address, list])
  // The same object as long as the same is chosen: the filters are drawn anew when it changes.
  const key = JSON.stringify(read.chosen)
  const chosen = useMemo<ListState['chosen']>(() => JSON.parse(key), [key])
  const named = read.columns?.join()
  const columns = useMemo(() => named?.split(','), [named])
  const state = useMemo(() => ({ ...read, chosen, ...(columns && { columns }) }), [read, chosen, columns])
  const change = useCallback<ListChange>(
    (change, options = {}) => {
      const { area } = list
      const isSize = area !== undefined && typeof change !== 'function' && change.perPage !== undefined
      if (isSize) chooseRows(area, change.perPage!)
      const rows = chosenRows(area)
      const next = (now: Address): ListState => {
        const before = readListState(now, list, rows)
        return { ...before, page: 1, ...(typeof change === 'function' ? change(before) : change) }
      }
      onNext?.(next(router.latestLocation.search as Address))
      void navigate({
        to: '.',
        search: (now: Address) => ({ ...now, ...writeListState(next(now), list, rows) }),
        resetScroll: 'page' in change,
        // A page of another size takes the place of the one before: Back would lead to the same rows.
        replace: options.replace ?? isSize,
      })
    },
    [navigate, router, list, onNext],
  )
  return [state, change] as const
}
