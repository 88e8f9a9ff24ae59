import { Alert, Button, Text } from '@mantine/core'
import { errorMessage } from '../../api/error.ts'

/** The alert above a form whose items could not be read again. The form still shows the old ones. */
export function ItemsUnread({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <Alert color="red" role="alert" title="The items could not be read again" mb="md">
      <Text size="sm">{errorMessage(error)} The items below may be out of date.</Text>
      <Button mt="xs" size="xs" variant="default" onClick={retry}>
        Try again
      </Button>
    </Alert>
  )
}
