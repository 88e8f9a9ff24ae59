import { Children, isValidElement, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { product } from './product.tsx'

vi.mock('../api/create-named.ts', () => ({ createNamed: (area: string) => area }))

type Select = { area?: string; create?: string; children?: ReactNode }

/** The area of each select in a form, with the area in which the select creates a missing record. */
function selects(part: ReactNode): (string | undefined)[][] {
  return Children.toArray(part).flatMap((one) => {
    if (!isValidElement<Select>(one)) return []
    const { area, create, children } = one.props
    return [...(area ? [[area, create]] : []), ...selects(children)]
  })
}

test('each select in the form of a product creates a record of the kind that it chooses', () => {
  const form = { getInputProps: () => ({}) }
  expect(selects(product.fields(form as never, {} as never))).toEqual([
    ['make', 'make'],
    ['colour', 'colour'],
    ['category', 'category'],
  ])
})
