import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { ApiError, errorMessage } from '../../../api/error.ts'
import { queryClient } from '../../../api/query-client.ts'
import { showToast } from '../../../api/toast.ts'
import { useRecordId } from '../../../crud/record-page.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { useLeaveGuard } from '../../../ui/feedback/leave-guard.ts'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { PHONE } from '../../../ui/layout/phone.ts'
import { Sections } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/values/link.tsx'
import { PreviewBar } from './bar.tsx'
import { columnsTitle, isAsked, PreviewColumns } from './columns.tsx'
import { PreviewDefaults } from './defaults.tsx'
import { PreviewFile } from './file.tsx'
import { PreviewGone } from './gone.tsx'
import { useKeptInPlace } from './keep-in-place.ts'
import { Mending, useMending } from './mending.ts'
import { namesTitle, PreviewNames } from './names.tsx'
import { fileOf, preview, previewScreen, type ReadAnew, startPreview, whyOf } from './preview.ts'
import { Reading } from './reading.tsx'
import { PreviewRows } from './rows.tsx'
import { StalePlan } from './stale.tsx'
import { PreviewSupplier } from './supplier.tsx'
import { usePreviewChanges } from './use-changes.ts'
import { count } from './words.ts'

const CRUMBS = [
  { title: 'Stock', to: '/admin/stock' },
  { title: 'Import', to: '/admin/stock/import' },
  { title: 'Preview' },
]

/** The preview of an import: its columns, names and rows, before anything is written. */
export default function ImportPreviewPage() {
  const id = useRecordId()
  /** The id of the preview whose file is being uploaded again. Another preview replaces it, so it is no longer read. */
  const [left, setLeft] = useState<number | null>(null)
  const read = useQuery({ ...preview(id ?? 0), enabled: id !== null && id !== left })
  const isGone = read.error instanceof ApiError && read.error.status === 404
  const plan = isGone ? undefined : read.data
  return (
    <>
      <PageHeader
        title="Import Preview"
        crumbs={CRUMBS}
        note={plan ? `${plan.file_name}: ${count(plan.total_rows, 'row')}` : ' '}
      />
      {id !== null && plan ? (
        <Preview key={id} id={id} plan={plan} isLeft={id === left} onLeft={setLeft} />
      ) : id === null || read.isError ? (
        <>
          {id !== null && isGone ? (
            <PreviewGone id={id} />
          ) : (
            <ErrorState
              error={read.error ?? new ApiError(404, 'There is no such preview.')}
              retry={() => void read.refetch()}
            />
          )}
          <Text ta="center" size="sm">
            <TextLink to="/admin/stock/import" inherit underline="always">
              Choose a file
            </TextLink>
          </Text>
        </>
      ) : (
        <Waiting />
      )}
    </>
  )
}

/** A skeleton of the screen. */
function Waiting() {
  return (
    <Stack gap="md" aria-busy>
      {[92, 240, 320].map((height) => (
        <Panel key={height}>
          <Skeleton height={height} />
        </Panel>
      ))}
    </Stack>
  )
}

type Props = { id: number; plan: ImportPreview; isLeft: boolean; onLeft: (id: number | null) => void }

function Preview({ id, plan, isLeft, onLeft }: Props) {
  const mending = useMending()
  const { shown, isPlanning, change } = usePreviewChanges(id, plan, ({ cells = [] }) => mending.putBack(cells))
  const leaveFreely = useLeaveGuard(mending.typed.length > 0)
  const readAnew = useReadAnew(id, plan, onLeft, leaveFreely)
  const why = whyOf(id)
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const aboutWhy = why && (
    <Alert color="gray" role="note" icon={<IconInfoCircle size={18} />}>
      {why} Nothing is imported until you press Import below.
    </Alert>
  )
  const checkAgain = useCallback(() => change({}), [change])
  const checkCells = () => {
    if (mending.typed.length > 0) change({ cells: mending.check() })
  }
  const { around, content } = useKeptInPlace()
  const file = <PreviewFile plan={shown} onChange={change} onReadAnew={isLeft ? undefined : readAnew} />
  return (
    <>
      <div {...around}>
        <Stack gap="md" ref={content}>
          {!isPhone && aboutWhy}
          <StalePlan stale={plan.stale} isPlanning={isPlanning} onCheck={checkAgain} />
          {plan.state === 'failed' ? (
            <Alert color="red" role="alert" title="The preview stopped" icon={<IconAlertTriangle size={18} />}>
              {plan.error}
              <Button mt="sm" variant="default" display="block" onClick={() => change({})}>
                Try again
              </Button>
            </Alert>
          ) : plan.columns.length === 0 ? (
            <Reading plan={plan} />
          ) : (
            <Mending value={mending}>
              <PreviewSupplier supplier={shown.supplier} onChange={change} />
              <PreviewRows
                plan={shown}
                isPlanning={isPlanning}
                onCheck={checkCells}
                below={
                  <>
                    {/* On a phone it would push the rows out of sight. */}
                    {isPhone && aboutWhy}
                    <PreviewDefaults plan={shown} onChange={change} />
                    <Sections
                      open={
                        plan.columns.some(isAsked) || plan.reasons.some(({ asks }) => asks === 'column')
                          ? ['names', 'columns']
                          : ['names']
                      }
                      items={[
                        ...(shown.unknown.length + shown.meanings.length > 0
                          ? [
                              {
                                name: 'names',
                                title: namesTitle(shown),
                                // Another encoding, or other columns, give other names.
                                content: <PreviewNames key={readBy(plan)} plan={shown} onChange={change} />,
                              },
                            ]
                          : []),
                        {
                          name: 'columns',
                          title: columnsTitle(shown),
                          content: (
                            <PreviewColumns
                              key={plan.columns.map(({ name }) => name).join('\n')}
                              columns={shown.columns}
                              onChange={change}
                            />
                          ),
                        },
                      ]}
                    />
                    {file}
                  </>
                }
              />
            </Mending>
          )}
          {!(plan.state !== 'failed' && plan.columns.length > 0) && file}
        </Stack>
      </div>
      <PreviewBar
        id={id}
        plan={shown}
        isPlanning={isPlanning}
        unchecked={mending.typed.length}
        onCheck={checkCells}
        onForget={mending.forget}
        onLeave={leaveFreely}
      />
    </>
  )
}

/**
 * Returns a function that uploads the file again. Another sheet, delimiter or some encodings need this, and make
 * another preview. Undefined if this window no longer has the file.
 */
function useReadAnew(
  id: number,
  { supplier, update_existing, file_name }: ImportPreview,
  onLeft: (id: number | null) => void,
  onLeave: () => void,
) {
  const navigate = useNavigate()
  const file = fileOf(id)
  if (!file) return undefined
  return async (how: ReadAnew) => {
    onLeft(id)
    try {
      // A running read of this preview would end in an error once the preview is gone.
      await queryClient.cancelQueries({ queryKey: preview(id).queryKey })
      const next = { file, why: whyOf(id), ...how, supplierId: supplier?.id ?? null, updateExisting: update_existing }
      const to = previewScreen(await startPreview(next))
      onLeave()
      await navigate({ to, replace: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      showToast({ type: 'error', title: `${how.sheet ?? file_name} was not read`, message: errorMessage(error) })
      onLeft(null)
      void queryClient.invalidateQueries({ queryKey: preview(id).queryKey })
    }
  }
}

const readBy = ({ encoding, columns }: ImportPreview) => [encoding, ...columns.map(({ field }) => field)].join()
