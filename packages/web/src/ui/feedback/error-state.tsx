import { Button, Stack, Text, Title } from '@mantine/core'
import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import IconMoodEmpty from '@tabler/icons-react/dist/esm/icons/IconMoodEmpty.mjs'
import { useContext } from 'react'
import { ApiError, errorMessage } from '../../api/error.ts'
import { Crumbs } from '../layout/page-header.tsx'
import { PlainLink } from '../values/link.tsx'
import { useWhenConnected } from './when-connected.ts'

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong'
  if (error.isOutage) return 'No connection'
  if (error.status === 403) return 'No permission'
  if (error.status === 404) return 'Not found'
  return 'Something went wrong'
}

/** Stands in place of data that could not be read. `retry` gives it a button to try again. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const crumbs = useContext(Crumbs)
  // After a 404, offer a link to the list. After a 403 do not offer it: a person who may not see a record may not see
  // the list either.
  const list = error instanceof ApiError && error.status === 404 ? crumbs?.find(({ to }) => to) : undefined

  const final = error instanceof ApiError && (error.status === 403 || error.status === 404)
  const isOut = error instanceof ApiError && error.isOutage
  useWhenConnected(isOut, retry)
  const Icon = isOut ? IconCloudOff : IconMoodEmpty
  return (
    <Stack align="center" gap="xs" py={48} role="alert">
      <Icon size={36} stroke={1.4} color="var(--quiet)" />
      <Title order={2}>{titleOf(error)}</Title>
      <Text c="dimmed" maw={480} ta="center">
        {errorMessage(error)}
        {error instanceof ApiError && error.requestId && ` (${error.requestId})`}
      </Text>
      {retry && !final && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
      {final && (
        <Button component={PlainLink} to={list?.to ?? '/admin/dashboard'} variant="default">
          To {list?.title ?? 'Dashboard'}
        </Button>
      )}
    </Stack>
  )
}
