import type { MayBePutAway } from '@backstock/contract/dashboard-parts.ts'
import { Button, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { putAway } from './dashboard.ts'

/** The button that hides a part of the dashboard for this person. */
export function PutAwayButton({ what, name }: { what: MayBePutAway; name: string }) {
  const [isPutting, setPutting] = useState(false)
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      loading={isPutting}
      onClick={() => {
        setPutting(true)
        void putAway(what, true).finally(() => setPutting(false))
      }}
    >
      Hide<VisuallyHidden> {name}</VisuallyHidden>
    </Button>
  )
}
