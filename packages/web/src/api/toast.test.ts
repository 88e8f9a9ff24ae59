import { beforeEach, expect, test } from 'vitest'
import { removeToast, removeToastsAbout, showToast, toastStore } from './toast.ts'

const words = () => toastStore.read().map(({ message }) => message)
beforeEach(() => {
  for (const { id } of toastStore.read()) removeToast(id)
})

test('two imports that ended alike are one toast, which leads to the newer one', () => {
  const finished = { type: 'success', title: 'Import finished', message: '3 added', event: true } as const
  showToast({ ...finished, link: { to: '/admin/stock/import/history?id=1', text: 'Look at it' } })
  showToast({ ...finished, link: { to: '/admin/stock/import/history?id=2', text: 'Look at it' } })
  expect(toastStore.read()).toMatchObject([{ link: { to: '/admin/stock/import/history?id=2' } }])
  showToast({ ...finished, message: '4 added' })
  expect(words()).toEqual(['4 added', '3 added'])
})

test('a success removes the error about its own subject, and no other message', () => {
  showToast({ type: 'error', message: 'Make #1 was not saved', about: 'make/1/edit' })
  showToast({ type: 'error', message: 'Make #2 was not saved', about: 'make/2/edit' })
  showToast({ type: 'success', message: 'Saved', about: 'make/1/edit' })
  expect(words()).toEqual(['Saved', 'Make #2 was not saved'])
  expect(toastStore.read()[0]!.told).toBe(1)
  removeToastsAbout('make/2/edit')
  expect(words()).toEqual(['Saved'])
})

test('one that counts says its new words itself', () => {
  const first = showToast({ type: 'success', message: '1 item', about: 'basket' })
  showToast({ type: 'info', message: 'Copied' })
  expect(showToast({ type: 'success', message: '2 items', about: 'basket' })).toBe(first)
  expect(words()).toEqual(['2 items', 'Copied'])
  expect(toastStore.read()[0]).toMatchObject({ id: first, told: 2 })
})

test('a toast has nothing that it was not given', () => {
  const id = showToast({ type: 'info', message: 'Copied' })
  const nothing = { title: '', link: null, action: null, event: false, about: null }
  expect(toastStore.read()).toEqual([{ ...nothing, id, type: 'info', message: 'Copied', told: 1 }])
})

test.each([{ type: 'error' }, { title: 'Other' }, { message: 'Other' }] as const)('%j makes it no twin', (other) => {
  const toast = { type: 'info', title: 'Title', message: 'Message' } as const
  showToast(toast)
  showToast(toast)
  expect(toastStore.read()).toHaveLength(1)
  showToast({ ...toast, ...other })
  expect(toastStore.read()).toHaveLength(2)
})

test('toasts about nothing have nothing in common', () => {
  const first = showToast({ type: 'info', message: 'One' })
  expect(showToast({ type: 'info', message: 'Two' })).not.toBe(first)
  expect(words()).toEqual(['Two', 'One'])
})

test('listeners hear of each change, and of nothing else or later', () => {
  let heard = 0
  const stop = toastStore.subscribe(() => heard++)
  const id = showToast({ type: 'info', message: 'One', about: 'x' })
  removeToastsAbout('y')
  expect(heard).toBe(1)
  showToast({ type: 'info', message: 'Stays' })
  removeToast(id)
  expect([heard, words()]).toEqual([3, ['Stays']])
  stop()
  showToast({ type: 'info', message: 'Two' })
  expect(heard).toBe(3)
})
