import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import { Group, Progress, Text } from '@mantine/core'
import { Panel } from '../../../ui/layout/panel.tsx'

/**
 * Shown until the first plan is made. With `isTall` it fills the window, so that the rows that replace it push nothing
 * in sight away.
 */
export function Reading({ plan, isTall = false }: { plan: ImportPreview; isTall?: boolean }) {
  return (
    <Panel data-above {...(isTall && { mih: '75vh' })}>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>Reading {plan.file_name}</Text>
        <Text size="sm">{plan.progress}%</Text>
      </Group>
      <Progress.Root size="lg">
        <Progress.Section value={plan.progress} color="accent" animated aria-label="Preview progress" />
      </Progress.Root>
    </Panel>
  )
}
