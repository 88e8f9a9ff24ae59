import { failedRow, moreFailed } from '@backstock/contract/failed-rows.ts'
import type { ImportEntry, ImportStatus } from '@backstock/contract/import.ts'
import type { Page } from '@backstock/contract/page.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { NewToast } from '../../api/toast.ts'
import { isUndoing } from './undo/undo.ts'

export const POLL_MS = 1000

/** Whether an import waits or runs now. */
export const isRunning = (status: ImportStatus | undefined) =>
  status !== undefined && status.progress >= 0 && status.progress < 100

/** Whether an import has ended between two reads. A short import may end before any read has seen it running. */
export function hasEnded(last: ImportStatus | undefined, now: ImportStatus | undefined): now is ImportStatus {
  if (!last || !now || isRunning(now) || now.progress < 0) return false
  return isRunning(last) || last.import_id !== now.import_id
}

/**
 * The progress of the person's newest import. Only `ImportWatch` reads it every second; other users of this query get
 * the same answers.
 */
export const importStatus = queryOptions({
  queryKey: ['import', 'status'],
  queryFn: async ({ signal }) =>
    (await api.get<{ data: ImportStatus }>('stock/import/csv/status', { silent: true, signal })).data,
})

/** The entry of an import in the history; null if there is none. */
export const importEntry = (id: number) =>
  queryOptions({
    queryKey: ['import', 'history', { id }],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<Page<ImportEntry>>('stock/import/history', { query: { id }, signal })
      return data[0] ?? null
    },
    refetchInterval: ({ state }) => (isUndoing(state.data?.undo) ? POLL_MS : false),
  })

/** How many failed rows get a message. */
const TOLD = 20

/** An entry of the history as an ImportStatus, as if it were still the newest import. */
export function statusOf({ id, file_name, state, undo, error, content: { data } }: ImportEntry): ImportStatus {
  const failed = data.details.filter(({ success }) => !success).slice(0, TOLD)
  const more = data.failed_rows - failed.length
  const { processed_rows, successed_rows, failed_rows } = data
  return {
    ...{ progress: 100, import_id: id, file_name, state, undo },
    ...{ total_rows: processed_rows, processed_rows, successed_rows, failed_rows },
    errors: [
      ...(error === null ? [] : [error]),
      ...failed.map(({ row, message }) => failedRow(row, message)),
      ...(more > 0 ? [moreFailed(more)] : []),
    ],
  }
}

/** The reason why an import broke off; null if it did not. It is the first entry of `errors`. */
export function breakOff({ state, errors }: ImportStatus): string | null {
  return state === 'failed' ? (errors[0] ?? 'The import stopped early.') : null
}

const count = (n: number) => n.toLocaleString('en')

/** For example `1,998 rows succeeded, 2 failed.` A row that changed nothing has succeeded, too. */
export function outcome({ successed_rows, failed_rows }: ImportStatus): string {
  return `${count(successed_rows)} ${successed_rows === 1 ? 'row' : 'rows'} succeeded, ${count(failed_rows)} failed.`
}

/**
 * The toast at the end of an import. It does not name the file, so that imports with the same result make one toast.
 * `undo` opens the question about undoing the import; the toast has a button for it if the import has changed
 * something.
 */
export function endTold(ended: ImportStatus, undo: () => void): NewToast {
  const reason = breakOff(ended)
  const type = reason || ended.successed_rows === 0 ? 'error' : ended.failed_rows ? 'warning' : 'success'
  return {
    type,
    title: reason ? 'Import stopped' : 'Import finished',
    message: reason ?? outcome(ended),
    link:
      type === 'success'
        ? { to: itemsOfImport(ended.import_id), text: 'Show its items' }
        : { to: `/admin/stock/import/history?id=${ended.import_id}`, text: 'Look at it' },
    action: ended.successed_rows > 0 && ended.undo === null ? { text: 'Undo', run: undo } : null,
    event: true,
  }
}

/** The address of the list of an import's items, whatever their status. */
export const itemsOfImport = (id: number | null) => `/admin/stock?status=&import=${id}`

/** The name of an import: that of its file, or else its number. */
export const importName = (file: string | null, id: number | null) => file ?? `Import #${id}`
