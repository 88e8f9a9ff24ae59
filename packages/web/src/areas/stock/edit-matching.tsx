import type { StockRow } from '@backstock/contract/stock.ts'
import { MAX_MANY } from '@backstock/contract/stock-status.ts'
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import type { ListArea } from '../../crud/area.ts'
import { listRows } from '../../crud/list-read.ts'
import { whichRows } from '../../crud/list-state.ts'
import { useListState } from '../../crud/use-list-state.ts'
import { FocusBack } from '../../ui/layout/focus-back.tsx'
import type { EditProps } from '../bulk/edit-dialog.tsx'
import classes from './list-page.module.css'

const EditDialog = lazyPart(() => import('../bulk/edit-dialog.tsx'))

const RECEIVE_ALL = 'Receive all'

/**
 * Opens the bulk edit of all items that match the list's filter. If the list shows Inbound items, a button receives
 * them.
 */
export function EditMatching({ list }: { list: ListArea<StockRow> }) {
  const [state] = useListState(list)
  const { data, isPlaceholderData } = useQuery({ ...listRows<StockRow>(list, state), enabled: false })
  const [edited, setEdited] = useState<Omit<EditProps, 'onClose'> | null>(null)
  const more = useRef<HTMLButtonElement>(null)
  const statuses = state.chosen['status'] ?? []
  const isInbound = statuses.length === 1 && statuses[0] === 'Inbound'
  const total = data?.total ?? 0
  const mayEdit = !isPlaceholderData && total > 0 && total <= MAX_MANY
  const edit = (preset: EditProps['preset'] = {}) =>
    setEdited({ which: { filter: whichRows(state) }, count: total, preset })
  return (
    <>
      {isInbound && (
        <Button
          variant="default"
          px="sm"
          visibleFrom="xs"
          disabled={!mayEdit}
          onClick={() => edit({ status: 'In Stock' })}
        >
          {RECEIVE_ALL}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            ref={more}
            variant="default"
            size={36}
            className={classes['more'] ?? ''}
            aria-label="More actions"
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isInbound && (
            <Menu.Item hiddenFrom="xs" disabled={!mayEdit} onClick={() => edit({ status: 'In Stock' })}>
              {RECEIVE_ALL}
            </Menu.Item>
          )}
          <Menu.Item disabled={!mayEdit} onClick={() => edit()}>
            Edit all {total.toLocaleString('en')} that match
            {total > MAX_MANY && (
              <Text size="xs" c="dimmed">
                {MAX_MANY.toLocaleString('en')} at most: narrow the list down
              </Text>
            )}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {edited && (
        <Suspense>
          <FocusBack to={more} />
          <EditDialog {...edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  )
}
