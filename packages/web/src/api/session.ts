import type { AuthAnswer } from '@backstock/contract/auth.ts'
import type { User } from '@backstock/contract/user.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, connectSession } from './client.ts'
import { rememberCsrfToken } from './csrf.ts'
import { ApiError } from './error.ts'
import { forgetLeft, onOtherPerson, rememberPerson } from './person.ts'
import { queryClient } from './query-client.ts'

export type Auth =
  | {
      loggedIn: true
      user: User
      salesRequiringAttention: number
      listsWithViews: readonly string[]
      hasConnector: boolean
    }
  | { loggedIn: false; user: null; salesRequiringAttention: 0; listsWithViews: readonly []; hasConnector: false }

// `useMe` falls back on this user, because a screen still draws once after the person has logged out.
let lastUser: User | null = null

const AUTH = ['auth'] as const
const NOTHING_YET = { salesRequiringAttention: 0, listsWithViews: [], hasConnector: false } as const
const LOGGED_OUT: Auth = { loggedIn: false, user: null, ...NOTHING_YET }

/**
 * The logged-in person. If nobody is logged in, the query succeeds with that answer; it fails only if the server cannot
 * be reached.
 */
export const authQuery = queryOptions({
  queryKey: AUTH,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<Auth> => {
    try {
      const answer = await api.get<AuthAnswer>('auth', { signal })
      rememberCsrfToken(answer.csrf_token)
      // Another tab of this browser has logged somebody else in. The screens and drafts of this tab are not theirs.
      if (isOther(answer.user.id)) {
        forgetUser()
        return LOGGED_OUT
      }
      lastUser = answer.user
      rememberPerson(answer.user.id)
      return {
        loggedIn: true,
        user: answer.user,
        salesRequiringAttention: answer.sales_requiring_attention,
        listsWithViews: answer.lists_with_views,
        hasConnector: answer.has_connector,
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      rememberCsrfToken((error.body as { csrf_token?: string } | null)?.csrf_token)
      return LOGGED_OUT
    }
  },
})

const logoutListeners = new Set<(isAsked: boolean) => unknown>()

/**
 * Calls the listener when the person is no longer logged in: after logging out, at the end of the session, or if
 * another tab has logged somebody else in. `isAsked` is true if the person has pressed 'Log Out' in this tab. When all
 * listeners have run, the data that this person has read is forgotten. Returns a function that removes the listener.
 */
export function onLoggedOut(listener: (isAsked: boolean) => unknown): () => void {
  logoutListeners.add(listener)
  return () => {
    logoutListeners.delete(listener)
  }
}

/** Whether this tab shows the screens of another person than this. */
function isOther(id: number): boolean {
  const shown = queryClient.getQueryData<Auth>(AUTH)?.user
  return shown != null && shown.id !== id
}

function forgetUser(isAsked = false): void {
  const wasLoggedIn = queryClient.getQueryData(authQuery.queryKey)?.loggedIn
  queryClient.setQueryData(authQuery.queryKey, LOGGED_OUT)
  if (!wasLoggedIn) return
  // Forget the data only after the listeners have left the screens: a screen that is still there would read it again.
  void Promise.allSettled([...logoutListeners].map((listener) => listener(isAsked))).then(() =>
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'auth' }),
  )
}

/** Reads from the server who is logged in. The screen shows no sign of loading. */
export function refetchAuth(): Promise<unknown> {
  return queryClient.fetchQuery({ ...authQuery, staleTime: 0, retry: false })
}

connectSession({ refetchAuth, loggedOut: () => forgetUser() })

/** Logs this tab out as soon as another tab of this browser has logged somebody else in. */
export function followOtherTabs(): void {
  onOtherPerson((id) => {
    if (isOther(id)) forgetUser()
  })
}

/** Returns the person. Throws ApiError with the server's message if email and password don't match. */
export async function login(email: string, password: string): Promise<User> {
  const user = await api.post<User>('login', { body: { username: email, password }, silent: true })
  lastUser = user
  rememberPerson(user.id)
  const loggedIn: Auth = { loggedIn: true, user, ...NOTHING_YET }
  queryClient.setQueryData(authQuery.queryKey, loggedIn)
  await refetchAuth().catch(() => {})
  return user
}

/**
 * Forgets the person in this browser at once, then tells the server. If the server fails, the console logs it,
 * and no toast appears.
 */
export async function logout(): Promise<void> {
  forgetLeft()
  try {
    const done = api.post('logout', { silent: true })
    forgetUser(true)
    await done
    await refetchAuth()
  } catch (error) {
    console.error('Logging out failed', error)
  }
}

export function useAuth(): Auth {
  return useQuery(authQuery).data ?? LOGGED_OUT
}

/** The logged-in user. Use it only in screens below /admin, which need a login. Throws if nobody is logged in. */
export function useMe(): User {
  const user = useAuth().user ?? lastUser
  if (!user) throw new Error('Nobody is logged in.')
  return user
}

/** The part of a user that decides permissions. */
export type Me = Pick<User, 'id' | 'role'>

export const isAdmin = (user: Pick<Me, 'role'>) => user.role === 'ROLE_ADMIN'
