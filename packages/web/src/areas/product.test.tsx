import { Children, isValidElement, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { product } from './product.tsx'

afterEach(() => void vi.unstubAllGlobals())

type Select = { area?: string; create?: (name: string) => Promise<unknown>; children?: ReactNode }

/** The selects in a form. */
function selects(part: ReactNode): Select[] {
  return Children.toArray(part).flatMap((one) => {
    if (!isValidElement<Select>(one)) return []
    return [...(one.props.area ? [one.props] : []), ...selects(one.props.children)]
  })
}

test('each select in the form of a product creates a record of the kind that it chooses', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return Response.json({ data: { id: 7, name: 'New' } })
  })
  vi.stubGlobal('document', { cookie: '' })
  const form = { getInputProps: () => ({}) }
  const all = selects(product.fields(form as never, {} as never))
  for (const { create } of all) await create?.('New')
  expect(all.map(({ area }) => area)).toEqual(['make', 'colour', 'category'])
  expect(asked.filter((url) => url.endsWith('/create'))).toEqual(all.map(({ area }) => `/api/${area}/create`))
})
