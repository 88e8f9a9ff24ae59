import { ImportPreview } from '@backstock/contract/import-preview.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { blank } from '../../../testing/blank.ts'
import { preview } from './preview.ts'

afterEach(() => void vi.unstubAllGlobals())

/** The pause before the plan is read again; false if it is not. */
function pauseOf(said: Partial<ImportPreview>, hidden = false): number | false | undefined {
  vi.stubGlobal('document', { hidden })
  const { refetchInterval } = preview(7)
  if (typeof refetchInterval !== 'function') throw new Error('The plan is not read again.')
  return refetchInterval({ state: { data: blank(ImportPreview, said) } } as never)
}
const stale = (by: 'undo' | 'items', is_over: boolean) => ({
  ...({ state: 'previewed', stale: { by, import_id: 6, file_name: null, is_over } } as const),
})

test('a plan is read again while it is made or stock changes, and now and then while somebody looks at it', () => {
  const made = pauseOf({ state: 'previewing' }, true)
  const changing = pauseOf(stale('undo', false), true)
  const looked = pauseOf({ state: 'previewed', stale: null })
  expect([made, changing, looked].every((pause) => Number(pause) > 0)).toBe(true)
  expect([made, changing, looked]).toEqual([made, changing, looked].toSorted((a, b) => Number(a) - Number(b)))
  expect(pauseOf({ state: 'previewed', stale: null }, true)).toBe(false)
  expect(pauseOf(stale('items', true))).toBe(false)
  expect(pauseOf({ state: 'failed' })).toBe(false)
})
