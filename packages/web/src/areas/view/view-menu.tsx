import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { View } from '@backstock/contract/view.ts'
import { ActionIcon, Menu } from '@mantine/core'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'
import { tellFailure } from '../../api/tell-failure.ts'
import { showToast } from '../../api/toast.ts'
import type { Address } from '../../crud/list-state.ts'
import { rereadViews } from './views.ts'

type Props = { view: View; views: readonly View[]; onRename: () => void }

const tell = (error: unknown) => tellFailure(error, 'view')

/** The menu with the actions for the open view. */
export function ViewMenu({ view, views, onRename }: Props) {
  const navigate = useNavigate()
  const group = views.filter(({ shared }) => shared === view.shared)
  const place = group.indexOf(view)
  const move = async (position: number) => {
    await api.patch(`view/${view.id}/edit`, { body: { position }, silent: true }).catch(tell)
    await invalidate('view')
  }
  const restore = async () => {
    const { area, name, address, shared } = view
    const body = { area, name, address, shared, position: place }
    const made = await api.post<WriteAnswer<View>>('view/create', { body, silent: true }).catch(tell)
    if (made) showToast({ type: 'success', message: `The view ${name} is back.`, about: 'view' })
    await rereadViews()
  }
  const remove = async () => {
    try {
      await api.del(`view/${view.id}/delete`, { silent: true })
    } catch (error) {
      return tell(error)
    }
    await navigate({
      to: '.',
      search: ((now: Address) => ({ ...now, view: undefined })) as never,
      replace: true,
      resetScroll: false,
    })
    const action = { text: 'Undo', run: () => void restore() }
    showToast({ type: 'success', message: `Deleted the view ${view.name}.`, about: 'view', action })
    await rereadViews()
    // The focus was on the view's tab, which is gone now.
    document.querySelector('main')?.focus({ preventScroll: true })
  }

  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`View ${view.name}: actions`}>
          <IconChevronDown size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
          Rename or share
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowLeft size={16} />}
          disabled={place === 0}
          onClick={() => void move(place - 1)}
        >
          Move left
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowRight size={16} />}
          disabled={place === group.length - 1}
          onClick={() => void move(place + 1)}
        >
          Move right
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => void remove()}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
