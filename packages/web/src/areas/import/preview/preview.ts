import type { ImportPreview, PreviewRow, RowKind } from '@backstock/contract/import-preview.ts'
import type { Page } from '@backstock/contract/page.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'

/** The time between two questions while the server plans. A short file is planned before the first one. */
const POLL_MS = 500
/** While an import or an undo changes stock. */
const STALE_MS = 1500
/** Somebody may change items at any time. */
const LOOK_MS = 20_000

export const previewScreen = (id: number) => `/admin/stock/import/preview/${id}`

export type PreviewAnswer = { data: ImportPreview | null }

/** The preview that the person has not ended yet; null if there is none. */
export const openPreview = queryOptions({
  queryKey: ['import', 'preview', 'open'],
  queryFn: async ({ signal }) => (await api.get<PreviewAnswer>('stock/import/preview', { signal })).data,
})

/** The plan of an import, read again and again while it is made. */
export const preview = (id: number) =>
  queryOptions({
    queryKey: ['import', 'preview', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<PreviewAnswer>(`stock/import/preview/${id}`, { signal })
      if (data === null) throw new ApiError(404, 'There is no such preview (any more).')
      return data
    },
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'previewing') return POLL_MS
      if (data?.stale?.is_over === false) return STALE_MS
      return data?.state === 'previewed' && !data.stale && !document.hidden ? LOOK_MS : false
    },
    refetchIntervalInBackground: true,
    // Another window may have put another preview in its place, or changed stock.
    refetchOnWindowFocus: 'always',
  })

type Rows = { kind: RowKind; page: number; per_page: number }

/**
 * One page of the rows that the plan has something to say of. Each change moves `expires_at`: rows of another plan are
 * other rows.
 */
export const previewRows = ({ import_id, expires_at }: ImportPreview, query: Rows) =>
  queryOptions({
    queryKey: ['import', 'preview', import_id, 'rows', expires_at, query],
    queryFn: ({ signal }) => api.get<Page<PreviewRow>>(`stock/import/preview/${import_id}/rows`, { query, signal }),
    placeholderData: keepPreviousData,
  })

/** The way to read a file anew, if the first preview got it wrong. Absent parts are guessed. */
export type ReadAnew = {
  sheet?: string | null
  delimiter?: string | null
  encoding?: string | null
  /** The number of the header's row, or `none`. */
  headerRow?: string | null
  /** Rows of a workbook that are hidden there. */
  leavesOutHidden?: boolean
}

type Upload = ReadAnew & {
  file: File
  supplierId: number | null
  updateExisting: boolean
  /** The reason for the preview, if nobody asked for it. */
  why?: string | undefined
  onProgress?: (part: number) => void
}

/** The file that was uploaded last: it may be read in another way. The server keeps rows, and no file. */
let last: { id: number; file: File; why: string | undefined } | undefined

/** The file of a preview, as long as nothing else was uploaded in this window. */
export const fileOf = (id: number) => (last?.id === id ? last.file : undefined)

/** The reason why a file was not imported at once, if nobody asked for its preview. */
export const whyOf = (id: number) => (last?.id === id ? last.why : undefined)

/** Uploads a file for a preview. Returns the preview's number. */
export async function startPreview(upload: Upload): Promise<number> {
  const { file, supplierId, updateExisting, sheet, delimiter, encoding, headerRow, leavesOutHidden, why, onProgress } =
    upload
  const body = new FormData()
  if (supplierId !== null) body.set('supplier_id', String(supplierId))
  body.set('update_existing', String(updateExisting))
  if (sheet) body.set('sheet', sheet)
  if (delimiter) body.set('delimeter', delimiter) // spelled as the API has it
  if (encoding) body.set('encoding', encoding)
  if (headerRow) body.set('header_row', headerRow)
  if (leavesOutHidden) body.set('leaves_out_hidden', 'true')
  body.set('csv', file)
  const answer = await api.post<{ data: { import_id: number } }>('stock/import/preview', {
    ...{ body, silent: true, tellsTrouble: true },
    ...(onProgress && { onProgress }),
  })
  const id = answer.data.import_id
  last = { id, file, why }
  return id
}
