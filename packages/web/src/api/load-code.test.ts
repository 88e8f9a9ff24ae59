import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadCode } from './load-code.ts'
import { toastStore } from './toast.ts'

let isOnline = false
let whenOnline: () => void

beforeEach(() => {
  vi.stubGlobal('addEventListener', (_: string, told: () => void) => {
    whenOnline = told
  })
  vi.stubGlobal('fetch', async () => {
    if (!isOnline) throw new TypeError('Failed to fetch')
  })
})
afterEach(() => vi.unstubAllGlobals())

test('code that the server no longer has when the connection is back is an error, and its message leaves', async () => {
  isOnline = false
  const load = vi.fn(() => Promise.reject(new Error('Not found')))
  const loading = loadCode(load, { isWanted: true }).catch((error: Error) => error.message)
  await vi.waitFor(() =>
    expect(toastStore.read()).toMatchObject([{ message: expect.stringContaining('No connection') }]),
  )
  expect(load).toHaveBeenCalledOnce()
  isOnline = true
  whenOnline()
  expect(await loading).toBe('Not found')
  expect(load).toHaveBeenCalledTimes(2)
  expect(toastStore.read()).toEqual([])
})
