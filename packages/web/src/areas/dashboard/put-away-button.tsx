import type { MayBePutAway } from '@backstock/contract/dashboard-parts.ts'
import { Button, VisuallyHidden } from '@mantine/core'
import { useAct } from '../../ui/feedback/use-act.ts'
import { putAway } from './dashboard.ts'

/** The button that hides a part of the dashboard for this person. */
export function PutAwayButton({ what, name }: { what: MayBePutAway; name: string }) {
  const [running, run] = useAct()
  return (
    <Button size="compact-sm" variant="subtle" loading={running} onClick={() => void run(() => putAway(what, true))}>
      Hide<VisuallyHidden> {name}</VisuallyHidden>
    </Button>
  )
}
