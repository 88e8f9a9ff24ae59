import { Box } from '@mantine/core'
import { PartUnread } from '../../ui/feedback/part-unread.tsx'

/** The alert above a form whose items could not be read again. The form still shows the old ones. */
export function ItemsUnread(props: { error: Error; retry: () => void }) {
  return (
    <Box mb="md">
      <PartUnread title="The items could not be read again" {...props}>
        The items below may be out of date.
      </PartUnread>
    </Box>
  )
}
