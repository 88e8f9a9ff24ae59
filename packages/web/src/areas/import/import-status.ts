import { columnLabel } from '@backstock/contract/column-label.ts'
import type { ImportEntry, ImportStatus } from '@backstock/contract/import.ts'
import type { Page } from '@backstock/contract/page.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { NewToast } from '../../api/toast.ts'
import { isUndoing } from './undo/undo.ts'

export const POLL_MS = 1000

/** Whether an import waits or goes in right now. */
export const isRunning = (status: ImportStatus | undefined) =>
  status !== undefined && status.progress >= 0 && status.progress < 100

/** Whether an import has ended between two reads. A short one is over before it was ever seen running. */
export function hasEnded(last: ImportStatus | undefined, now: ImportStatus | undefined): now is ImportStatus {
  if (!last || !now || isRunning(now) || now.progress < 0) return false
  return isRunning(last) || last.import_id !== now.import_id
}

/** How far the person's newest import is. `ImportWatch` alone asks every second; whoever else reads it takes part. */
export const importStatus = queryOptions({
  queryKey: ['import', 'status'],
  queryFn: async ({ signal }) =>
    (await api.get<{ data: ImportStatus }>('stock/import/csv/status', { silent: true, signal })).data,
})

/** An import's entry in the history; null if there is none. */
export const importEntry = (id: number) =>
  queryOptions({
    queryKey: ['import', 'history', { id }],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<Page<ImportEntry>>('stock/import/history', { query: { id }, signal })
      return data[0] ?? null
    },
    refetchInterval: ({ state }) => (isUndoing(state.data?.undo) ? POLL_MS : false),
  })

/** So many failed rows are told in words. */
const TOLD = 20

/** An entry of the history in the form of the status that the import had while it was the newest. */
export function statusOf({ id, file_name, state, undo, error, content: { data } }: ImportEntry): ImportStatus {
  const failed = data.details.filter(({ success }) => !success).slice(0, TOLD)
  const more = data.failed_rows - failed.length
  const { processed_rows, successed_rows, failed_rows } = data
  return {
    ...{ progress: 100, import_id: id, file_name, state, undo },
    ...{ total_rows: processed_rows, processed_rows, successed_rows, failed_rows },
    errors: [
      ...(error === null ? [] : [error]),
      ...failed.map(({ row, message }) => `Row ${row}: ${toldAs(message)}`),
      ...(more > 0 ? [`${count(more)} more ${more === 1 ? 'row' : 'rows'} failed: see the import history.`] : []),
    ],
  }
}

const toldAs = (message: string | Record<string, string>) =>
  typeof message === 'string'
    ? message
    : Object.entries(message)
        .map(([field, problem]) => `${columnLabel(field)}: ${problem}`)
        .join(' ')

/** The reason why an import broke off; null if it did not. Its `errors` start with the reason. */
export function breakOff({ state, errors }: ImportStatus): string | null {
  return state === 'failed' ? (errors[0] ?? 'The import broke off.') : null
}

const count = (n: number) => n.toLocaleString('en')

/** `1,998 rows succeeded, 2 failed.` A row that changed nothing succeeded, too. */
export function outcome({ successed_rows, failed_rows }: ImportStatus): string {
  return `${count(successed_rows)} ${successed_rows === 1 ? 'row' : 'rows'} succeeded, ${count(failed_rows)} failed.`
}

/**
 * The message about an import's end. It leaves the file's name out, so that equal results are one message. `undo`
 * asks whether to undo the import; the message offers this if the import has changed something.
 */
export function endTold(ended: ImportStatus, undo: () => void): NewToast {
  const reason = breakOff(ended)
  const type = reason || ended.successed_rows === 0 ? 'error' : ended.failed_rows ? 'warning' : 'success'
  return {
    type,
    title: reason ? 'Import broke off' : 'Import finished',
    message: reason ?? outcome(ended),
    link:
      type === 'success'
        ? { to: itemsOfImport(ended.import_id), text: 'Show its items' }
        : { to: `/admin/stock/import/history?id=${ended.import_id}`, text: 'Look at it' },
    action: ended.successed_rows > 0 && ended.undo === null ? { text: 'Undo', run: undo } : null,
    event: true,
  }
}

/** The list of an import's items, whatever their status. */
export const itemsOfImport = (id: number | null) => `/admin/stock?status=&import=${id}`

/** The name of an import: its file, else its number. */
export const importName = (file: string | null, id: number | null) => file ?? `Import #${id}`
