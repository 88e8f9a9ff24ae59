import { Alert, Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorMessage } from '../../api/error.ts'

type Props = { title: string; error: Error; retry: () => void; children?: ReactNode }

/** The alert in place of a part of a screen that could not be read. `children` follow the reason. */
export function PartUnread({ title, error, retry, children }: Props) {
  return (
    <Alert color="red" role="alert" title={title}>
      <Text size="sm">
        {errorMessage(error)} {children}
      </Text>
      <Button mt="xs" size="xs" variant="default" onClick={retry}>
        Try again
      </Button>
    </Alert>
  )
}
