import type { BulkEdit } from '@backstock/contract/bulk-edit.ts'
import { Button, Text } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { useAct } from '../../ui/feedback/use-act.ts'
import { TimeAgo } from '../../ui/values/date-text.tsx'
import classes from './bulk.module.css'
import { undoBulk } from './bulk.ts'

/** A list of the acts that received items, each with a button that undoes it. */
export function ReceivedActs({ acts }: { acts: readonly BulkEdit[] }) {
  if (acts.length === 0) return null
  return (
    <ul className={classes['acts']} aria-label="Received">
      {acts.map((act) => (
        <li key={act.id}>
          <Act act={act} />
        </li>
      ))}
    </ul>
  )
}

function Act({ act: { id, items_count, user_name, created_at } }: { act: BulkEdit }) {
  const [running, run] = useAct()
  const undo = () => run(() => undoBulk(id))
  return (
    <>
      <Text span size="sm">
        Received {items_count.toLocaleString('en')} {items_count === 1 ? 'item' : 'items'}
      </Text>
      <Text span size="sm" c="dimmed">
        {user_name}, <TimeAgo iso={created_at} />
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        loading={running}
        leftSection={<IconArrowBackUp size={14} />}
        aria-label={`Undo: received ${items_count.toLocaleString('en')}`}
        onClick={() => void undo()}
      >
        Undo
      </Button>
    </>
  )
}
