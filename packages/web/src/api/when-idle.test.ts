import { afterEach, expect, test, vi } from 'vitest'
import { whenIdle } from './when-idle.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('Safari, which does not say when it is idle, does the work after a moment', () => {
  vi.useFakeTimers()
  vi.stubGlobal('window', {})
  const work = vi.fn()
  whenIdle(work)
  expect(work).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(work).toHaveBeenCalledOnce()
})
