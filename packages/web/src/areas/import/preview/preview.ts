import type { ImportPreview, PreviewRow, RowKind } from '@backstock/contract/import-preview.ts'
import type { Page } from '@backstock/contract/page.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'

/**
 * The pause between two reads while the server makes the plan. The plan of a short file is ready before the first one.
 */
const POLL_MS = 500
/** The pause between two reads while an import or an undo changes stock. */
const STALE_MS = 1500
/** The pause between two reads otherwise, because somebody may change items at any time. */
const LOOK_MS = 20_000

export const previewScreen = (id: number) => `/admin/stock/import/preview/${id}`

export type PreviewAnswer = { data: ImportPreview | null }

/** The preview that the person has neither imported nor discarded yet; null if there is none. */
export const openPreview = queryOptions({
  queryKey: ['import', 'preview', 'open'],
  queryFn: async ({ signal }) => (await api.get<PreviewAnswer>('stock/import/preview', { signal })).data,
})

/** The plan of an import. It is read again and again while the server makes it. */
export const preview = (id: number) =>
  queryOptions({
    queryKey: ['import', 'preview', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<PreviewAnswer>(`stock/import/preview/${id}`, { signal })
      if (data === null) throw new ApiError(404, 'This preview does not exist, or was discarded.')
      return data
    },
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'previewing') return POLL_MS
      if (data?.stale?.is_over === false) return STALE_MS
      return data?.state === 'previewed' && !data.stale && !document.hidden ? LOOK_MS : false
    },
    refetchIntervalInBackground: true,
    // In another window the person may have started another preview or changed stock.
    refetchOnWindowFocus: 'always',
  })

type Rows = { kind: RowKind; page: number; per_page: number }

/**
 * One page of the plan's rows of one kind. `expires_at` is part of the key, because each change of the plan moves it,
 * and then the rows may differ.
 */
export const previewRows = ({ import_id, expires_at }: ImportPreview, query: Rows) =>
  queryOptions({
    queryKey: ['import', 'preview', import_id, 'rows', expires_at, query],
    queryFn: ({ signal }) => api.get<Page<PreviewRow>>(`stock/import/preview/${import_id}/rows`, { query, signal }),
    placeholderData: keepPreviousData,
  })

/** How to read a file again if the first preview got it wrong. The server guesses what is left out. */
export type ReadAnew = {
  sheet?: string | null
  delimiter?: string | null
  encoding?: string | null
  /** The number of the header's row, or `none`. */
  headerRow?: string | null
  /** Leaves out the rows that are hidden in a workbook. */
  leavesOutHidden?: boolean
}

type Upload = ReadAnew & {
  file: File
  supplierId: number | null
  updateExisting: boolean
  /** The reason why there is a preview, if the person has not asked for one. */
  why?: string | undefined
  onProgress?: (part: number) => void
}

/**
 * The file that was uploaded last. It is kept to be uploaded again if it must be read in another way, because the
 * server keeps only its rows.
 */
let last: { id: number; file: File; why: string | undefined } | undefined

/** The file of a preview; undefined if this window has uploaded another one since. */
export const fileOf = (id: number) => (last?.id === id ? last.file : undefined)

/** The reason why there is a preview of a file, if the person has not asked for one. */
export const whyOf = (id: number) => (last?.id === id ? last.why : undefined)

/** Uploads a file for a preview. Returns the id of the preview. */
export async function startPreview(upload: Upload): Promise<number> {
  const { file, supplierId, updateExisting, sheet, delimiter, encoding, headerRow, leavesOutHidden, why, onProgress } =
    upload
  const body = new FormData()
  if (supplierId !== null) body.set('supplier_id', String(supplierId))
  body.set('update_existing', String(updateExisting))
  if (sheet) body.set('sheet', sheet)
  if (delimiter) body.set('delimeter', delimiter) // the API spells it so
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
