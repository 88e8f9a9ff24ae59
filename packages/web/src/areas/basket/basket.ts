import type { BasketAnswer } from '@backstock/contract/basket.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { request } from '../../api/client.ts'
import { ApiError, errorMessage } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { authQuery, onLoggedOut, useMe } from '../../api/session.ts'
import { removeToastsAbout, showToast, toastStore } from '../../api/toast.ts'
import type { Ticks } from '../../ui/table/data-table.tsx'
import { type BasketChange, changed, changeText, isNothing, undone } from './basket-change.ts'

type Basket = { items: StockRow[]; etag: string | null }
/** A change to the basket's items. It may run again, on a basket that another window has changed meanwhile. */
type Change = (items: StockRow[]) => StockRow[]

const NO_ITEMS: StockRow[] = []
const MAX_TRIES = 5
/** The subject of all toasts about the basket, so that only one is shown at a time. */
const ABOUT = 'basket'

/** Changes that the server does not have yet. The screen applies them to the basket that the server has sent. */
const unsaved: Change[] = []
let saving: Promise<boolean> | null = null
onLoggedOut(() => {
  unsaved.splice(0)
  removeToastsAbout(ABOUT)
})

/** The change that the toast on screen describes. While that toast is shown, the next change is added to it. */
let told: { change: BasketChange<StockRow>; toast: number } | null = null

const shown = ({ items, etag }: Basket): Basket => ({
  items: unsaved.reduce((now, change) => change(now), items),
  etag,
})

async function call(method: 'GET' | 'PUT', userId: number, write?: { items: StockRow[]; etag: string | null }) {
  const { body, header } = await request<BasketAnswer>(method, `user/${userId}/basket`, {
    silent: true,
    ...(write && {
      body: { items: write.items.map((item) => item.id) },
      headers: write.etag ? { 'If-Match': write.etag } : {},
    }),
  })
  return { items: body.data, etag: header('etag') }
}

const basketQuery = (userId: number) =>
  queryOptions({
    queryKey: ['basket', userId],
    queryFn: async () => shown(await call('GET', userId)),
    staleTime: 30_000,
  })

/** The items of the basket as this window knows it, for a read ahead; undefined until the basket is read. */
export function knownBasket(): readonly StockRow[] | undefined {
  const user = queryClient.getQueryData(authQuery.queryKey)?.user
  return user ? queryClient.getQueryData(basketQuery(user.id).queryKey)?.items : undefined
}

/** Puts a basket into the cache. It cancels a running read, whose older answer would overwrite the basket. */
async function replace(userId: number, basket: Basket) {
  const { queryKey } = basketQuery(userId)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, shown(basket))
}

/** Sends all unsaved changes, also those that arrive meanwhile. Returns true once the server has the basket. */
async function sendUnsaved(userId: number): Promise<boolean> {
  const { queryKey } = basketQuery(userId)
  try {
    for (let tries = 0; unsaved.length > 0; ) {
      const now = queryClient.getQueryData(queryKey) ?? (await queryClient.fetchQuery(basketQuery(userId)))
      const sent = unsaved.length
      try {
        const saved = await call('PUT', userId, now)
        unsaved.splice(0, sent)
        tries = 0
        await replace(userId, saved)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412 || ++tries === MAX_TRIES) throw error
        await replace(userId, await call('GET', userId))
      }
    }
    return true
  } catch (error) {
    unsaved.splice(0)
    if (!(error instanceof ApiError && error.status === 401))
      showToast({ type: 'error', title: 'Basket not saved', message: errorMessage(error), about: ABOUT })
    await queryClient.invalidateQueries({ queryKey })
    return false
  }
}

/** Shows a toast with an undo for all changes since the toast came up. */
function tell(userId: number, now: StockRow[], next: StockRow[]): void {
  const stands = toastStore.read().some(({ id }) => id === told?.toast)
  const change = changed(stands && told ? told.change : null, now, next)
  if (isNothing(change)) {
    removeToastsAbout(ABOUT)
    return
  }
  const undo = { text: 'Undo', run: () => void save(userId, (items) => undone(change, items)) }
  told = { change, toast: showToast({ type: 'success', message: changeText(change), about: ABOUT, action: undo }) }
}

function change(userId: number, next: Change): Promise<boolean> {
  const now = queryClient.getQueryData(basketQuery(userId).queryKey)
  const saved = save(userId, next)
  if (now) tell(userId, now.items, next(now.items))
  return saved
}

function save(userId: number, next: Change): Promise<boolean> {
  unsaved.push(next)
  queryClient.setQueryData(basketQuery(userId).queryKey, (now) => now && { ...now, items: next(now.items) })
  saving ??= sendUnsaved(userId).finally(() => {
    saving = null
  })
  return saving
}

/**
 * The person's basket. Changes are shown at once and saved in the background. If saving fails, a toast says so, and the
 * server's basket is shown again. `add` and `remove` return whether the change was saved.
 */
export function useBasket() {
  const me = useMe()
  const { data, error, isPending, refetch } = useQuery(basketQuery(me.id))
  const items = data?.items ?? NO_ITEMS
  const ids = useMemo(() => new Set(items.map((item) => item.id)), [items])
  return {
    items,
    ids,
    isPending,
    error: data ? null : error,
    refetch,
    add: (rows: readonly StockRow[]) =>
      change(me.id, (now) => {
        const there = new Set(now.map((item) => item.id))
        return [...now, ...rows.filter((row) => !there.has(row.id))]
      }),
    remove: (gone: ReadonlySet<number>) => change(me.id, (now) => now.filter((item) => !gone.has(item.id))),
  }
}

/** The ticks of a table whose ticked rows are the items in the basket. */
export function useBasketTicks<Row extends StockRow>(): Ticks<Row> {
  const { ids, isPending, add, remove } = useBasket()
  return {
    isTicked: (row) => ids.has(row.id),
    onTick: (rows, on) => void (on ? add(rows) : remove(new Set(rows.map((row) => row.id)))),
    isFixed: () => isPending,
  }
}
