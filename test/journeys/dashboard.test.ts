import type { Page } from '@playwright/test'
import { expect as expectValue } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect } from './browser-page.ts'
import { type Found, openShop, toast } from './sample-shop.ts'
import { barriersInBothThemes, openScreen } from './screen-check.ts'

const shop = openShop()

const UNVOIDED = 'New,Awaiting Payment,Awaiting Dispatch,Requires Attention,Dispatched'
const figure = (page: Page, list: string, name: string) =>
  page.getByRole('list', { name: list }).getByRole('link').filter({ hasText: name })

testInTurn('the menu leads to it, and every number leads to the list behind it', async () => {
  const { page, call } = await shop.admin()
  const [item] = (await call<Found<{ id: number }>>('GET', 'stock/find?status=In Stock&per_page=1')).data
  await call('POST', `stock/${item!.id}/edit`, { sales_price: null })
  await page.goto('/admin/stock')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page')

  const total = async (find: string) => (await call<Found<object>>('GET', find)).total
  const leads = async (link: ReturnType<typeof figure>, find: string, shows = (n: number) => String(n)) => {
    const there = await total(find)
    await expect(link).toContainText(shows(there))
    await link.click()
    if (there > 0) await expect(page.getByText(`of ${there.toLocaleString('en')} entries`)).toBeVisible()
    else await expect(page.getByText('No results found.')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  }
  for (const status of ['Awaiting Dispatch', 'Requires Attention', 'New'])
    await leads(figure(page, 'To do', status), `sale/find?status=${status}`)
  await leads(figure(page, 'To do', 'Without a price'), 'stock/find?status=In Stock,In Batch&unpriced=true')
  await leads(figure(page, 'Payments', 'Overdue'), 'sale/find?payment=Overdue', (n) => `${n} sale`)
  const sellable = 'stock/find?status=In Stock,In Batch'
  await leads(figure(page, 'The shop', 'Value of stock'), sellable, (n) => `${n} items`)
  await leads(figure(page, 'The shop', 'over 90 days'), `${sellable}&age=over-90`, (n) => `${n} items`)
  const { data } = await call<{ data: { month: { from: string }; weeks: { from: string }[] } }>('GET', 'dashboard')
  const none = () => ''
  await leads(figure(page, 'The shop', 'this month'), `sale/find?from=${data.month.from}&status=${UNVOIDED}`, none)
  await leads(
    figure(page, 'The shop', 'this week'),
    `sale/find?week=${data.weeks.at(-1)!.from}&status=${UNVOIDED}`,
    none,
  )

  const rows = page.getByRole('table', { name: 'Unsold stock by status' }).getByRole('row')
  for (const status of ['Inbound', 'In Stock', 'In Batch'])
    await leads(
      rows
        .filter({ has: page.getByRole('rowheader', { name: status, exact: true }) })
        .getByRole('link')
        .nth(1),
      `stock/find?status=${status}`,
    )
  const unsold = rows.filter({ has: page.getByRole('rowheader', { name: 'All unsold' }) }).getByRole('link')
  await leads(unsold.nth(1), 'stock/find?status=Inbound,In Stock,In Batch')
  const ages = page.getByRole('table', { name: 'Sellable stock by age' }).getByRole('rowheader')
  await ages.last().getByRole('link').click()
  await page.waitForURL(/\/admin\/stock\?status=In\+Stock%2CIn\+Batch/)
  await page.goBack()
  await page.getByRole('region', { name: 'Newest imports' }).getByRole('listitem').first().getByRole('link').click()
  await page.waitForURL(/\/admin\/stock\/import\/history\?id=\d+/)
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible()
})

testInTurn('a rule on reverse charge that ends is a thing to do, until it goes on', async () => {
  const { page, call } = await shop.admin()
  const { data: dashboard } = await call<{ data: { today: string } }>('GET', 'dashboard')
  const [rule] = (await call<Found<{ id: number }>>('GET', 'reverse-charge-rule/find?search=NL')).data
  const daysOn = (days: number) =>
    new Date(Date.parse(dashboard.today) + days * 86_400_000).toISOString().slice(0, 10).split('-')
  const [year, month, day] = daysOn(20)
  await call('POST', `reverse-charge-rule/${rule!.id}/edit`, { valid_to: [year, month, day].join('-') })
  await page.goto('/admin/dashboard')
  const line = figure(page, 'To do', 'Reverse charge')
  await expect(line).toContainText(
    `Reverse charge in your country (Netherlands) ends in 20 days: its last day is ${day}/${month}/${year}.`,
  )
  expectValue(await barriersInBothThemes(page)).toEqual([])
  await line.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reverse charge' })).toBeVisible()
  await page.goto(`/admin/reverse-charge-rule/edit/${rule!.id}`)
  await page.getByRole('textbox', { name: 'Last day' }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await expect(figure(page, 'To do', 'Without a price')).toContainText(/[0-9]/)
  await expect(line).toHaveCount(0)
})

testInTurn('on a phone the figures stand below each other', async () => {
  const { page } = await shop.admin({ viewport: { width: 390, height: 844 } })
  await openScreen(page, '/admin/dashboard')
  for (const list of ['Payments', 'The shop']) {
    const items = page.getByRole('list', { name: list }).getByRole('listitem')
    const lefts = await items.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
    expectValue(lefts.length).toBeGreaterThan(2)
    expectValue(new Set(lefts).size).toBe(1)
  }
})

testInTurn('charts are fetched once somebody comes near them', async () => {
  const { page } = await shop.admin()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('table', { name: 'Sales and margin by week' }).getByRole('row')).toHaveCount(13)
  await atRest(page)
  expect(asked.filter((url) => /charts-.*js/.test(url))).toEqual([])
  await page.getByRole('region', { name: 'Sales and margin by week' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('img', { name: /^Net sales and profit of each of the last 12 weeks/ })).toBeVisible()
  await page.getByRole('region', { name: 'Sellable stock by age' }).scrollIntoViewIfNeeded()
  const ages = page.getByRole('img', { name: /^The value of sellable stock by age/ })
  await expect(ages).toBeVisible()
  // The legend has the numbers of the bars under the pointer, and a click opens their list.
  const box = (await ages.locator('svg').boundingBox())!
  const row = page
    .getByRole('table', { name: 'Sellable stock by age' })
    .getByRole('row')
    .filter({ hasText: 'Over 90 days' })
  const [, cost, sales] = await row.getByRole('cell').allTextContents()
  await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2)
  await expect(ages).toContainText(/^Over 90/)
  await expect(ages).toContainText(`At sales price${sales}At cost${cost}`)
  await page.mouse.move(box.x + box.width - 20, box.y - 200)
  await expect(ages.locator('b')).toHaveCount(0)
  // The chart looks for its bars in the frame after the pointer has come, so a click must come later.
  await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2)
  await expect(ages).toContainText(/^Over 90/)
  await page.mouse.down()
  await page.mouse.up()
  await page.waitForURL(/\/admin\/stock\?.*age=over-90/)
})

testInTurn('the note on the sample shop says how to start an empty one, and is put away and brought back', async () => {
  const person = await shop.colleague('ROLE_USER')
  const { page } = person
  await page.goto('/admin/dashboard')
  const note = page.getByRole('region', { name: 'This is a sample shop' })
  await expect(note).toContainText('SAMPLE_DATA=0 npm start')
  // If the server refuses, the note stays and the person is told.
  const refused = { success: false, message: 'Not now.', error: 'Not now.' }
  await page.route('**/api/dashboard/put-away', (route) => route.fulfill({ status: 409, json: refused }))
  await note.getByRole('button', { name: 'Hide' }).click()
  await expect(toast(page)).toContainText('Not now.')
  await page.unroute('**/api/dashboard/put-away')
  await note.getByRole('button', { name: 'Hide' }).click()
  await expect(note).toHaveCount(0)
  const again = await shop.again(person)
  await again.page.route('**/api/dashboard', (route) => route.fulfill({ status: 409, json: refused }))
  await again.page.goto('/admin/dashboard')
  await expect(again.page.getByRole('alert')).toContainText('Not now.')
  await again.page.unroute('**/api/dashboard')
  await again.page.getByRole('button', { name: 'Try again' }).click()
  await again.page.getByRole('button', { name: 'About this sample shop' }).click()
  await expect(again.page.getByRole('region', { name: 'This is a sample shop' })).toBeVisible()
})
