import { afterEach, expect, test, vi } from 'vitest'
import { removeToast, toastStore } from '../../api/toast.ts'
import { rememberScreen, tellInterrupted } from './interrupted.ts'

const ADA = 7
const BOB = 17

afterEach(() => {
  for (const { id } of toastStore.read()) removeToast(id)
  vi.unstubAllGlobals()
})

function interruptAda() {
  vi.stubGlobal('location', { pathname: '/admin/stock/create', search: '?imei=350000090000197' })
  rememberScreen(ADA)
  vi.stubGlobal('location', { pathname: '/login', search: '' })
}

test('after the login the person is told once of their draft, with a link to it', () => {
  interruptAda()
  tellInterrupted(ADA)
  const [told, ...others] = toastStore.read()
  expect(told).toMatchObject({ link: { to: '/admin/stock/create?imei=350000090000197', text: 'Go back to it' } })
  expect(others).toEqual([])
  removeToast(told?.id ?? 0)
  tellInterrupted(ADA)
  expect(toastStore.read()).toEqual([])
})

test('nobody is told of the draft of another person', () => {
  interruptAda()
  tellInterrupted(BOB)
  tellInterrupted(ADA)
  expect(toastStore.read()).toEqual([])
})
