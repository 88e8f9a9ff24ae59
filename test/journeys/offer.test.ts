import type { Page } from '@playwright/test'
import { expect as expectValue } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect, hold } from './browser-page.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { create, newItems } from './shop-records.ts'

const shop = openShop()

type Named = { id: number; name: string }
const lines = (page: Page) => rowsOf(page, 'Lines of the offer')
const text = (page: Page) => page.locator('pre')
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
/** Downloads the file of a link, with the person's cookies. */
async function file(page: Page, name: string) {
  const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
  const answer = await page.request.get(href!)
  expectValue(answer.status()).toBe(200)
  return { href: href!, bytes: await answer.body() }
}

testInTurn(
  'a batch is offered as text to paste, as a sheet and as a PDF, less 3 percent for this customer',
  async () => {
    const { page, call } = await shop.colleague()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const items = [
      ...(await newItems(call, 2)),
      ...(await newItems(call, 1, { sales_price: 16_000 })),
      ...(await newItems(call, 1, { sales_price: null })),
    ]
    const batch = await create(call, 'batch', { name: unique('Offered'), items: items.map(({ id }) => id) })
    await page.goto(`/admin/batch/edit/${batch.id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Make an offer' }).click()
    await expect(lines(page)).toHaveCount(1)
    await expect(page.getByText('4 devices in 1 line, 1 without a price')).toBeVisible()
    const name = items[0]!.product_display_name
    await expect(lines(page)).toContainText('from 149.90 to 160.00 (1 × price on request)')

    await page.getByRole('textbox', { name: 'Adjust prices by' }).fill('-3')
    await expect(text(page)).toContainText(`4 × ${name}: from 145.40 to 155.20 (1 × price on request)`)
    await page.getByRole('switch', { name: 'Also devices without a price (1)' }).click()
    await expect(page.getByText('3 devices in 1 line, 1 without a price left out')).toBeVisible()
    await page.getByRole('button', { name: 'Copy text' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    expectValue(await copied(page)).toContain(`\n3 × ${name}: from 145.40 to 155.20\n\nDevices: 3\n`)

    await page.getByRole('combobox', { name: 'Language' }).selectOption('German')
    await expect(text(page)).toContainText(`3 × ${name}: von 145,40 bis 155,20`)
    // The copied text is another one, so the button says so at once.
    expectValue(await page.getByRole('button', { name: 'Copied' }).count()).toBe(0)
    expectValue((await file(page, 'PDF')).bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const sheet = await file(page, 'Excel')
    expectValue(sheet.bytes.subarray(0, 2).toString()).toBe('PK')
    const asked = new URL(sheet.href, page.url()).searchParams
    expectValue(Object.fromEntries(asked)).toEqual({
      ...{ batch_id: String(batch.id), lang: 'de', prices: 'true', unpriced: 'false', percent: '-3' },
    })

    await page.getByRole('switch', { name: 'Show prices' }).click()
    await expect(page.getByRole('columnheader')).toHaveText(['Product', 'Grade', 'Quantity'])
    await expect(text(page)).toContainText(`4 × ${name}`)
    expectValue(await text(page).textContent()).not.toContain('145,40')
    expectValue(await page.getByRole('link', { name: 'PDF', exact: true }).getAttribute('href')).toContain(
      'prices=false',
    )
    await page.getByRole('switch', { name: 'Show prices' }).click()
    await expect(text(page)).toContainText('145,40')

    await page.getByRole('textbox', { name: 'Adjust prices by' }).fill('much')
    await expect(page.getByText('Must be a percentage such as -3 or 2.5.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy text' })).toBeDisabled()
  },
)

testInTurn('a long offer is copied whole, also over plain HTTP, and nothing of a batch that was left', async () => {
  const { page, call } = await shop.colleague()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // Over plain HTTP browsers have no clipboard.
  await page.addInitScript(`
    globalThis.clipboard = navigator.clipboard
    Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  const items = await newItems(call, 2)
  const [one, two] = await Promise.all(
    items.map(({ id }) => create<Named>(call, 'batch', { name: unique('Offered'), items: [id] })),
  )
  await page.route(`**/api/offer?batch_id=${one!.id}`, async (route) => {
    const found = await (await route.fetch()).json()
    const group = (n: number) => ({ ...found.data.groups[0], product_id: n, product: `Phone ${n}` })
    found.data.groups = Array.from({ length: 1_000 }, (_, n) => group(n + 1))
    await route.fulfill({ json: found })
  })
  await page.goto(`/admin/offer?batch_id=${one!.id}`)
  const copy = page.getByRole('button', { name: 'Copy text' })
  await expect(page.getByText('1,000 devices in 1,000 lines')).toBeVisible()
  await page.evaluate("clipboard.writeText('before')")
  await copy.click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await expect(page.getByText('The offer was copied.')).toBeAttached()
  const text = await page.evaluate<string>('clipboard.readText()')
  expectValue(text.length).toBeGreaterThan(20_000)
  expectValue(text).toContain('\n1 × Phone 1000: 149.90\n\nDevices: 1000\n')
  // After a moment the button offers to copy again.
  await expect(copy).toBeVisible()
  await expect(page.getByText('The offer was copied.')).toHaveCount(0)

  const release = await hold(page, `**/api/offer?batch_id=${two!.id}`)
  await page.goto(`/admin/offer?batch_id=${one!.id}`)
  await expect(copy).toBeEnabled()
  await page.getByRole('combobox', { name: 'Batch' }).fill(two!.name)
  await page.getByRole('option', { name: two!.name }).click()
  await page.waitForURL(`**/admin/offer?batch_id=${two!.id}`)
  await expect(copy).toBeDisabled()
  expectValue(await page.getByRole('link', { name: 'PDF', exact: true }).count()).toBe(0)
  release()
  await expect(page.getByText('1 device in 1 line')).toBeVisible()
  await expect(copy).toBeEnabled()
  await page.evaluate('document.execCommand = () => false')
  await copy.click()
  await expect(toast(page)).toContainText(
    'The browser does not allow copying here. Select the text and copy it yourself.',
  )
  await expect(copy).toBeVisible()
})

testInTurn('the shown stock is offered, and so is the basket; the way back leads to the same filter', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  await page.goto(`/admin/stock?search=${items[0]!.imei}&status=In+Stock%2CInbound&columns=id`)
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('menuitem', { name: 'Export These Columns' })).toContainText('1 column, on all pages')
  await page.getByRole('menuitem', { name: 'Make an offer' }).click()
  await expect(page.getByText('1 device in 1 line')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'What is offered' })).toHaveValue('filter')

  await call('PUT', `user/${id}/basket`, { items: items.map(({ id }) => id) })
  await page.getByRole('link', { name: 'Change the filter' }).click()
  await expect(page.getByRole('searchbox', { name: 'Search Stock Overview' })).toHaveValue(items[0]!.imei!)
  await page.reload()
  await page.getByRole('button', { name: 'Basket, 2 items' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const list = await page.getByRole('menuitem', { name: 'Pick list' }).getAttribute('href')
  expectValue((await (await page.request.get(list!)).body()).subarray(0, 5).toString()).toBe('%PDF-')
  await page.route('**/api/offer?*', (route) => route.fulfill({ status: 409, json: { message: 'Not now.' } }))
  await page.getByRole('menuitem', { name: 'Make an offer' }).click()
  await expect(page.getByRole('alert')).toContainText('Not now.')
  await page.unroute('**/api/offer?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('2 devices in 1 line')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'What is offered' })).toHaveValue('basket')
  // No batch is chosen yet, so the screen does not speak of its items.
  await page.getByRole('combobox', { name: 'What is offered' }).selectOption('A batch')
  await expect(page.getByText('Choose the batch that is offered.')).toBeVisible()
})
