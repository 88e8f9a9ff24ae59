import type { ImportPreview, PreviewRow, RowKind } from '@backstock/contract/import-preview.ts'
import type { Page } from '@backstock/contract/page.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'

/** While a plan is made; a short file's is there before the first of them. */
const POLL_MS = 500

export const previewScreen = (id: number) => `/admin/stock/import/preview/${id}`

type Answer = { data: ImportPreview | null }

/** The preview that the person has not ended yet; null where there is none. */
export const openPreview = queryOptions({
  queryKey: ['import', 'preview', 'open'],
  queryFn: async ({ signal }) => (await api.get<Answer>('stock/import/preview', { signal })).data,
})

/** What an import would do, asked for again and again while it is worked out. */
export const preview = (id: number) =>
  queryOptions({
    queryKey: ['import', 'preview', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<Answer>(`stock/import/preview/${id}`, { signal })
      if (data === null) throw new ApiError(404, 'There is no such preview (any more).')
      return data
    },
    refetchInterval: ({ state }) => (state.data?.state === 'previewing' ? POLL_MS : false),
    refetchIntervalInBackground: true,
  })

type Rows = { kind: RowKind; page: number; per_page: number }

/** One page of the rows that the plan has something to say of. */
export const previewRows = (id: number, query: Rows) =>
  queryOptions({
    queryKey: ['import', 'preview', id, 'rows', query],
    queryFn: ({ signal }) => api.get<Page<PreviewRow>>(`stock/import/preview/${id}/rows`, { query, signal }),
    placeholderData: keepPreviousData,
  })

type Upload = { file: File; supplierId: number | null; updateExisting: boolean; onProgress: (part: number) => void }

/** Uploads a file to be looked at. Answers the preview's number. */
export async function startPreview({ file, supplierId, updateExisting, onProgress }: Upload): Promise<number> {
  const body = new FormData()
  if (supplierId !== null) body.set('supplier_id', String(supplierId))
  body.set('update_existing', String(updateExisting))
  body.set('csv', file)
  const answer = await api.post<{ data: { import_id: number } }>('stock/import/preview', {
    ...{ body, onProgress, silent: true, tellsTrouble: true },
  })
  return answer.data.import_id
}
