import { Skeleton } from '@mantine/core'
import { ApiError } from '../api/error.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Panel } from '../ui/layout/panel.tsx'

const LINES = ['first', 'second', 'third', 'fourth', 'fifth']

type Props = {
  /** The id in the address; null if it is not a number. */
  id: number | null
  read: { isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  /** The kind of record, as in 'There is no such batch.' */
  kind: string
}

/** Stands in place of a record while it is read, or if it cannot be read. */
export function UnreadRecord({ id, read, kind }: Props) {
  if (read.isError || id === null)
    return (
      <ErrorState
        error={read.error ?? new ApiError(404, `There is no such ${kind}.`)}
        retry={() => void read.refetch()}
      />
    )
  return (
    <Panel>
      {LINES.map((line) => (
        <Skeleton key={line} height={14} my="md" />
      ))}
    </Panel>
  )
}
