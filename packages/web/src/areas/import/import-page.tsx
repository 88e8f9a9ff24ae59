import type { ImportStatus } from '@backstock/contract/import.ts'
import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { apiUrl } from '../../api/client.ts'
import { PartUnread } from '../../ui/feedback/part-unread.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ImportProgress } from './import-progress.tsx'
import { importStatus, isRunning } from './import-status.ts'
import { useKeptStatus } from './kept-status.ts'
import { openPreview, previewScreen } from './preview/preview.ts'
import { UploadForm } from './upload/form.tsx'

export default function ImportPage() {
  const { data: read } = useQuery({ ...importStatus, refetchOnMount: 'always' })
  const status = useKeptStatus(read)
  const { data: open, error, refetch } = useQuery({ ...openPreview, refetchOnMount: 'always' })
  const newest = useScrollToNewest(status)
  /** The id of the import whose result is hidden, because the person has chosen another file since. */
  const [past, setPast] = useState<number | null>(null)
  const isPast = status && status.import_id === past && !isRunning(status)
  return (
    <Box maw={820}>
      <PageHeader
        title="Import Stock"
        actions={
          <>
            <Button
              component="a"
              href={apiUrl('stock/import/csv_template')}
              variant="default"
              px="sm"
              leftSection={<IconDownload size={16} stroke={1.6} />}
            >
              Download template
            </Button>
            <Button
              component={Link}
              to="/admin/stock/import/history"
              variant="default"
              px="sm"
              leftSection={<IconHistory size={16} stroke={1.6} />}
            >
              History
            </Button>
          </>
        }
      />
      <Stack gap="md">
        {open && <OpenPreviewNote open={open} />}
        {error && open === undefined && (
          <PartUnread title="It could not be read if a preview is open" error={error} retry={() => void refetch()}>
            A new preview replaces an open one.
          </PartUnread>
        )}
        <Panel>
          <UploadForm status={status} onPast={setPast} />
        </Panel>
        {!isPast && <ImportProgress ref={newest} status={status} />}
      </Stack>
    </Box>
  )
}

/** Scrolls to an import that starts while this screen is open, or that a preview has started, and again to its end. */
function useScrollToNewest(status: ImportStatus | undefined): RefObject<HTMLParagraphElement | null> {
  const newest = useRef<HTMLParagraphElement>(null)
  /** The import that had ended before this screen opened; null if there was none. */
  const earlier = useRef<number | null>(undefined)
  const id = status?.import_id
  const running = isRunning(status)
  useEffect(() => {
    if (id === undefined) return
    if (earlier.current === undefined) earlier.current = running ? null : id
    if (id !== earlier.current) newest.current?.scrollIntoView({ block: 'nearest' })
  }, [id, running])
  return newest
}

/** The note that a preview is open, which the next preview replaces. */
function OpenPreviewNote({ open }: { open: ImportPreview }) {
  return (
    <Alert color="gray" role="note" icon={<IconInfoCircle size={18} />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The preview of {open.file_name} is open. A new preview replaces it.
        </Text>
        <Button component={Link} to={previewScreen(open.import_id)} size="xs" variant="default">
          Continue the preview
        </Button>
      </Group>
    </Alert>
  )
}
