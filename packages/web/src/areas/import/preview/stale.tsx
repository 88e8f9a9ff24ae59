import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useEffect, useRef } from 'react'
import { staleWords } from './words.ts'

type Props = { stale: ImportPreview['stale']; isPlanning: boolean; onCheck: () => void }

/**
 * Says that stock has changed since the rows were checked. If it is shown while an undo runs, it checks the rows again
 * when the undo ends.
 */
export function StalePlan({ stale, isPlanning, onCheck }: Props) {
  const waited = useRef<number | null>(null)
  useEffect(() => {
    if (stale?.by !== 'undo') return
    if (!stale.is_over) waited.current = stale.import_id
    else if (waited.current === stale.import_id && !isPlanning) {
      waited.current = null
      onCheck()
    }
  }, [stale, isPlanning, onCheck])
  if (!stale || isPlanning) return null
  return (
    <Alert color="orange" role="status" icon={<IconRefresh size={18} />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {staleWords(stale)}
        </Text>
        {stale.is_over && (
          <Button size="xs" variant="default" onClick={onCheck}>
            Check the rows again
          </Button>
        )}
      </Group>
    </Alert>
  )
}
