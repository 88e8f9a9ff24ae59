import { afterEach, expect, test, vi } from 'vitest'
import { stockColumnChoice } from './column-choice.ts'

afterEach(() => void vi.doUnmock('./more-columns.tsx'))

test('if the further columns could not be loaded, the next call loads them', async () => {
  const { load, isLoaded, columns } = stockColumnChoice({ id: { header: '#', cell: () => null } })
  const headers = () => columns(['id', 'location']).map(({ header }) => header)
  vi.doMock('./more-columns.tsx', () => {
    throw new Error('No answer.')
  })
  await expect(load()).rejects.toThrow()
  expect([isLoaded(), headers()]).toEqual([false, ['#']])
  vi.doUnmock('./more-columns.tsx')
  await load()
  expect([isLoaded(), headers()]).toEqual([true, ['#', 'Location']])
})
