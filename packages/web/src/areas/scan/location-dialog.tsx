import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { actSender } from '../bulk/act-sender.ts'
import { placeOf, whyNoPlace } from './no-place.ts'
import { setLocation } from './set-location.ts'

type Props = { items: readonly number[]; onWritten: () => Promise<void>; onClose: () => void }

/**
 * The dialog that asks for a new location of the scanned items. The label of a shelf can be scanned too, since a
 * scanner ends with Enter.
 */
export default function LocationDialog({ items, onWritten, onClose }: Props) {
  const [location, setText] = useState('')
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [send] = useState(actSender)
  const save = async () => {
    const text = placeOf(location)
    if (sending || text === '') return
    setSending(true)
    setTrouble(null)
    try {
      const no = await whyNoPlace(text)
      if (no !== null) {
        setTrouble(no)
        setText('')
        return
      }
      await setLocation(items, text, send, onWritten)
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble(Object.values(error.errors)[0] ?? error.message)
    } finally {
      setSending(false)
    }
  }
  const n = items.length.toLocaleString('en')
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Where ${items.length === 1 ? 'the item is' : `the ${n} items are`}`}
      closeOnClickOutside={location === ''}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack gap="md">
          <TextField
            label="Location"
            description="Type it, or scan the label of the shelf. Enter sets it."
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            value={location}
            error={trouble}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending} disabled={location.trim() === ''}>
              Set location
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
