import type { FileNote, ImportPreview } from '@backstock/contract/import-preview.ts'
import { Alert, Checkbox } from '@mantine/core'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import classes from './preview.module.css'
import { noteWords, sheetsNotRead } from './words.ts'

const URGENT: ReadonlySet<FileNote['kind']> = new Set(['no_result', 'errors', 'quantity'])

type Props = {
  plan: Pick<ImportPreview, 'notes' | 'leaves_out_hidden' | 'sheets' | 'sheet'>
  /** Undefined if this window no longer has the file. */
  onLeaveOut: ((leavesOutHidden: boolean) => void) | undefined
}

/** Notes about things in the file that the preview reads in another way than a person would expect. */
export function PreviewNotes({ plan, onLeaveOut }: Props) {
  const { notes, leaves_out_hidden } = plan
  const others = sheetsNotRead(plan)
  if (notes.length === 0 && others === '') return null
  const isUrgent = notes.some(({ kind }) => URGENT.has(kind))
  return (
    <Alert
      mt="md"
      color={isUrgent ? 'orange' : 'gray'}
      icon={<IconInfoCircle size={18} />}
      title="Worth knowing about this file"
    >
      <ul className={classes['notes']}>
        {others && <li>{others}</li>}
        {notes.map((note) => (
          <li key={note.kind}>
            {noteWords(note, leaves_out_hidden)}
            {note.kind === 'hidden_rows' && (
              <Checkbox
                my={4}
                size="xs"
                label="Leave hidden rows out"
                description={onLeaveOut ? undefined : 'To change this, choose the file again.'}
                disabled={!onLeaveOut}
                checked={leaves_out_hidden}
                onChange={(event) => onLeaveOut?.(event.currentTarget.checked)}
              />
            )}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
