import { Modal } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { askToLeave } from '../ui/feedback/leave-guard.ts'
import type { RecordArea, RecordRow } from './area.ts'
import { RecordForm } from './record-form.tsx'

type Asked<Row> = { typed: string; answer: (row: Row | null) => void }

/**
 * For a select whose records need more than a name. `create` opens the form of a new record, filled in from the typed
 * text. It resolves with the new record, or null if the person closes the form. Render `dialog`.
 */
export function useCreateDialog<Row extends RecordRow, Values extends object>(
  area: RecordArea<Row, Values>,
  begin: (typed: string) => Partial<Values>,
): { create: (typed: string) => Promise<Row | null>; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked<Row> | null>(null)
  const [asking, setAsking] = useState(false)
  const unsaved = useRef(false)
  const end = (row: Row | null) => {
    asked?.answer(row)
    setAsked(null)
  }
  const close = async () => {
    setAsking(true)
    if (!unsaved.current || (await askToLeave())) end(null)
    setAsking(false)
  }
  const dialog = (
    <Modal
      opened={asked !== null}
      onClose={() => void close()}
      closeOnEscape={!asking}
      trapFocus={!asking}
      closeOnClickOutside={!asking}
      size="xl"
      title={`New ${area.title}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {asked && (
        <RecordForm
          area={{ ...area, values: (row, me) => ({ ...area.values(row, me), ...begin(asked.typed) }) }}
          row={null}
          onUnsaved={(now) => {
            unsaved.current = now
          }}
          onSaved={(_, fresh) => end(fresh)}
        />
      )}
    </Modal>
  )
  return { create: (typed) => new Promise((answer) => setAsked({ typed, answer })), dialog }
}
