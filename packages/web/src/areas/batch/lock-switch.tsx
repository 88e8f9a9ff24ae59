import type { BatchRow } from '@backstock/contract/batch.ts'
import { Switch, type SwitchProps } from '@mantine/core'
import { useState } from 'react'
import { saveLock } from './change-batch.ts'

/** A switch that locks and unlocks a batch at once. */
export function LockSwitch({
  batch,
  ...look
}: { batch: BatchRow } & Pick<SwitchProps, 'size' | 'label' | 'aria-label'>) {
  const [wanted, setWanted] = useState<boolean | null>(null)
  const toggle = async (is_locked: boolean) => {
    if (wanted !== null) return
    setWanted(is_locked)
    await saveLock(batch, is_locked)
    setWanted(null)
  }
  return (
    <Switch
      {...look}
      aria-busy={wanted !== null || undefined}
      checked={wanted ?? batch.is_locked}
      onChange={(event) => void toggle(event.currentTarget.checked)}
    />
  )
}
