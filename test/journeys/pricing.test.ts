import type { Page } from '@playwright/test'
import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { type Call, type Found, openShop, rowsOf, stayByEscape, toast, unique } from './sample-shop.ts'
import { create, first, newItems, newSale } from './shop-records.ts'

const shop = openShop()

type Priced = { id: number; sales_price: number | null }
const pricesById = async (call: Call, items: readonly { id: number }[]) => {
  const ids = items.map(({ id }) => id).join(',')
  const { data } = await call<Found<Priced>>('GET', `stock/find?ids=${ids}&per_page=250`)
  return new Map(data.map(({ id, sales_price }) => [id, sales_price]))
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Price by group' })
const groups = (page: Page) => rowsOf(page, 'Groups')

/**
 * Creates thirty items of one product in three grades, bought for 100.00, 120.00 and 140.00. Two have a price already.
 */
async function thirty(call: Call): Promise<{ id: number }[]> {
  const { data } = await call<Found<{ id: number; name: string }>>('GET', 'grade/find')
  const grades = ['A', 'B', 'C'].map((name) => data.find((grade) => grade.name === name)!)
  const items = []
  for (const [n, grade] of grades.entries()) {
    const input = { grade_id: grade.id, purchase_price: 10_000 + n * 2_000, sales_price: null }
    items.push(...(await newItems(call, n === 0 ? 8 : 10, input)))
    if (n === 0) items.push(...(await newItems(call, 2, { ...input, sales_price: 15_000 })))
  }
  return items
}

/** The prices of these items, without repeats. */
async function pricesOf(call: Call, items: readonly { id: number }[]) {
  const prices = await pricesById(call, items)
  expectValue(prices.size).toBe(items.length)
  return [...new Set(prices.values())].toSorted((a, b) => (a ?? 0) - (b ?? 0))
}

/** Opens the price dialog in a batch of these items. `shown` changes the items that the screen gets. */
async function openBatch(page: Page, call: Call, items: readonly { id: number }[], shown?: (items: Item[]) => Item[]) {
  const batch = await create(call, 'batch', { name: unique('Priced'), items: items.map(({ id }) => id) })
  if (shown)
    await page.route(`**/api/batch/find?id=${batch.id}`, async (route) => {
      const found = await (await route.fetch()).json()
      await route.fulfill({ json: { ...found, data: [{ ...found.data[0], items: shown(found.data[0].items) }] } })
    })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  await openDialog(page)
}
type Item = { id: number; actual_product_id: number; product_display_name: string }

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Price by group' }).click()
}

const newPrices = (page: Page) => dialog(page).getByRole('textbox', { name: /^New price of / })

/** Pastes text into the price field of row `nth`. */
const paste = (page: Page, nth: number, text: string) =>
  newPrices(page)
    .nth(nth)
    .evaluate((field, pasted) => {
      const data = new DataTransfer()
      data.setData('text/plain', pasted)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, text)

test('thirty devices of a batch are priced by group in at most ten actions, and all of it is undone', async () => {
  const { page, call } = await shop.colleague()
  const items = await thirty(call)
  const batch = await create(call, 'batch', { name: unique('Priced'), items: items.map(({ id }) => id) })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  let actions = 0
  const act = async (doing: Promise<unknown>) => {
    actions++
    await doing
  }
  await act(page.getByRole('button', { name: 'More', exact: true }).click())
  await act(page.getByRole('menuitem', { name: 'Price by group' }).click())
  await expect(dialog(page).getByText('30 items in 3 groups, 28 without a price')).toBeVisible()
  await expect(groups(page).first()).toContainText('8 without a price')
  // A missing price is not shown as a loss.
  await expect(dialog(page)).not.toContainText('-')
  await act(page.getByRole('textbox', { name: 'Plus' }).fill('35'))
  await act(page.keyboard.press('Enter'))
  const prices = dialog(page).getByRole('textbox', { name: /^New price of / })
  await expect(prices.nth(0)).toHaveValue('135.00')
  await expect(prices.nth(1)).toHaveValue('162.00')
  await expect(groups(page).first()).toContainText('25.93%')
  // Prices of the rule are not lost without a question.
  await page.keyboard.press('Escape')
  await stayByEscape(page)
  // Change one of the prices. Enter moves down to the next.
  await act(prices.nth(1).fill('169'))
  await act(page.keyboard.press('Enter'))
  await expect(prices.nth(2)).toBeFocused()
  await expect(prices.nth(2)).toHaveValue('189.00')
  // Typed digits take the place of the price that is there.
  await act(page.keyboard.type('199'))
  await expect(prices.nth(2)).toHaveValue('199')
  await act(page.getByRole('button', { name: 'Set 30 prices' }).click())
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'More', exact: true })).toBeFocused()
  expectValue(actions).toBeLessThanOrEqual(10)
  await expect(toast(page)).toContainText('Changed 30 items.')
  expectValue(await pricesOf(call, items)).toEqual([13_500, 16_900, 19_900])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => pricesOf(call, items)).toEqual([null, 15_000])
})

testInTurn('the basket takes a pasted column of prices for its groups', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await thirty(call)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/make')
  await page.getByRole('button', { name: 'Basket, 30 items' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Price by group' }).click()
  const prices = dialog(page).getByRole('textbox', { name: /^New price of / })
  await expect(prices).toHaveCount(3)
  await paste(page, 1, '149,90\n139.90 EUR\n')
  await expect(prices.nth(0)).toHaveValue('')
  await expect(prices.nth(2)).toHaveValue('139.90')
  // Pasted prices are not lost without a question.
  await page.keyboard.press('Escape')
  await stayByEscape(page)
  // Text that is no price stops everything, and is not left out silently.
  await prices.nth(0).fill('1.234,50')
  await page.getByRole('button', { name: 'Set 20 prices' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('this is not a price')
  expectValue(await pricesOf(call, items)).toEqual([null, 15_000])
  await prices.nth(0).fill('')
  await page.getByRole('button', { name: 'Set 20 prices' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expectValue(await pricesOf(call, items)).toEqual([null, 13_990, 14_990, 15_000])
})

testInTurn('a draft of a sale takes prices by group, and is sold at these', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await thirty(call)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/make')
  await page.getByRole('button', { name: 'Basket, 30 items' }).click()
  await page.getByRole('button', { name: 'Sale', exact: true }).click()
  // Prices with VAT in them show no margin.
  await page.getByText('incl. VAT', { exact: true }).click()
  await page.getByRole('button', { name: 'Price by group' }).click()
  await expect(groups(page)).toHaveCount(3)
  await expect(dialog(page)).not.toContainText('Margin')
  await page.keyboard.press('Escape')
  await page.getByText('excl. VAT', { exact: true }).click()
  const price = (n: number) => page.getByRole('textbox', { name: `Sales price of #${items[n]!.id}` })
  // The groups have the prices that were typed, and replace also a text that is no price.
  await price(0).fill('333')
  await price(1).fill('1oo')
  await page.getByRole('button', { name: 'Price by group' }).click()
  await expect(groups(page).first()).toContainText('150.00 to 333.00')
  await page.getByRole('combobox', { name: 'Rounding' }).selectOption('To .99')
  await page.getByRole('textbox', { name: 'Plus' }).fill('50')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Set 30 prices' }).click()
  await expect(dialog(page)).toHaveCount(0)
  for (const n of [0, 1]) await expect(price(n)).toHaveValue('149.99')
  await expect(price(29)).toHaveValue('209.99')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('combobox', { name: 'Customer' }).fill('Bakker')
  await page.getByRole('option', { name: /Bakker/ }).click()
  await page.getByRole('button', { name: /^Create Sale/ }).click()
  await page.waitForURL('**/admin/sale/edit/*')
  const sale = page.url().match(/edit\/(\d+)/)![1]
  const { total_sales_price } = await first<{ total_sales_price: number }>(call, `sale/find?id=${sale}`)
  expectValue(total_sales_price).toBe(10 * (14_999 + 17_999 + 20_999))
  // The stored sales prices have not changed.
  expectValue(await pricesOf(call, items)).toEqual([null, 15_000])
})

testInTurn('a price that a colleague has set since the groups were shown is not overwritten', async () => {
  const { page, call } = await shop.colleague()
  const items = await thirty(call)
  await openBatch(page, call, items)
  await expect(dialog(page)).toContainText('30 items in 3 groups')
  // Somebody else changes a price while the groups are shown.
  const one = items[4]!
  await call('POST', `stock/${one.id}/edit`, { sales_price: 27_000 })
  await page.getByRole('textbox', { name: 'Plus' }).fill('35')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Set 30 prices' }).click()
  const alert = dialog(page).getByRole('alert')
  await expect(alert).toContainText(
    `1 item stays as it is. 1: It has changed since it was shown. (#${one.id}) Press again to set the others.`,
  )
  await page.getByRole('button', { name: 'Set 30 prices' }).click()
  await expect(toast(page)).toContainText('Changed 29 items.')
  const prices = await pricesById(call, items)
  expectValue(prices.get(one.id)).toBe(27_000)
  expectValue([...new Set(prices.values())].toSorted()).toEqual([13_500, 16_200, 18_900, 27_000])

  // Opened again, the dialog shows the present prices, and setting them works.
  await openDialog(page)
  await expect(groups(page).first()).toContainText('135.00 to 270.00')
  // The rule may also begin with these.
  await page.getByRole('combobox', { name: 'Work out from' }).selectOption('Price now')
  const plus = page.getByRole('textbox', { name: 'Plus' })
  await plus.fill('10x')
  await expect(dialog(page)).toContainText('Must be a percentage such as 35 or -2.5.')
  await expect(page.getByRole('button', { name: 'Fill in' })).toBeDisabled()
  await plus.fill('10')
  await page.getByRole('button', { name: 'Fill in' }).click()
  await expect(newPrices(page).nth(1)).toHaveValue('178.00')
  await expect(newPrices(page).nth(2)).toHaveValue('208.00')
  await newPrices(page).first().fill('140')
  await page.getByRole('button', { name: 'Set 30 prices' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expectValue((await pricesById(call, items)).get(one.id)).toBe(14_000)
  expectValue(await pricesOf(call, items)).toEqual([14_000, 17_800, 20_800])
})

testInTurn('if all prices have changed since, groups that are opened again show the present ones', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  // An item that is sold keeps its price.
  const sold = await newItems(call, 1)
  await newSale(call, sold)
  await call('PUT', `user/${id}/basket`, { items: [...items, ...sold].map((item) => item.id) })
  await page.goto('/admin/make')
  const openGroups = async () => {
    await page.getByRole('button', { name: 'Basket, 3 items' }).click()
    await openDialog(page)
    await expect(dialog(page)).toContainText('2 items in 1 group')
  }
  await openGroups()
  await expect(groups(page)).toContainText('149.90')
  for (const item of items) await call('POST', `stock/${item.id}/edit`, { sales_price: 27_000 })
  await newPrices(page).fill('99')
  await page.getByRole('button', { name: 'Set 2 prices' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Nothing would change.')
  await expect(dialog(page).getByRole('alert')).toContainText('Open this again')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await openGroups()
  await expect(groups(page)).toContainText('270.00')
})

testInTurn('prices whose answer got lost are not written twice, and can be undone', async () => {
  const { page, call } = await shop.colleague()
  const items = await thirty(call)
  await openBatch(page, call, items)
  await page.getByRole('textbox', { name: 'Plus' }).fill('35')
  await page.keyboard.press('Enter')
  const sent: (string | undefined)[] = []
  await page.route('**/api/stock/bulk', async (route) => {
    sent.push(route.request().headers()['idempotency-key'])
    const answer = await route.fetch()
    if (sent.length === 1) await route.abort('internetdisconnected')
    else await route.fulfill({ response: answer })
  })
  await page.getByRole('button', { name: 'Set 30 prices' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('The server cannot be reached')
  expectValue(await pricesOf(call, items)).toEqual([13_500, 16_200, 18_900])
  await page.getByRole('button', { name: 'Set 30 prices' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(toast(page)).toContainText('Changed 30 items.')
  expectValue(sent).toEqual([expectValue.any(String), sent[0]])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => pricesOf(call, items)).toEqual([null, 15_000])
})

testInTurn(
  'a pasted column is read as spreadsheets write it; what is no price is marked, and nothing is set',
  async () => {
    const { page, call } = await shop.colleague()
    const items = await thirty(call)
    await openBatch(page, call, items)
    const prices = newPrices(page)
    const alert = dialog(page).getByRole('alert')
    await paste(page, 0, '999,00 €\n1.249,00 €\n249,00 €\n')
    for (const [n, price] of ['999.00', '1249.00', '249.00'].entries()) await expect(prices.nth(n)).toHaveValue(price)
    expectValue(await alert.count()).toBe(0)

    await paste(page, 0, '999\n1.249\n349')
    await expect(prices.nth(1)).toHaveValue('1.249')
    await expect(prices.nth(1)).toHaveAttribute('aria-invalid', 'true')
    await expect(alert).toContainText('Line 2 of the column')
    // The message goes once its line is corrected.
    await prices.nth(1).fill('1249')
    await expect(alert).toHaveCount(0)
    await paste(page, 0, '999\n1.249\n349')
    await page.getByRole('button', { name: 'Set 20 prices' }).click()
    await expect(alert).toContainText('Galaxy A52')
    await expect(alert).toContainText('this is not a price')
    expectValue(await pricesOf(call, items)).toEqual([null, 15_000])

    await paste(page, 1, 'B\t249\nC\t199')
    await expect(alert).toContainText('2 columns')
    await expect(prices.nth(1)).toHaveValue('1.249')
    await paste(page, 1, '1\u00a0249,00\n199\n149\n99\n')
    await expect(prices.nth(1)).toHaveValue('1249.00')
    const hidden = await prices.nth(1).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expectValue(hidden).toBe(0)
    await expect(alert).toContainText('2 more lines than')
    await page.getByRole('button', { name: 'Set 30 prices' }).click()
    await expect(dialog(page)).toHaveCount(0)
    expectValue(await pricesOf(call, items)).toEqual([19_900, 99_900, 124_900])
  },
)

testInTurn('a wrong price on another page of groups is found, and is there as typed', async () => {
  const { page, call } = await shop.colleague()
  const [item] = await newItems(call, 1)
  await openBatch(page, call, [item!], ([one]) =>
    Array.from({ length: 120 }, (_, n) => ({
      ...{ ...one!, id: one!.id + n, actual_product_id: n + 1, product_display_name: `Phone ${n + 1}` },
    })),
  )
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/stock/bulk')) asked.push(request.url())
  })
  const third = page.getByRole('textbox', { name: /^New price of Phone 3\b/ })
  await third.fill('1.249')
  await page.keyboard.press('Enter')
  // From the last price of the page, Enter leads to the first one of the next page.
  await page.getByRole('textbox', { name: /^New price of Phone 100\b/ }).press('Enter')
  await expect(page.getByRole('textbox', { name: /^New price of Phone 101\b/ })).toBeFocused()
  await page.getByRole('textbox', { name: /^New price of Phone 120\b/ }).fill('99')
  await page.getByRole('button', { name: 'Set 1 price' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Phone 3')
  await expect(dialog(page).getByRole('alert')).toBeInViewport()
  await expect(third).toHaveValue('1.249')
  await expect(third).toHaveAttribute('aria-invalid', 'true')
  expectValue(asked).toEqual([])
})

testInTurn(
  'more items than can be priced at once: the most is said before, and nothing is asked for in vain',
  async () => {
    const { page, call } = await shop.colleague()
    const [item] = await newItems(call, 1)
    await openBatch(page, call, [item!], ([one]) =>
      Array.from({ length: 10_002 }, (_, n) => ({ ...one!, id: one!.id + n, actual_product_id: n < 10_001 ? 1 : 2 })),
    )
    await expect(dialog(page)).toContainText('At most 10,000 items')
    await newPrices(page).nth(0).fill('99')
    await expect(page.getByRole('button', { name: 'Set 10,001 prices' })).toBeDisabled()
    await newPrices(page).nth(0).fill('')
    await newPrices(page).nth(1).fill('99')
    await expect(page.getByRole('button', { name: 'Set 1 price' })).toBeEnabled()
  },
)
