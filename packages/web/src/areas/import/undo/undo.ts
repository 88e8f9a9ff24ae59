import type { ImportUndo, UndoState } from '@backstock/contract/import-undo.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'

const POLL_MS = 1000
/** How many of the items that an undo cannot change back are shown on a page. */
export const KEPT_SHOWN = 25

/** Whether an undo has been started and has not ended. */
export const isUndoing = (state: UndoState | null | undefined) => state === 'waiting' || state === 'undoing'

/** The words of the button that opens the undo of an import; undefined if there is nothing to undo or to report. */
export function undoButton(undo: UndoState | null, canUndo: boolean): string | undefined {
  if (isUndoing(undo)) return 'Undo progress'
  if (undo === 'undone') return 'Undo result'
  return canUndo ? 'Undo import' : undefined
}

/**
 * The undo of an import: its forecast, its progress or its result. While the undo runs, it is read again every second.
 * Checking all rows takes long: with `judged` the server may use its check of the last minute.
 */
export const importUndo = (id: number, page = 1, judged = false) =>
  queryOptions({
    queryKey: ['import', 'undo', id, page, judged],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ data: ImportUndo }>(`stock/import/history/${id}/undo`, {
          query: { page, per_page: KEPT_SHOWN, ...(judged && { judged: true }) },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isUndoing(state.data?.state) ? POLL_MS : false),
    gcTime: 0,
  })

const count = (n: number) => n.toLocaleString('en')
const items = (n: number) => `${count(n)} ${n === 1 ? 'item' : 'items'}`

/** The effects of an undo, one line each. An effect with a count of 0 has no line. */
export function undoSentences({ state, restored, removed, kept_total }: ImportUndo): string[] {
  const isAhead = state === null || state === 'failed'
  const be = (n: number, ahead: string, one: string, many: string) => (isAhead ? ahead : n === 1 ? one : many)
  return [
    ...(removed
      ? [`${items(removed)} that it made ${be(removed, 'will be removed', 'was removed', 'were removed')}.`]
      : []),
    ...(restored
      ? [
          `${items(restored)} that it changed ${be(restored, restored === 1 ? 'will get its old values back' : 'will get their old values back', 'has its old values back', 'have their old values back')}.`,
        ]
      : []),
    ...(kept_total
      ? [
          `${items(kept_total)} ${be(kept_total, kept_total === 1 ? 'will stay as it is' : 'will stay as they are', 'stays', 'stay')}.`,
        ]
      : []),
  ]
}
