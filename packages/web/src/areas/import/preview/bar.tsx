import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api, idempotencyKey } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { queryClient } from '../../../api/query-client.ts'
import { showToast } from '../../../api/toast.ts'
import { confirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import barClasses from '../../../ui/feedback/save-bar.module.css'
import { importStatus } from '../import-status.ts'
import classes from './preview.module.css'
import { openPreview } from './preview.ts'
import { count, whatStops, whatWillHappen, written } from './words.ts'

const IMPORT_SCREEN = '/admin/stock/import'

/** The first field whose text cannot be read. The plan was made without that text. */
const wrongField = () => [...document.querySelectorAll('input')].find(({ validity }) => validity.customError)

type Props = {
  id: number
  plan: ImportPreview
  isPlanning: boolean
  /** How many cells the person has corrected since the plan was made. */
  unchecked: number
  onCheck: () => void
  onForget: () => void
  /** Called when the person leaves the screen by importing or discarding. */
  onLeave: () => void
}

/** The bar at the end of the preview. It says what the import would do, and starts or discards it. */
export function PreviewBar({ id, plan, isPlanning, unchecked, onCheck, onForget, onLeave }: Props) {
  const navigate = useNavigate()
  /** The idempotency key of the import. It stays the same until the server has answered. */
  const key = useRef(idempotencyKey())
  const [doing, setDoing] = useState<'import' | 'discard' | null>(null)

  const end = async (what: 'import' | 'discard', call: () => Promise<unknown>) => {
    setDoing(what)
    try {
      await call()
      onLeave()
      queryClient.removeQueries(openPreview)
      // The import screen must not show the result of the import before this one.
      if (what === 'import') await queryClient.refetchQueries(importStatus)
      await navigate({ to: IMPORT_SCREEN })
      queryClient.removeQueries({ queryKey: ['import', 'preview', id] })
      await queryClient.invalidateQueries({ queryKey: ['import'] })
    } catch (error) {
      // The call has shown a toast with the reason. The plan may have changed, so it is read again.
      if (!(error instanceof ApiError)) throw error
      if (!error.isOutage) key.current = idempotencyKey()
      await queryClient.invalidateQueries({ queryKey: ['import', 'preview', id] })
    } finally {
      setDoing(null)
    }
  }
  const commit = () =>
    api.post(`stock/import/preview/${id}/commit`, {
      ...{ body: { plan_no: plan.plan_no }, idempotent: key.current, toldAs: 'stock/import/csv' },
    })
  const importNow = () => {
    const wrong = wrongField()
    if (wrong) {
      wrong.focus()
      showToast({ type: 'error', title: 'Not imported', message: wrong.validationMessage })
    } else void end('import', commit)
  }
  const discard = async () => {
    const note = 'Nothing has been imported. Your choices in this preview will not be remembered.'
    if (await confirmDialog(`Discard the preview of ${plan.file_name}?`, 'Discard', { note }))
      await end('discard', () => api.del(`stock/import/preview/${id}`))
  }

  const rows = written(plan)
  const isAsked = plan.asked.includes('dates')
  const words = isPlanning
    ? 'Checking the rows…'
    : plan.state === 'failed'
      ? 'The preview stopped.'
      : unchecked > 0
        ? `${count(unchecked, 'corrected cell is', 'corrected cells are')} not checked yet.`
        : isAsked
          ? 'First choose how dates are written.'
          : (whatStops(plan) ?? whatWillHappen(plan))
  return (
    <div className={`${barClasses['bar']} ${classes['foot']}`} data-dirty={unchecked > 0 || undefined}>
      {unchecked > 0 && (
        <Button onClick={onCheck} disabled={doing !== null}>
          Check {count(unchecked, 'cell')}
        </Button>
      )}
      {plan.state !== 'failed' && (
        <Button
          variant={unchecked > 0 ? 'default' : 'filled'}
          loading={doing === 'import'}
          disabled={isPlanning || unchecked > 0 || rows === 0 || isAsked || doing !== null}
          onClick={importNow}
        >
          Import {count(rows, 'row')}
        </Button>
      )}
      {unchecked > 0 ? (
        <Button variant="default" onClick={onForget}>
          Undo corrections
        </Button>
      ) : (
        <Button
          variant="default"
          loading={doing === 'discard'}
          disabled={doing !== null}
          onClick={() => void discard()}
        >
          Discard
        </Button>
      )}
      <Text size="sm" c="dimmed" role="status" className={classes['words'] ?? ''}>
        {words}
      </Text>
      {isPlanning && (
        <Text size="sm" c="dimmed" aria-hidden>
          {plan.progress}%
        </Text>
      )}
    </div>
  )
}
