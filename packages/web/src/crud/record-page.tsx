import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiError } from '../api/error.ts'
import { record } from '../api/reads.ts'
import { useMe } from '../api/session.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import type { RecordArea, RecordRow } from './area.ts'
import { useGoBack, useGoBackWhenSaved } from './back-to.ts'
import { RecordForm } from './record-form.tsx'

type Props<Row extends RecordRow, Values extends object> = { area: RecordArea<Row, Values> }

/** The id in the address; null if it is not a number. */
export function useRecordId(): number | null {
  const { id } = useParams({ strict: false }) as { id?: string }
  return id && /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
}

/** The page with the form of a new record. */
export function CreatePage<Row extends RecordRow, Values extends object>({ area }: Props<Row, Values>) {
  const me = useMe()
  const goBack = useGoBack()
  const allowed = area.mayCreate?.(me) ?? true
  return (
    <>
      <PageHeader title={`New ${area.title}`} />
      {allowed ? (
        <RecordForm area={inPanel(area)} row={null} onSaved={() => goBack(`/admin/${area.area}`)} />
      ) : (
        <ErrorState error={new ApiError(403, 'Only an administrator can do this.')} />
      )}
    </>
  )
}

/** The page with the form of the record whose id is in the address. */
export function EditPage<Row extends RecordRow, Values extends object>({ area }: Props<Row, Values>) {
  const id = useRecordId()
  const goBack = useGoBackWhenSaved()
  const found = useQuery({ ...record<Row>(area.area, id ?? 0), enabled: id !== null })
  const row = found.data
  return (
    <>
      <PageHeader title={`${area.title} #${id ?? ''}`} />
      {row ? (
        // Another record begins anew, also below its form: a list there is on its first page, a shown key is gone.
        <Stack key={row.id} gap="md">
          <RecordForm area={inPanel(area)} row={row} onSaved={goBack} />
          {area.below?.(row)}
        </Stack>
      ) : found.isError || id === null ? (
        <ErrorState
          error={found.error ?? new ApiError(404, 'There is no such record.')}
          retry={() => void found.refetch()}
        />
      ) : (
        <Panel>
          <Skeleton height={14} width="20%" mb="sm" />
          <Skeleton height={32} mb="md" />
          <Skeleton height={14} width="20%" mb="sm" />
          <Skeleton height={32} />
        </Panel>
      )}
    </>
  )
}

/** Puts a panel around the fields only, because the save bar stands below the panel. */
function inPanel<Row extends RecordRow, Values extends object>(area: RecordArea<Row, Values>): RecordArea<Row, Values> {
  return { ...area, fields: (form, context) => <Panel>{area.fields(form, context)}</Panel> }
}
