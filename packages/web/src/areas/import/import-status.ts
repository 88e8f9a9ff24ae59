import type { ImportStatus } from '@backstock/contract/import.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { NewToast } from '../../api/toast.ts'

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

/** Why an ended import broke off; null if it went through. Its `errors` start with the reason. */
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
