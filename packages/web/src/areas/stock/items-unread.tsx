import { Alert, Button, Text } from '@mantine/core'
import { errorMessage } from '../../api/error.ts'

/** Stands above a form whose items were to be read anew; what was read before is still in it. */
export function ItemsUnread({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <Alert color="red" role="alert" title="The items could not be read again" mb="md">
      <Text size="sm">{errorMessage(error)} Those below are from before.</Text>
      <Button mt="xs" size="xs" variant="default" onClick={retry}>
        Try again
      </Button>
    </Alert>
  )
}
