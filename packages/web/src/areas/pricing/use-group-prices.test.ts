import { expect, test } from 'vitest'
import { hookAfter } from '../../testing/hook-after.tsx'
import type { Item } from './price-rows.ts'
import { useGroupPrices } from './use-group-prices.ts'

const item = (id: number): Item => ({
  ...{ id, actual_product_id: id, product_display_name: `Phone ${id}`, grade_id: 1, grade_name: 'A' },
  ...{ sales_price: null, cost: 10_000 },
})
const ITEMS = [item(1), item(2), item(3)]
const usePrices = () => useGroupPrices(ITEMS, (row) => row.sales_price)
const all = ({ groups }: ReturnType<typeof usePrices>) => groups.map(({ price, wrong }) => wrong ?? price)

test('each way to change a price counts as a change, and begins with none', async () => {
  const changed = async (...steps: ((now: ReturnType<typeof usePrices>) => void)[]) => {
    const now = await hookAfter(usePrices, ...steps)
    return [now.isTouched, ...all(now)]
  }
  expect(await changed()).toEqual([false, null, null, null])
  expect(await changed(({ groups, type }) => type(groups[1]!.id, 5_000, null))).toEqual([true, null, 5_000, null])
  expect(await changed(({ groups, type }) => type(groups[1]!.id, null, '5o'))).toEqual([true, null, '5o', null])
  expect(await changed(({ groups, paste }) => paste(groups[1]!.id, '70\n80'))).toEqual([true, null, 7_000, 8_000])
  const rule = { of: 'purchase_price', percent: '50', round: 'none' } as const
  expect(await changed(({ fill }) => fill(rule))).toEqual([true, 15_000, 15_000, 15_000])
})

test('the message about a pasted column stays while a price is typed, until a rule fills the prices', async () => {
  const paste = ({ groups, paste: into }: ReturnType<typeof usePrices>) => into(groups[0]!.id, '70\n8o')
  const type = ({ groups, type: into }: ReturnType<typeof usePrices>) => into(groups[2]!.id, 9_000, null)
  const pasted = await hookAfter(usePrices, paste, type)
  expect([pasted.said.wrong, all(pasted)]).toEqual([expect.stringContaining('Line 2'), [7_000, '8o', 9_000]])
  const filled = await hookAfter(usePrices, paste, ({ fill }) =>
    fill({ of: 'purchase_price', percent: '50', round: 'none' }),
  )
  expect(filled.said).toEqual({ wrong: null, left: null })
  const told = await hookAfter(usePrices, paste, ({ forgetSaid }) => forgetSaid())
  expect([told.said, all(told)]).toEqual([{ wrong: null, left: null }, [7_000, '8o', null]])
})
