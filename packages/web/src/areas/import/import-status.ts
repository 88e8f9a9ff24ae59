import type { ImportStatus } from '@backstock/contract/import.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

export const POLL_MS = 1000

/** Whether an import waits or goes in right now. */
export const isRunning = (status: ImportStatus | undefined) =>
  status !== undefined && status.progress >= 0 && status.progress < 100

/** How far the person's newest import is; asked every second while it runs, and on the import screen. */
export const importStatus = queryOptions({
  queryKey: ['import', 'status'],
  queryFn: async ({ signal }) =>
    (await api.get<{ data: ImportStatus }>('stock/import/csv/status', { silent: true, signal })).data,
  refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_MS : false),
  refetchIntervalInBackground: true,
})

/** Why an ended import broke off; null where it went through. Its `errors` start with the reason. */
export function breakOff({ state, errors }: ImportStatus): string | null {
  return state === 'failed' ? (errors[0] ?? 'The import broke off.') : null
}

const count = (n: number) => n.toLocaleString('en')

/** `1,998 rows went in, 2 failed.` */
export function outcome({ successed_rows, failed_rows }: ImportStatus): string {
  return `${count(successed_rows)} ${successed_rows === 1 ? 'row' : 'rows'} went in, ${count(failed_rows)} failed.`
}
