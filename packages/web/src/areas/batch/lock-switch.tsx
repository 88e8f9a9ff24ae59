import type { BatchRow } from '@backstock/contract/batch.ts'
import { Switch, type SwitchProps } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'

/** Locks and unlocks a batch at once. */
export function LockSwitch({
  batch,
  ...look
}: { batch: BatchRow } & Pick<SwitchProps, 'size' | 'label' | 'aria-label'>) {
  const [wanted, setWanted] = useState<boolean | null>(null)
  const toggle = async (is_locked: boolean) => {
    if (wanted !== null) return
    setWanted(is_locked)
    try {
      const { name, updated_at } = batch
      await api.post(`batch/${batch.id}/edit`, { body: { name, is_locked, updated_at } })
    } catch {
      // The call has shown why; what is true is read again either way.
    }
    await invalidate('batch', 'stock', 'basket')
    setWanted(null)
  }
  return (
    <Switch
      {...look}
      checked={wanted ?? batch.is_locked}
      onChange={(event) => void toggle(event.currentTarget.checked)}
    />
  )
}
