import { Button } from '@mantine/core'
import type { ApiError } from '../../api/error.ts'
import { SaveTrouble } from '../../ui/feedback/save-trouble.tsx'

export type Trouble = { message: string; fields: [name: string, message: string][]; stale: boolean; outage: boolean }

/** The messages of a refusal for the fields that `hasField` knows, and the trouble to show above them; null if none. */
export function troubleOf(error: ApiError, hasField: (name: string) => boolean) {
  const fields = Object.entries(error.errors)
  const others = fields.filter(([name]) => !hasField(name))
  const stale = error.status === 409 && error.message.startsWith('Changed by')
  const trouble: Trouble | null =
    fields.length > 0 && others.length === 0
      ? null
      : { message: error.message, fields: others, stale, outage: error.isOutage }
  return { atFields: Object.fromEntries(fields.filter(([name]) => hasField(name))), trouble }
}

type Props = { trouble: Trouble; onReload: () => void; onRetry: () => void }

/** The alert above the form, with the way out of the trouble. */
export function RecordTrouble({ trouble: { message, fields, stale, outage }, onReload, onRetry }: Props) {
  return (
    <SaveTrouble title={stale ? 'This record has changed' : 'Not saved'} message={message} fields={fields}>
      {stale && (
        <Button mt="xs" size="xs" variant="default" onClick={onReload}>
          Reload and keep what I typed
        </Button>
      )}
      {outage && (
        <Button mt="xs" size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </SaveTrouble>
  )
}
