import { LIST_AREAS } from '@backstock/contract/list-area.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import IconBookmarkPlus from '@tabler/icons-react/dist/esm/icons/IconBookmarkPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { authQuery } from '../../api/session.ts'
import type { ListRead } from '../../crud/area.ts'
import { type Address, readListState, writeListState } from '../../crud/list-state.ts'
import type { ListViews } from '../../crud/list-views.ts'
import { FocusBack } from '../../ui/layout/focus-back.tsx'
import classes from './view.module.css'

const TabRow = lazyPart(() => import('./tab-row.tsx'))
const ViewDialog = lazyPart(() => import('./view-dialog.tsx'))

const canHaveViews = ({ area }: ListRead) => LIST_AREAS.some((one) => one === area)

/**
 * Whether the list has saved views. The session says so before the list is drawn, so the tabs get their place at once,
 * and nothing moves.
 */
function useHasViews({ area }: ListRead): boolean {
  return (
    useQuery({ ...authQuery, select: ({ listsWithViews }) => listsWithViews.some((one) => one === area) }).data ?? false
  )
}

/** The tabs of saved views. They are loaded after the list, so that they do not delay its first rows. */
function Tabs({ list }: { list: ListRead }) {
  if (!useHasViews(list)) return null
  return (
    <nav className={classes['tabs']} aria-label="Saved views">
      <Suspense>
        <TabRow list={list} />
      </Suspense>
    </nav>
  )
}

/** Whether an address filters, searches or changes the list. The page and its size do not count. */
function isUnusual(address: Address, list: ListRead): boolean {
  const { page: _page, per_page: _size, ...said } = writeListState(readListState(address, list), list)
  return Object.values(said).some((value) => value !== undefined)
}

/**
 * The button that saves the present list as a view. It is hidden if a view is open, because the menu of its tab can
 * save.
 */
function Save({ list }: { list: ListRead }) {
  const address = useSearch({ strict: false }) as Address
  const hasViews = useHasViews(list)
  const [saving, setSaving] = useState(false)
  const isOffered = canHaveViews(list) && isUnusual(address, list) && !(hasViews && address['view'])
  return (
    <>
      {isOffered && (
        <Tooltip label="Save view">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Save view" onClick={() => setSaving(true)}>
            <IconBookmarkPlus size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
      {saving && (
        <Suspense>
          <FocusBack />
          <ViewDialog list={list} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </>
  )
}

export const LIST_VIEWS: ListViews = { Tabs, Save }
