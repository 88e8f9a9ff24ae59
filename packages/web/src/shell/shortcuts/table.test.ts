import { expect, test } from 'vitest'
import { router } from '../../routes.tsx'
import { RESOURCES } from '../areas.ts'
import { OF_KEYS } from './table.ts'

test('each shortcut has keys of its own, of which none begins another', () => {
  const keys = OF_KEYS.map((shortcut) => shortcut.keys)
  const unclear = keys.filter((one, at) => keys.some((other, n) => n !== at && `${other} `.startsWith(`${one} `)))
  expect(unclear).toEqual([])
  expect(keys.every((one) => /^\S( \S)?$/.test(one))).toBe(true)
})

test('each leads to a screen that is there', () => {
  const isScreen = (to: string) => {
    const [, area = '', operation = 'list'] = /^\/admin\/([^/]+)(?:\/([^/]+))?$/.exec(to) ?? []
    return to in router.routesByPath || operation in (RESOURCES[area]?.screens ?? {})
  }
  expect(OF_KEYS.flatMap(({ to }) => (to && !isScreen(to) ? [to] : []))).toEqual([])
})
