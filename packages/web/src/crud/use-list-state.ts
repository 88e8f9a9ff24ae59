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

/**
 * Changes the list's state. If a change depends on the present state, pass a function: the state on screen may be a
 * moment old.
 */
export type ListChange = (change: ListPatch | ((now: ListState) => ListPatch), options?: { replace?: boolean }) => void

/**
 * The state of a list, which is kept in the address. Each change goes to page 1, unless it only changes the page.
 * `onNext` gets the new state before the address has it. If `list` has an `area`, the browser remembers the number of
 * rows per page.
 */
export function useListState(list: ReadBy & { area?: string }, onNext?: (state: ListState) => void) {
  const address = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const router = useRouter()
  const read = useMemo(() => readListState(address, list, chosenRows(list.area)), [address, list])
  // `chosen` must stay the same object while its values do, because otherwise the filters are drawn again.
  const key = JSON.stringify(read.chosen)
  const chosen = useMemo<ListState['chosen']>(() => JSON.parse(key), [key])
  const named = read.columns?.join()
  const columns = useMemo(() => named?.split(','), [named])
  const state = useMemo(() => ({ ...read, chosen, ...(columns && { columns }) }), [read, chosen, columns])
  const change = useCallback<ListChange>(
    (change, options = {}) => {
      const { area } = list
      const size = area === undefined || typeof change === 'function' ? undefined : change.perPage
      if (area !== undefined && size !== undefined) chooseRows(area, size)
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
        // A change of the page size replaces the entry in the browser's history, since Back would show the same rows.
        replace: options.replace ?? size !== undefined,
      })
    },
    [navigate, router, list, onNext],
  )
  return [state, change] as const
}
