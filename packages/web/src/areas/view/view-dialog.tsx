import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { View } from '@backstock/contract/view.ts'
import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useMe } from '../../api/session.ts'
import type { ListRead } from '../../crud/area.ts'
import type { Address } from '../../crud/list-state.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { rereadViews, viewAddress } from './views.ts'

const LONGEST = 60

type Props = {
  list: ListRead
  /** The view to rename. Without it, the present state of the list becomes a new view. */
  view?: View
  onClose: () => void
}

/** The dialog that names a view and says who may see it. */
export default function ViewDialog({ list, view, onClose }: Props) {
  const me = useMe()
  const navigate = useNavigate()
  const address = useSearch({ strict: false }) as Address
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [sending, setSending] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [trouble, setTrouble] = useState<string | null>(null)
  const title = view ? 'Rename view' : 'Save view'

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (sending) return
    setSending(true)
    setErrors({})
    setTrouble(null)
    const body = { name, shared }
    try {
      if (view) {
        const edited = { ...body, updated_at: view.updated_at }
        await api.patch(`view/${view.id}/edit`, { body: edited, tellsTrouble: true, silent: true })
      } else {
        const created = { ...body, area: list.area, address: viewAddress(address, list) }
        const how = { body: created, tellsTrouble: true, silent: true }
        const { data } = await api.post<WriteAnswer<View>>('view/create', how)
        // The new view shows the same rows, so only its tab is marked as open.
        const lit = (now: Address) => ({ ...now, view: String(data.id) })
        await navigate({ to: '.', search: lit as never, replace: true, resetScroll: false })
      }
      await rereadViews()
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors(error.errors)
      if (Object.keys(error.errors).length === 0) setTrouble(error.message)
    } finally {
      setSending(false)
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={name === (view?.name ?? '')}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={(event) => void send(event)} noValidate>
        <Stack gap="sm">
          {(trouble ?? errors['address']) && (
            <Alert color="red" role="alert">
              {trouble ?? errors['address']}
            </Alert>
          )}
          {!view && (
            <Text size="sm" c="dimmed">
              A view keeps the search, the filters, the order and the columns of this list under a name.
            </Text>
          )}
          <TextField
            label="Name"
            withAsterisk
            data-autofocus
            autoComplete="off"
            maxLength={LONGEST}
            value={name}
            error={errors['name']}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox
            label="Everybody sees it"
            description="You and administrators can change it. If not ticked, only you see it."
            checked={shared}
            disabled={view?.shared === true && view.created_by !== me.id}
            error={errors['shared']}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              {title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
