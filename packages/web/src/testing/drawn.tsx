import type { User } from '@backstock/contract/user.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { vi } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { type Auth, authQuery } from '../api/session.ts'

/** The person, the address and the data for which a part of a screen is drawn. */
export type Scene = {
  /** The person's role. */
  role?: User['role']
  /** The address of the screen behind /admin/. */
  at?: string
  /** The record that the address names. */
  row?: object
  /** Other data that the part reads, by the key of the query; undefined leaves it unread. */
  read?: (key: readonly unknown[]) => unknown
  hasConnector?: boolean
  /** The values that the browser keeps, by their names. */
  kept?: Record<string, object>
}

/** The moment at which everything is drawn, in each time zone. */
export const NOW = '2026-03-05T12:00:00Z'

const PATHS = [
  '/admin/$resource',
  '/admin/$resource/$operation',
  '/admin/$resource/$operation/$id',
  '/admin/$resource/$operation/$more/$id',
]

const MOST_ROUNDS = 6

/** The HTML of a part of a screen when it has just been opened: no effect runs, and no server is asked. */
export async function drawn(part: ReactNode, scene: Scene = {}): Promise<string> {
  const { role = 'ROLE_ADMIN', at = 'part', row, read, hasConnector = false, kept = {} } = scene
  const names = Object.keys(kept)
  const getItem = (name: string) => (name in kept ? JSON.stringify(kept[name]) : null)
  globalThis.localStorage = { length: names.length, key: (n: number) => names[n] ?? null, getItem } as Storage
  process.env['TZ'] = 'UTC'
  vi.setSystemTime(NOW)
  queryClient.clear()
  const user = { id: 1, name: 'Anna', role, recent_logs: [] }
  const auth = { loggedIn: true, user, salesRequiringAttention: 0, listsWithViews: [], hasConnector }
  queryClient.setQueryData(authQuery.queryKey, auth as unknown as Auth)

  const [, area = '', , id] = /^([^/?]+)\/([^/?]+)\/(\d+)/.exec(at) ?? []
  if (row) queryClient.setQueryData([area, 'record', Number(id)], row)

  const root = createRootRoute()
  const screens = PATHS.map((path) => createRoute({ getParentRoute: () => root, path, component: () => part }))
  const history = createMemoryHistory({ initialEntries: [`/admin/${at}`] })
  const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))
  const router = createRouter({ routeTree: root.addChildren(screens), history, parseSearch })
  await router.load()
  const draw = async () => {
    const errors: unknown[] = []
    const { prelude } = await prerender(
      <QueryClientProvider client={queryClient}>
        <MantineProvider env="test">
          <RouterProvider router={router as never} />
        </MantineProvider>
      </QueryClientProvider>,
      { onError: (error) => void errors.push(error), progressiveChunkSize: Number.POSITIVE_INFINITY },
    )
    if (errors.length > 0) throw errors[0]
    return new Response(prelude).text()
  }
  let html = await draw()
  // An answer may draw a part that reads more. With a script React brings in a part whose code was not there yet.
  for (let round = 0, isNew = true; isNew && round < MOST_ROUNDS; round++) {
    const queries = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.data === undefined })
    const answers = queries.map(({ queryKey }) => ({ queryKey, data: read?.(queryKey) }))
    const known = answers.filter(({ data }) => data !== undefined)
    for (const { queryKey, data } of known) queryClient.setQueryData(queryKey, data)
    isNew = known.length > 0 || html.includes('<script')
    if (isNew) html = await draw()
  }
  if (html.includes('<script')) throw new Error('A part of the screen is still being loaded.')
  return html.replaceAll(/<style[\s\S]*?<\/style>|<!--.*?-->/g, '')
}
