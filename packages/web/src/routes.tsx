import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { loadCode, setOpening } from './api/load-code.ts'
import { queryClient } from './api/query-client.ts'
import { record } from './api/reads.ts'
import { authQuery, onLoggedOut, refetchAuth } from './api/session.ts'
import { whenIdle } from './api/when-idle.ts'
import type { Address } from './crud/list-state.ts'
import { RESOURCES } from './shell/areas.ts'
import { FailedScreen } from './shell/failed-screen.tsx'
import { type ResourceParams, resourceScreen, screenOf } from './shell/resource-screen.tsx'
import { Root } from './shell/root.tsx'

const lazyScreen = (load: () => Promise<{ default: FunctionComponent }>) => lazyRouteComponent(() => loadCode(load))

const root = createRootRoute({
  component: Root,
  errorComponent: FailedScreen,
})

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/stock' })
  },
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: async () => {
    const auth = await queryClient.ensureQueryData(authQuery)
    if (auth.loggedIn) throw redirect({ to: '/admin' })
  },
  component: lazyScreen(() => import('./areas/auth/login-page.tsx')),
})

const shell = lazyScreen(() => import('./shell/shell.tsx'))

/** While the session is checked, loads what the screen of these matches will need: its code, its rows or its record. */
function prepare(matches: readonly { pathname: string; params: unknown; search: unknown }[]) {
  const last = matches.at(-1)
  if (!last) return
  const { resource = '', operation, id } = last.params as ResourceParams
  const found = screenOf(RESOURCES, last.params as ResourceParams)
  if (!found) return
  found.prepare(last.search as Address).catch(() => {})
  const isThere = last.pathname === router.state.resolvedLocation?.pathname
  if (operation === 'edit' && !isThere && /^[1-9]\d{0,9}$/.test(id ?? ''))
    void queryClient.prefetchQuery(record(resource, Number(id), { ahead: true }))
}

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  beforeLoad: async ({ matches }) => {
    void shell.preload?.()
    prepare(matches)
    const auth = await queryClient.ensureQueryData(authQuery)
    if (!auth.loggedIn) throw redirect({ to: '/login' })
  },
  component: shell,
})

const toStock = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/stock' })
  },
})

const dashboard = createRoute({
  getParentRoute: () => admin,
  path: '/dashboard',
  component: lazyScreen(() => import('./areas/dashboard/dashboard-page.tsx')),
})

const quickOrder = createRoute({
  getParentRoute: () => admin,
  path: '/quick-order',
  component: lazyScreen(() => import('./areas/quick-order/quick-order-page.tsx')),
})

const offer = createRoute({
  getParentRoute: () => admin,
  path: '/offer',
  component: lazyScreen(() => import('./areas/offer/offer-page.tsx')),
})

const scan = createRoute({
  getParentRoute: () => admin,
  path: '/scan',
  component: lazyScreen(() => import('./areas/scan/scan-page.tsx')),
})

const importHistory = createRoute({
  getParentRoute: () => admin,
  path: '/stock/import/history',
  component: lazyScreen(() => import('./areas/import/history/page.tsx')),
})

const importPreview = createRoute({
  getParentRoute: () => admin,
  path: '/stock/import/preview/$id',
  component: lazyScreen(() => import('./areas/import/preview/page.tsx')),
})

const deliveries = createRoute({
  getParentRoute: () => admin,
  path: '/stock/check',
  component: lazyScreen(() => import('./areas/delivery-check/list-page.tsx')),
})

const newDelivery = createRoute({
  getParentRoute: () => admin,
  path: '/stock/check/create',
  component: lazyScreen(() => import('./areas/delivery-check/create-page.tsx')),
})

const delivery = createRoute({
  getParentRoute: () => admin,
  path: '/stock/check/$id',
  component: lazyScreen(() => import('./areas/delivery-check/check-page.tsx')),
})

const bulkEdits = createRoute({
  getParentRoute: () => admin,
  path: '/stock/bulk',
  component: lazyScreen(() => import('./areas/bulk/list-page.tsx')),
})

const company = createRoute({
  getParentRoute: () => admin,
  path: '/company',
  component: lazyScreen(() => import('./areas/company/company-page.tsx')),
})

const correctSale = createRoute({
  getParentRoute: () => admin,
  path: '/sale/correct/$id',
  component: lazyScreen(() => import('./areas/sale/correct/page.tsx')),
})

const openItems = createRoute({
  getParentRoute: () => admin,
  path: '/open-item/$id',
  component: lazyScreen(() => import('./areas/open-item/account-page.tsx')),
})

const accounting = createRoute({
  getParentRoute: () => admin,
  path: '/accounting',
  component: lazyScreen(() => import('./areas/accounting/accounting-page.tsx')),
})

const datev = createRoute({
  getParentRoute: () => admin,
  path: '/datev',
  component: lazyScreen(() => import('./areas/accounting/datev-page.tsx')),
})

const help = createRoute({
  getParentRoute: () => admin,
  path: '/help',
  component: lazyScreen(() => import('./areas/help/overview-page.tsx')),
})

const manualPage = lazyScreen(() => import('./areas/help/manual-page.tsx'))
const helpPage = createRoute({
  getParentRoute: () => admin,
  path: '/help/$page',
  loader: async ({ params: { page } }) => {
    const [{ readPage }] = await Promise.all([import('./areas/help/manual.ts'), manualPage.preload?.()])
    return readPage(page)
  },
  component: manualPage,
})

const ResourceScreen = resourceScreen(RESOURCES)

const generic = (path: string) =>
  createRoute({
    getParentRoute: () => admin,
    path,
    beforeLoad: ({ params }) => {
      if (!Object.hasOwn(RESOURCES, (params as { resource: string }).resource)) throw redirect({ to: '/error' })
    },
    loader: async ({ params, location }) => {
      const screen = screenOf(RESOURCES, params as ResourceParams)
      await Promise.all([screen?.component.preload?.(), screen?.ready?.(location.search as Address)])
    },
    component: ResourceScreen,
  })

const errorPage = (path: '/error' | '/error/$type') =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyScreen(() => import('./shell/error-page.tsx')),
  })

const anythingElse = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/error' })
  },
})

/** Values in an address stay text. The router's own parser would turn '5' into a number and 'true' into a flag. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Record<string, unknown>) => {
  const text = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
  return text && `?${text}`
}

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    login,
    admin.addChildren([
      toStock,
      dashboard,
      quickOrder,
      offer,
      scan,
      importHistory,
      importPreview,
      deliveries,
      newDelivery,
      delivery,
      bulkEdits,
      company,
      correctSale,
      openItems,
      accounting,
      datev,
      help,
      helpPage,
      generic('/$resource'),
      generic('/$resource/$operation'),
      generic('/$resource/$operation/$id'),
    ]),
    errorPage('/error'),
    errorPage('/error/$type'),
    anythingElse,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: FailedScreen,
  scrollRestoration: true,
})

router.subscribe('onBeforeLoad', () => setOpening(true))
router.subscribe('onResolved', () => setOpening(false))

onLoggedOut(() => router.navigate({ to: '/login' }))

function refreshShell() {
  if (!queryClient.getQueryData(authQuery.queryKey)?.loggedIn) return
  refetchAuth().catch(() => {})
  void queryClient.invalidateQueries({ queryKey: ['basket'] })
}

// After each change of the page, read the alert, the notifications and the basket again. The screen shows no sign of
// it, and the page itself is painted first.
router.subscribe('onResolved', ({ fromLocation, hrefChanged }) => {
  if (fromLocation && hrefChanged) whenIdle(refreshShell)
})
