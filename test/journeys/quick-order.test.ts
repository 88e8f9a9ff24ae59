import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect, hold } from './browser-page.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { create, newItems } from './shop-records.ts'

const shop = openShop()

testInTurn('a quick order counts each line once, says what it counts, and waits for what is typed last', async () => {
  const { page, call } = await shop.colleague()
  const [one, two] = await newItems(call, 2)
  await page.goto('/admin/quick-order')
  const lines = page.getByRole('textbox', { name: 'IMEIs or serial numbers' })
  await lines.fill([one!.imei, 'NOT-HERE', two!.imei, 'not here', one!.imei].join('\n'))
  await expect(page.getByText('2 found, 2 can be sold, 1 not found, 2 twice', { exact: true })).toBeVisible()
  const part = (title: string) => page.getByRole('heading', { name: title }).locator('..')
  await expect(part('Not found (1)')).toHaveText('Not found (1)NOT-HERE')
  await expect(part('Duplicates, counted once (2)')).toContainText('not here')

  // A part of a long list is shown at first.
  await lines.fill([one!.imei, ...Array.from({ length: 21 }, (_, n) => `NOBODY-${n + 1}`)].join('\n'))
  const missed = part('Not found (21)')
  await expect(missed).toContainText('NOBODY-20')
  await expect(missed).not.toContainText('NOBODY-21')
  await missed.getByRole('button', { name: 'Show more' }).click()
  await expect(missed).toContainText('NOBODY-21')
  await missed.getByRole('button', { name: 'Show less' }).click()
  await expect(missed).not.toContainText('NOBODY-21')

  // Until the answer for the newest line has come, the sale would lack it.
  const sell = page.getByRole('button', { name: 'Create Sale' })
  await expect(sell).toBeEnabled()
  const release = await hold(page, '**/api/stock/quick-order-find')
  await lines.fill(`${one!.imei}\n${two!.imei}`)
  expect(await sell.isDisabled()).toBe(true)
  release()
  await expect(page.getByText('2 found, 2 can be sold, 0 not found, 0 twice', { exact: true })).toBeVisible()
  await expect(sell).toBeEnabled()

  const collect = page.getByRole('button', { name: 'Add to basket' })
  await collect.click()
  await expect(toast(page)).toContainText('2 items added to the basket')
  await collect.click()
  await expect(toast(page)).toContainText('All of them are in the basket already.')
  await expect(page.getByRole('button', { name: 'Basket, 2 items' })).toBeVisible()

  // A part of many items is shown at first, and all of them can be sold.
  const asked = '**/api/stock/quick-order-find'
  await page.route(asked, async (route) => {
    const found = await (await route.fetch()).json()
    const many = Array.from({ length: 251 }, (_, n) => ({ ...found.data[0], id: 900_000 + n }))
    await route.fulfill({ json: { ...found, data: many } })
  })
  await lines.fill(one!.imei!)
  await expect(page.getByText('251 found, 251 can be sold, 0 not found, 0 twice', { exact: true })).toBeVisible()
  await expect(page.getByText('250 of 251 shown')).toBeVisible()
  await expect(rowsOf(page, 'Items found')).toHaveCount(250)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rowsOf(page, 'Items found')).toHaveCount(251)
  expectValue(await page.getByText('of 251 shown').count()).toBe(0)
  await page.unroute(asked)

  // A look-up that failed is tried again by hand. Lines that the server refuses would be refused again.
  const refuse = (status: number, json: object) => page.route(asked, (route) => route.fulfill({ status, json }))
  const alert = page.getByRole('main').getByRole('alert')
  await refuse(409, { message: 'Not now.' })
  await lines.fill(two!.imei!)
  await expect(alert).toContainText('Not now.')
  await page.unroute(asked)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('1 found, 1 can be sold, 0 not found, 0 twice', { exact: true })).toBeVisible()
  await refuse(422, { message: 'This is refused.', data: { errors: { lines: 'At most 5,000 lines.' } } })
  await lines.fill(`${two!.imei}\nMORE`)
  await expect(alert).toHaveText('At most 5,000 lines.')
  expectValue(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

testInTurn('an item of a batch can be sold, and the quick order says which batch, and that it is locked', async () => {
  const { page, call } = await shop.colleague()
  const [free, open, held] = await newItems(call, 3)
  const shelf = unique('Shelf')
  const safe = unique('Safe')
  const batch = await create(call, 'batch', { name: shelf, items: [open!.id] })
  const locked = await create(call, 'batch', { name: safe, items: [held!.id], is_locked: true })
  await page.goto('/admin/quick-order')
  const lines = page.getByRole('textbox', { name: 'IMEIs or serial numbers' })
  await lines.fill([free, open, held].map((item) => item!.imei).join('\n'))
  const rows = rowsOf(page, 'Items found')
  await expect(rows.nth(0)).toContainText(/Yes$/)
  await expect(rows.nth(1)).toContainText(new RegExp(`Yes, in batch #${batch.id} - ${shelf}$`))
  await expect(rows.nth(2)).toContainText(`Yes, in batch #${locked.id} - ${safe}, which is locked`)

  // A sale of lines comes from no batch, also if a sale from one was begun before.
  await page.goto(`/admin/batch/edit/${batch.id}`)
  await page.getByRole('button', { name: 'Create Sale (1)' }).click()
  await expect(page.getByText(`From Batch #${batch.id}`)).toBeVisible()
  await page.goto('/admin/quick-order')
  await lines.fill([free, held].map((item) => item!.imei).join('\n'))
  await page.getByRole('button', { name: 'Create Sale', exact: true }).click()
  await expect(page.getByRole('tab', { name: 'Products (2)' })).toBeVisible()
  expectValue(await page.getByText('From Batch').count()).toBe(0)
})

testInTurn('on a phone the result of the newest scan is in sight, whatever it is', async () => {
  const { page, call } = await shop.colleague('ROLE_ADMIN', { viewport: { width: 390, height: 844 } })
  const items = await newItems(call, 12)
  await page.goto('/admin/quick-order')
  await expect(page.getByRole('textbox', { name: 'IMEIs or serial numbers' })).toBeFocused()
  const scan = async (code: string, ...results: string[]) => {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    const newest = page.getByText(`Newest line: ${code}`).locator('..')
    for (const result of results) await expect(newest).toContainText(result)
    await expect(newest).toBeInViewport({ ratio: 1 })
  }
  for (const { imei } of items) await page.keyboard.type(`${imei}\n`)
  await scan('NO-SUCH-1', 'Not found')
  await scan('no such 1', 'Not found, and in the list already')
  const [more] = await newItems(call, 1)
  await scan(more!.imei!, more!.product_display_name, 'Can be sold')
  await scan(items[0]!.imei!, items[0]!.product_display_name, 'In the list already, counted once')
})

testInTurn(
  'a line that is pasted with tabs, odd spaces or characters that cannot be seen has a result, too',
  async () => {
    const { page, call } = await shop.colleague()
    const [item] = await newItems(call, 1)
    await page.goto('/admin/quick-order')
    const lines = page.getByRole('textbox', { name: 'IMEIs or serial numbers' })
    const newest = page.getByText('Newest line:').locator('..')
    await lines.fill('NO\tSUCH   2')
    await expect(newest).toContainText('NO SUCH 2Not foundNewest line: NO SUCH 2')
    await lines.fill(`NO\tSUCH   2\n\u200b${item!.imei}\n---`)
    await expect(newest).toContainText('Can be sold')
    await expect(newest).toContainText(`Newest line: ${item!.imei}`)
  },
)

for (const screen of ['quick-order', 'scan'])
  testInTurn(`on ${screen}, Ctrl Enter right after the last code opens a sale of all that can be sold`, async () => {
    const { page, call } = await shop.colleague()
    const items = await newItems(call, 3)
    const [inbound] = await newItems(call, 1, { status: 'Inbound' })
    await page.goto(`/admin/${screen}`)
    await expect(page.getByRole('main').getByRole('textbox')).toBeFocused()
    const found = ({ imei }: { imei: string | null }) =>
      page.getByRole('main').getByText(imei!).and(page.locator(':not(textarea)')).first()
    await page.keyboard.type(`${inbound!.imei}\n`)
    await page.keyboard.press('Control+Enter')
    await expect(found(inbound!)).toBeVisible()
    // There was nothing to sell, and the sale does not open by itself with the first item that can be sold.
    await page.keyboard.type(`${items[0]!.imei}\n`)
    await expect(found(items[0]!)).toBeVisible()
    await atRest(page)
    expectValue(new URL(page.url()).pathname).toBe(`/admin/${screen}`)
    for (const { imei } of items.slice(1)) await page.keyboard.type(`${imei}\n`)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL('**/admin/sale/create')
    const lines = page.locator('main tbody tr')
    await expect(lines).toHaveCount(3)
    for (const [n, { id }] of items.entries()) await expect(lines.nth(n)).toContainText(`${id}`)
  })

test('the lines are back after a link, Back and a reload, until they are discarded or their items handed over', async () => {
  const { page, call } = await shop.colleague()
  const [one, two] = await newItems(call, 2)
  const lines = page.getByRole('textbox', { name: 'IMEIs or serial numbers' })
  const isBack = page.getByText('Your draft is back.')
  await page.goto('/admin/quick-order')
  await lines.fill(`${one!.imei}\n`)
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  await rowsOf(page, 'Items found').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: `Stock Item # ${one!.id}` })).toBeVisible()
  await page.goBack()
  await expect(isBack).toBeVisible()
  // The next scan goes behind the lines that are back.
  await expect(lines).toBeFocused()
  await page.keyboard.type(`${two!.imei}\n`)
  await page.reload()
  await expect(lines).toHaveValue(`${one!.imei}\n${two!.imei}\n`)
  const discard = page.getByRole('button', { name: 'Discard' })
  await discard.click()
  await expect(lines).toHaveValue('')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(lines).toHaveValue(`${one!.imei}\n${two!.imei}\n`)
  await expect(isBack).toBeVisible()
  await discard.click()
  await expect(lines).toHaveValue('')
  await page.reload()
  await expect(lines).toHaveValue('')

  await lines.fill(one!.imei!)
  await page.getByRole('button', { name: 'Add to basket' }).click()
  await expect(page.getByText('kept in this browser')).toHaveCount(0)
  await page.reload()
  await expect(lines).toHaveValue('')
  await lines.fill(two!.imei!)
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  await page.getByRole('button', { name: 'Create Sale' }).click()
  await expect(page.getByRole('heading', { name: 'New Sale' })).toBeVisible()
  await page.goBack()
  await expect(lines).toHaveValue('')
})
