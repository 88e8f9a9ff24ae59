import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect } from './browser-page.ts'
import { openShop, rowsOf } from './sample-shop.ts'
import { create, newItems, newSale } from './shop-records.ts'

const shop = openShop()

test('three phones come back from a pasted list, one for less, and are credited', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  const sale = await newSale(call, items)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${sale.id}/edit`, { status })

  await page.goto('/admin/return')
  await page.getByRole('link', { name: 'Add new' }).click()
  await expect(page.getByRole('textbox', { name: 'IMEIs or serial numbers' })).toBeFocused()
  await page.keyboard.type(`NOT-OURS\n${items.map(({ imei }) => imei).join('\n')}\n`)
  await expect(page.getByRole('heading', { name: 'Not sold by you (1)' }).locator('..')).toContainText('NOT-OURS')
  const rows = rowsOf(page, 'Items found')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText(`Sale #${sale.id}`)
  await page.getByRole('combobox', { name: 'Reason, for all' }).selectOption('Faulty')
  await page.getByRole('combobox', { name: `Outcome of #${items[1]!.id}` }).selectOption('Inbound for testing')
  await page.getByRole('button', { name: new RegExp(`^Credit of #${items[0]!.id}:`) }).dblclick()
  await page.getByRole('textbox', { name: `Credit of #${items[0]!.id}` }).fill('100')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByText('3 items, credited: 399.80 EUR excl. VAT')).toBeVisible()
  // While a credit cannot be stored, nothing is received: the question would name the whole price.
  await page.getByRole('button', { name: new RegExp(`^Credit of #${items[2]!.id}:`) }).dblclick()
  const credit = page.getByRole('textbox', { name: `Credit of #${items[2]!.id}` })
  await credit.fill('1oo')
  await page.getByRole('button', { name: 'Receive (3)' }).click()
  await expect(credit).toBeFocused()
  await atRest(page)
  expectValue(await page.getByRole('dialog').count()).toBe(0)
  await credit.fill('150')
  await credit.press('Enter')
  await expect(credit).toHaveAccessibleDescription('More than it was sold for.')
  await credit.press('Escape')

  // The last step by keyboard alone: it opens a question, and Enter says yes.
  await expect(page.getByRole('button', { name: 'Receive (3)' })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('3 items of')
  await expect(dialog).toContainText('1 credit note for 399.80 EUR excl. VAT is made and sent by email.')
  await expect(dialog.getByRole('button', { name: 'Receive' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^Return #\d+$/ })).toBeVisible()
  const back = rowsOf(page, 'Items of the return')
  await expect(back).toContainText([/In Stock.*Faulty.*100\.00/, /Inbound.*149\.90/, /Faulty.*149\.90/])
  await expect(page.getByText(/^CN-/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Settle' })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Settled', { exact: true })).toBeVisible()
})

testInTurn('a list with items of two customers names those for another return', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  const first = await newSale(call, items.slice(0, 2))
  const other = await create(call, 'customer', { first_name: 'An', last_name: 'Other', email: 'an@shop.test' })
  const second = await newSale(call, items.slice(2), { customer_id: other.id })
  for (const { id } of [first, second])
    for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${id}/edit`, { status })
  await page.goto('/admin/return/create')
  await page.getByRole('textbox', { name: 'IMEIs or serial numbers' }).fill(items.map(({ imei }) => imei).join('\n'))
  await expect(page.getByText(/^2 items of .*, 1 of other customers$/)).toBeVisible()
  await page.getByRole('button', { name: 'Receive (2)' }).click()
  await expect(page.getByRole('dialog')).toContainText('1 item of other customers needs another return.')
})
