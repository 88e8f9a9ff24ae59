import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TextLink } from '../../../ui/values/link.tsx'
import { importEntry, importName } from '../import-status.ts'
import { openPreview, previewScreen } from './preview.ts'

/** Says what became of a preview that no longer exists: it was imported, replaced or discarded, or it expired. */
export function PreviewGone({ id }: { id: number }) {
  const { data: entry, isPending } = useQuery(importEntry(id))
  const { data: open } = useQuery({ ...openPreview, refetchOnMount: 'always' })
  if (isPending) return null
  return (
    <Stack align="center" gap={6} py={32} px="md" ta="center" role="status">
      <Text fw={600}>
        {entry
          ? `${importName(entry.file_name, id)} has been imported.`
          : open
            ? `The preview of ${open.file_name} has taken the place of this one.`
            : 'This preview no longer exists.'}
      </Text>
      <Text size="sm">
        {entry ? (
          <TextLink to={`/admin/stock/import/history?id=${id}`} inherit underline="always">
            See what became of its rows
          </TextLink>
        ) : open ? (
          <TextLink to={previewScreen(open.import_id)} inherit underline="always">
            Continue the preview of {open.file_name}
          </TextLink>
        ) : (
          'It was discarded, or nobody touched it for 24 hours. Nothing was imported.'
        )}
      </Text>
    </Stack>
  )
}
