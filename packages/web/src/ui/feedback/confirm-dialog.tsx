import { Group, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { KeyboardEvent } from 'react'
import { DANGER } from '../layout/theme.ts'
import { dialogsThere } from './dialogs-there.ts'

/** The specification writes the buttons of a deletion like this. */
const DELETE = { confirm: 'Delete', cancel: 'cancel' }

/** The Enter that has opened the question may still be held. Only another one answers it. */
function ignoreHeld(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault()
}

/**
 * Asks before something that cannot be undone. Returns true if the person pressed `button`. `note` names a further
 * effect. `isUsual` says that people open the screen for this action, so Enter confirms it.
 */
export async function confirmDialog(
  message: string,
  button = DELETE.confirm,
  {
    cancel = button === DELETE.confirm ? DELETE.cancel : 'Cancel',
    note,
    isUsual,
  }: { cancel?: string; note?: string | undefined; isUsual?: true } = {},
): Promise<boolean> {
  await dialogsThere()
  return new Promise((resolve) => {
    // The dialog behind the question hears the same Escape. If the answer came first, it would ask again.
    const answer = (isYes: boolean) => setTimeout(resolve, 0, isYes)
    modals.openConfirmModal({
      title: (
        <Group gap="xs" fw={600}>
          <IconAlertTriangle size={20} color="var(--mantine-color-orange-6)" />
          Warning!
        </Group>
      ),
      children: (
        <>
          <Text>{message}</Text>
          {note && <Text mt="xs">{note}</Text>}
        </>
      ),
      labels: { confirm: button, cancel },
      confirmProps: isUsual ? { 'data-autofocus': true, onKeyDown: ignoreHeld } : { color: DANGER },
      cancelProps: isUsual ? {} : { 'data-autofocus': true },
      onConfirm: () => answer(true),
      onCancel: () => answer(false),
      onClose: () => answer(false),
    })
  })
}

/** Shows the message of a refusal, with one button to close it. */
export function errorDialog(message: string): void {
  const show = () =>
    modals.openConfirmModal({
      title: 'Error',
      children: <Text>{message}</Text>,
      labels: { confirm: 'OK', cancel: null },
      cancelProps: { display: 'none' },
      confirmProps: { 'data-autofocus': true },
    })
  void dialogsThere().then(show)
}

export const DELETE_ENTRY = 'Are you sure you want to delete this entry?'
