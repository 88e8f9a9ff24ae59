import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { create, newItems } from './shop-records.ts'

const shop = openShop()

const basket = (page: Page, items: string) => page.getByRole('button', { name: `Basket, ${items}`, exact: true })
const ids = (items: readonly { id: number }[]) => items.map((item) => item.id)

/** Opens a screen from the basket on which the basket's items join a batch. */
async function toBatch(page: Page, action: 'New Batch' | 'Add to Batch'): Promise<void> {
  await page.getByRole('button', { name: /^Basket, / }).click()
  await page.getByRole('button', { name: action }).click()
  await expect(page.getByText(/join the batch/)).toBeVisible()
}

test('items that join a batch leave the basket, in other windows too, and the others stay in it', async () => {
  const person = await shop.colleague()
  const { page, call, id } = person
  const items = await newItems(call, 3)
  await call('PUT', `user/${id}/basket`, { items: ids(items) })
  const { page: other } = await shop.again(person)
  await other.goto('/admin/stock')
  await expect(basket(other, '3 items')).toBeVisible()

  await page.goto('/admin/make')
  await toBatch(page, 'New Batch')
  await page.getByRole('checkbox', { name: `Select #${items[1]!.id}` }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(unique('Basketful'))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/batch/edit/*')
  await expect(basket(page, '1 item')).toBeVisible()

  // The other window still shows three items. If that window adds one, the removed items do not come back.
  const [later] = await newItems(call, 1)
  await other.getByRole('searchbox').fill(later!.imei!)
  await other.getByRole('checkbox', { name: `Select #${later!.id}` }).click()
  await expect(basket(other, '2 items')).toBeVisible()
  await expect
    .poll(() => call('GET', `user/${id}/basket`))
    .toMatchObject({
      data: [{ id: items[1]!.id }, { id: later!.id }],
    })
})

testInTurn(
  'a new batch that is left for another screen is kept, with what is not ticked, until it is made',
  async () => {
    const { page, call, id } = await shop.colleague()
    const items = await newItems(call, 2)
    const name = unique('Half done')
    await call('PUT', `user/${id}/basket`, { items: ids(items) })
    await page.goto('/admin/make')
    await toBatch(page, 'New Batch')
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('checkbox', { name: `Select #${items[1]!.id}` }).click()
    await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
    await page.getByRole('link', { name: 'Sales', exact: true }).click()
    await page.waitForURL('**/admin/sale*')
    await toBatch(page, 'New Batch')
    await expect(page.getByText('Your draft is back.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
    await expect(page.getByText('1 of 2 items join the batch')).toBeVisible()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**/admin/batch/edit/*')
    await page.goto('/admin/batch/create')
    await expect(page.getByText('1 of 1 item joins the batch')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('')
  },
)

testInTurn('a draft brings its name to another list of items, and not what was unticked', async () => {
  const { page, call, id } = await shop.colleague()
  const [a, b, c] = await newItems(call, 3)
  const name = unique('Half ticked')
  await call('PUT', `user/${id}/basket`, { items: ids([a!, b!]) })
  await page.goto('/admin/make')
  await toBatch(page, 'New Batch')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('checkbox', { name: `Select #${b!.id}` }).click()
  await expect(page.getByText('1 of 2 items join the batch')).toBeVisible()
  await call('PUT', `user/${id}/basket`, { items: ids([b!, c!]) })
  await page.goto('/admin/make')
  await toBatch(page, 'New Batch')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
  await expect(page.getByText('2 of 2 items join the batch')).toBeVisible()
})

testInTurn('a batch that was chosen for some items is not chosen for others', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 3)
  const name = unique('Chosen')
  await create(call, 'batch', { name, items: [] })
  const chosen = page.getByRole('combobox', { name: 'Batch' })
  await call('PUT', `user/${id}/basket`, { items: ids(items.slice(0, 2)) })
  await page.goto('/admin/make')
  await toBatch(page, 'Add to Batch')
  await chosen.fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  await page.goto('/admin/make')
  await toBatch(page, 'Add to Batch')
  await expect(chosen).toHaveValue(new RegExp(name))

  await call('PUT', `user/${id}/basket`, { items: ids(items.slice(1)) })
  await page.goto('/admin/make')
  await toBatch(page, 'Add to Batch')
  await expect(page.getByRole('checkbox', { name: `Select #${items[2]!.id}` })).toBeVisible()
  await expect(chosen).toHaveValue('')
  expect(await page.getByText('Your draft is back.').count()).toBe(0)
})

testInTurn('the basket joins a batch: ids and their batch are sent as the API names them', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  const name = unique('Shelf')
  const batch = await create(call, 'batch', { name, items: [] })
  await call('PUT', `user/${id}/basket`, { items: ids(items) })
  await page.goto('/admin/make')
  await toBatch(page, 'Add to Batch')
  await page.getByRole('combobox', { name: 'Batch' }).fill(name)
  await page.getByRole('option', { name }).click()
  const sent = page.waitForRequest('**/api/batch/add-items')
  await page.getByRole('button', { name: 'Add to batch' }).click()
  expect((await sent).postDataJSON()).toEqual({ batch_id: batch.id, id: null, items: ids(items).join(',') })
  await page.waitForURL(`**/admin/batch/edit/${batch.id}`)
  await expect(basket(page, '0 items')).toBeVisible()

  const edited = page.waitForRequest(`**/api/batch/${batch.id}/edit`)
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} B`)
  await page.keyboard.press('Enter')
  expect((await edited).postDataJSON()).toMatchObject({ name: `${name} B`, is_locked: false })
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${name} B`)
  const locked = page.waitForRequest(`**/api/batch/${batch.id}/edit`)
  await page.getByRole('switch', { name: 'Locked' }).click()
  expect((await locked).postDataJSON()).toMatchObject({ name: `${name} B`, is_locked: true })
})

testInTurn(
  'an item that has gone meanwhile stops the batch, and nothing that was typed or collected is lost',
  async () => {
    const { page, call, id } = await shop.colleague()
    const items = await newItems(call, 2)
    await call('PUT', `user/${id}/basket`, { items: ids(items) })
    await page.goto('/admin/make')
    await toBatch(page, 'New Batch')
    const name = unique('Raced')
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    const rival = await shop.colleague()
    await create(rival.call, 'batch', { name: unique('Rival'), items: [items[0]!.id] })
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('1 of 2 items join the batch')).toBeVisible()
    await expect(
      page
        .getByRole('alert')
        .filter({ hasText: `item #${items[0]!.id}` })
        .first(),
    ).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
    expect(await call('GET', `user/${id}/basket`)).toMatchObject({ data: items.map((item) => ({ id: item.id })) })
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL('**/admin/batch/edit/*')
    await expect(rowsOf(page, 'Items')).toHaveCount(1)
    await expect(toast(page)).toContainText('created')
  },
)

testInTurn('items without a price are named beside the sums of a batch, and are no loss', async () => {
  const { page, call } = await shop.colleague()
  const items = [...(await newItems(call, 1)), ...(await newItems(call, 2, { sales_price: null }))]
  const name = unique('Unfinished')
  const batch = await create(call, 'batch', { name, items: ids(items) })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  const line = (term: string) => page.getByText(term, { exact: true }).locator('..')
  await expect(line('Total sales price')).toContainText('149.90 EUR2 without a price')
  await expect(line('Margin')).toContainText('49.90 EUR2 without a price')
  const price = page.getByRole('button', { name: `Sales price of #${items[1]!.id}` })
  const column = page.getByRole('columnheader', { name: 'Product' })
  const before = await column.boundingBox()
  await price.dblclick()
  const field = page.getByRole('textbox', { name: `Sales price of #${items[1]!.id}` })
  await expect(field).toBeVisible()
  // The input in the cell does not move the column.
  expect(await column.boundingBox()).toEqual(before)
  await field.fill('120')
  await page.keyboard.press('Enter')
  await expect(line('Margin')).toContainText('69.90 EUR1 without a price')
  await page.goto('/admin/batch')
  await expect(rowsOf(page, 'Batch Overview').filter({ hasText: name })).toContainText('269.90 EUR1 without a price')

  // If no item has a price, there is no sum, and no margin of 0.00.
  const unpriced = ids(await newItems(call, 1, { sales_price: null }))
  const bare = await create(call, 'batch', { name: unique('Unpriced'), items: unpriced })
  await page.goto(`/admin/batch/edit/${bare.id}`)
  await expect(line('Total sales price')).toHaveText('Total sales price-1 without a price')
  await expect(line('Margin')).toHaveText('Margin-1 without a price')
})

testInTurn('items of a batch that were not moved after all do not hinder those of the basket', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 3)
  const batch = await create(call, 'batch', { name: unique('Staying'), items: [items[2]!.id] })
  await call('PUT', `user/${id}/basket`, { items: ids(items.slice(0, 2)) })
  const beginMove = async () => {
    await page.goto(`/admin/batch/edit/${batch.id}`)
    await page.getByRole('checkbox', { name: `Select #${items[2]!.id}` }).click()
    await page.getByRole('button', { name: 'Move items' }).click()
    await page.getByRole('menuitem', { name: 'New Batch' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Moving items from Batch #${batch.id}` })).toBeVisible()
  }
  await beginMove()
  await expect(page.getByRole('link', { name: `Cancel and go back to Batch #${batch.id}` })).toBeVisible()
  await page.goto('/admin/make')
  await toBatch(page, 'New Batch')
  await expect(page.getByText('2 of 2 items join the batch')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'New Batch', exact: true })).toBeVisible()

  // Cancelled, the move is over, also for a bookmark of the screen.
  await beginMove()
  await page.getByRole('link', { name: `Cancel and go back to Batch #${batch.id}` }).click()
  await page.waitForURL(`**/admin/batch/edit/${batch.id}`)
  await page.goto('/admin/batch/create')
  await expect(page.getByRole('heading', { level: 1, name: 'New Batch', exact: true })).toBeVisible()

  // A new batch that is begun in the list is one of the basket, too.
  await beginMove()
  await page.goto('/admin/batch')
  await page.getByRole('link', { name: 'Add new' }).click()
  await expect(page.getByText('2 of 2 items join the batch')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'New Batch', exact: true })).toBeVisible()
})
