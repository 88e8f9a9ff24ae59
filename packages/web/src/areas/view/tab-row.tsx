import type { View } from '@backstock/contract/view.ts'
import { Button, VisuallyHidden } from '@mantine/core'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { lazyPart } from '../../api/lazy-part.ts'
import { invalidate } from '../../api/reads.ts'
import { useMe } from '../../api/session.ts'
import type { ListRead } from '../../crud/area.ts'
import type { Address } from '../../crud/list-state.ts'
import { useAct } from '../../ui/feedback/use-act.ts'
import { FocusBack } from '../../ui/layout/focus-back.tsx'
import { PlainLink } from '../../ui/values/link.tsx'
import classes from './view.module.css'
import { ViewMenu } from './view-menu.tsx'
import { isChanged, mayChange, placeOf, viewAddress, viewsOf } from './views.ts'

const ViewDialog = lazyPart(() => import('./view-dialog.tsx'))

/**
 * A tab for the standard list, then one for each saved view. The address says which view is open. If the list differs
 * from that view, the row says so.
 */
export default function TabRow({ list }: { list: ListRead }) {
  const me = useMe()
  const address = useSearch({ strict: false }) as Address
  const { data } = useQuery(viewsOf(list.area))
  const [named, setNamed] = useState<{ view?: View } | null>(null)
  const views = data?.data ?? []
  const lit = views.find(({ id }) => String(id) === address['view'])
  const changed = lit !== undefined && isChanged(lit, address, list)
  const isUnknown = data !== undefined && address['view'] !== undefined && !lit
  const open = useRef<HTMLSpanElement>(null)
  const litId = lit?.id
  useEffect(() => {
    if (litId !== undefined) open.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [litId])

  return (
    <>
      <PlainLink
        to={`/admin/${list.area}`}
        className={classes['tab']}
        aria-current={!address['view'] && viewAddress(address, list) === '' ? 'page' : undefined}
      >
        Standard
      </PlainLink>
      {views.map((view) => (
        <span key={view.id} ref={view === lit ? open : undefined} className={classes['place']}>
          <PlainLink
            {...placeOf(view)}
            className={classes['tab']}
            title={view.shared ? `Shared by ${view.created_by_name}` : undefined}
            aria-current={view === lit ? 'page' : undefined}
          >
            {view.shared && <IconUsers size={14} stroke={1.6} />}
            <span className={classes['name']}>{view.name}</span>
            {view.shared && <VisuallyHidden> (shared)</VisuallyHidden>}
          </PlainLink>
          {view === lit && mayChange(view, me) && (
            <ViewMenu view={view} views={views} onRename={() => setNamed({ view })} />
          )}
        </span>
      ))}
      {(changed || isUnknown) && (
        <span className={classes['changed']}>
          {changed && 'changed:'}
          {changed && mayChange(lit, me) && <SaveChange view={lit} address={viewAddress(address, list)} />}
          <Button size="compact-sm" variant="subtle" onClick={() => setNamed({})}>
            Save as
          </Button>
        </span>
      )}
      {named && (
        <Suspense>
          <FocusBack />
          <ViewDialog list={list} {...named} onClose={() => setNamed(null)} />
        </Suspense>
      )}
    </>
  )
}

function SaveChange({ view, address }: { view: View; address: string }) {
  const [sending, run] = useAct()
  const save = async () => {
    await run(() => api.patch(`view/${view.id}/edit`, { body: { address, updated_at: view.updated_at } }))
    await invalidate('view')
  }
  return (
    <Button size="compact-sm" variant="subtle" loading={sending} onClick={() => void save()}>
      Save
    </Button>
  )
}
