import { Suspense } from 'react'
import { prerender } from 'react-dom/static'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyPart } from './lazy-part.ts'

afterEach(() => vi.unstubAllGlobals())

/** Draws a screen with a part whose code cannot be loaded, though the server answers. */
async function drawnWithout(message: string): Promise<string> {
  vi.stubGlobal('fetch', async () => new Response())
  const Part = lazyPart<object>(() => Promise.reject(new TypeError(message)))
  const errors: unknown[] = []
  const screen = (
    <p>
      typed
      <Suspense>
        <Part />
      </Suspense>
    </p>
  )
  const { prelude } = await prerender(screen, { onError: (error) => void errors.push(error) })
  if (errors.length > 0) throw errors[0]
  return (await new Response(prelude).text()).replaceAll(/<!--.*?-->/g, '')
}

test.each([
  ['Chrome', 'Failed to fetch dynamically imported module: https://shop.test/assets/dialog-1.js'],
  ['Firefox', 'error loading dynamically imported module: https://shop.test/assets/dialog-1.js'],
  ['Safari', 'Importing a module script failed.'],
])('after an update of the server a screen stays without the part whose code is gone, in %s', async (_, message) => {
  expect(await drawnWithout(message)).toBe('<p>typed</p>')
})

test('an error in the code of a part is an error of the screen', async () => {
  await expect(drawnWithout('x is not a function')).rejects.toThrow('x is not a function')
})
