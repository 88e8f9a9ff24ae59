import { execFileSync } from 'node:child_process'
import type { StockRow } from '@backstock/contract/stock.ts'
import { expect as assert } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect } from './browser-page.ts'
import { type Found, openShop, rowsOf } from './sample-shop.ts'
import { create, newItems, newSale } from './shop-records.ts'

const shop = openShop()

testInTurn(
  'more filters: chosen in a menu, named by chips, kept in the address, and exported as they are seen',
  async () => {
    const { page, call } = await shop.admin()
    const supplier = await create(call, 'supplier', { company_name: 'Finders Keepers BV' })
    const ofIt = { supplier_id: supplier.id, grade_id: 2 }
    const [dear] = await newItems(call, 1, { ...ofIt, sales_price: 50_000 })
    const [cheap] = await newItems(call, 1, { ...ofIt, sales_price: 10_000 })
    const [other] = await newItems(call, 1, { ...ofIt, grade_id: 3, sales_price: 50_000 })
    const rows = rowsOf(page, 'Stock Overview')
    const entries = (n: number) => expect(page.getByText(`of ${n} entries`)).toBeVisible()

    await page.goto('/admin/stock')
    await page.getByRole('button', { name: 'More filters' }).click()
    const menu = page.getByRole('dialog', { name: 'More filters' })
    const choose = async (filter: string, typed: string, record: string) => {
      await menu.getByRole('combobox', { name: filter }).click()
      await menu.getByRole('combobox', { name: filter }).fill(typed)
      await page.getByRole('option', { name: record, exact: true }).click()
      await expect(menu.getByRole('button', { name: `Clear ${record}` })).toBeVisible()
    }
    await choose('Supplier', 'keepers', 'Finders Keepers BV')
    await entries(3)
    await choose('Grade', '', 'A')
    await entries(2)
    await choose('Grade', '', 'B')
    await entries(3)
    const from = menu.getByRole('textbox', { name: 'Sales price from' })
    await from.fill('100,01')
    await entries(2)
    await page.goBack()
    await entries(3)
    await expect(from).toHaveValue('')
    await page.goForward()
    await entries(2)
    await expect(from).toHaveValue('100.01')
    // Text that has become no price chooses nothing, although it was one a moment before.
    const to = menu.getByRole('textbox', { name: 'Sales price to' })
    await to.focus()
    await page.evaluate("for (const key of '1x') document.execCommand('insertText', false, key)")
    await expect(to).toHaveValue('1x')
    await menu.getByRole('button', { name: 'Clear B' }).click()
    await entries(1)
    await expect(rows).toContainText(dear!.imei!.slice(-6))
    await menu.getByRole('switch', { name: 'Without a sales price' }).click()
    await entries(0)
    await menu.getByRole('button', { name: 'Close' }).click()
    await expect(menu).toHaveCount(0)
    await page.getByRole('button', { name: 'Clear Without a sales price' }).click()
    await entries(1)

    // A link shows the same to everybody. Back undoes one choice.
    const address = new URL(page.url())
    expect(Object.fromEntries(address.searchParams)).toEqual({
      supplier_id: String(supplier.id),
      grade_id: '2',
      price_from: '10001',
    })
    await page.reload()
    await entries(1)
    for (const chip of ['Supplier: Finders Keepers BV', 'Grade: A', 'Sales price from: 100.01 EUR'])
      await expect(page.getByRole('button', { name: `Clear ${chip}` })).toBeVisible()

    await page.getByRole('button', { name: 'Export' }).click()
    const exported = page.getByRole('menuitem', { name: /^Export With Status/ })
    await expect(exported).toContainText('In Stock · 3 more filters')
    const file = await (await page.request.get((await exported.getAttribute('href'))!)).text()
    expect([dear, cheap, other].map((item) => file.includes(item!.imei!))).toEqual([true, false, false])
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Clear Sales price from: 100.01 EUR' }).click()
    await entries(2)
    await page.goBack()
    await entries(1)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.waitForURL('**/admin/stock?status=')
    const { total } = await call<Found<StockRow>>('GET', 'stock/find?per_page=1')
    await entries(total)
    await page.getByRole('button', { name: 'Export' }).click()
    await expect(exported).toContainText('All statuses')
  },
)

testInTurn('the menu of filters by keyboard: Escape puts away first its dropdown, then the menu', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/stock')
  const button = page.getByRole('button', { name: 'More filters' })
  await button.press('Enter')
  const menu = page.getByRole('dialog', { name: 'More filters' })
  await expect(menu.getByRole('heading')).toBeFocused()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  const lock = menu.getByRole('combobox', { name: 'Network lock' })
  await lock.focus()
  await lock.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Not locked' })).toBeVisible()
  await lock.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(menu).toBeVisible()
  await lock.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(button).toBeFocused()
  // A click outside the opened filters closes them; a click in one of their dropdowns does not.
  await button.press('Enter')
  await lock.click()
  await page.getByRole('option', { name: 'Not locked' }).click()
  await page.waitForURL('**/admin/stock?network_locked=false')
  await expect(menu).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(menu).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Clear Network lock: Not locked' })).toBeVisible()
})

testInTurn('totals of the sales that match, by period and customer', async () => {
  const { page, call } = await shop.admin()
  const buyer = { first_name: 'Ada', last_name: 'Totals', email: 'ada@totals.test' }
  const customer = await create(call, 'customer', buyer)
  const [first, second, third] = await newItems(call, 3)
  for (const items of [[first!, second!], [third!]]) await newSale(call, items, { customer_id: customer.id })
  const figure = (name: string) => page.locator('dl > div').filter({ hasText: name }).getByRole('definition')

  await page.goto('/admin/sale')
  await expect(rowsOf(page, 'Sales Overview').first().getByRole('link').first()).toBeVisible()
  await atRest(page)
  assert(await figure('Gross').count()).toBe(0)
  await page.getByRole('button', { name: 'More filters' }).click()
  const menu = page.getByRole('dialog', { name: 'More filters' })
  await menu.getByRole('combobox', { name: 'Customer' }).click()
  await menu.getByRole('combobox', { name: 'Customer' }).fill('ada totals')
  await page.getByRole('option', { name: 'Ada Totals' }).click()
  await expect(figure('Sales')).toHaveText('2')
  await expect(figure('Net')).toHaveText('449.70 EUR')
  const day = (date: Date) => date.toLocaleDateString('en-GB')
  // In the company's time zone it may be tomorrow already. So the filter begins two days from now, when there are no
  // sales for sure.
  const later = new Date(Date.now() + 2 * 86_400_000)
  await menu.getByRole('textbox', { name: 'From' }).fill(day(later))
  await expect(figure('Sales')).toHaveText('0')
  await expect(figure('Net')).toHaveText('0.00 EUR')
  await menu.getByRole('button', { name: 'Choose a date' }).first().click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Choose a date' })).toHaveCount(0)
  await expect(menu).toBeVisible()
  await menu.getByRole('textbox', { name: 'From' }).fill('')
  await menu.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Last month' }).click()
  await expect(figure('Sales')).toHaveText('0')
  await menu.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Today' }).click()
  await expect(figure('Sales')).toHaveText('2')
  await menu.getByRole('textbox', { name: 'To' }).fill(day(later))
  await expect(figure('Sales')).toHaveText('2')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `Clear To: ${day(later)}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear Customer: Ada Totals' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear Period: Today' })).toBeVisible()
  await page.reload()
  await expect(figure('Net')).toHaveText('449.70 EUR')
  // The print has all columns and no buttons.
  const paper = execFileSync('pdftotext', ['-raw', '-', '-'], { input: await page.pdf({ format: 'A4' }) }).toString()
  for (const said of [
    'Sales Overview',
    'Ada Totals',
    'Ref',
    'Items',
    'Purchase',
    'Profit',
    'Date',
    'Payment',
    '449.70',
  ])
    assert(paper).toContain(said)
  for (const pressed of ['Mark paid', 'Next step', 'More filters', 'per page', 'Dashboard', 'Breadcrumbs', 'requires'])
    assert(paper).not.toContain(pressed)
  // The list of documents also shows the name of the customer in a filter.
  const ids = [customer.id, ...Array.from({ length: 20 }, (_, n) => 900_000 + n)]
  await page.goto(`/admin/document?customer_id=${ids}`)
  await expect(page.getByRole('button', { name: 'Clear Customer: Ada Totals' })).toBeVisible()
  // Only the first 20 of many chosen customers have a chip each.
  await page.getByRole('button', { name: 'Clear Customer: 1 more' }).click()
  await expect(page.getByRole('button', { name: 'Clear Customer: 1 more' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Clear Customer: #900018' })).toBeVisible()
})

testInTurn(
  'a phone is found by its name, four digits and its supplier, a sale by its city and its products',
  async () => {
    const { page, call } = await shop.admin()
    const wanted = 'product/find?search=iphone%2013%20midnight'
    const product = await call<Found<{ id: number; display_name: string }>>('GET', wanted)
    const supplier = await create(call, 'supplier', { company_name: 'Zuiderzee Partijen' })
    const of = { actual_product_id: product.data[0]!.id, supplier_id: supplier.id }
    const [item, sold] = await newItems(call, 2, of)
    const address = { address_1: 'Storgatan 1', city: 'Kirünavaara', postal_code: '981 31', country_code: 'SE' }
    const buyer = { first_name: 'Nils', last_name: 'Finder', email: 'nils@finder.test', vat_number: 'SE556012579001' }
    const customer = await create(call, 'customer', { ...buyer, billing_address: address, delivery_address: address })
    const sale = await newSale(call, [sold!], { customer_id: customer.id })

    await page.goto('/admin/make')
    await page.getByRole('banner').getByRole('button', { name: 'Quick search' }).click()
    const search = page.getByRole('dialog', { name: 'Quick search' })
    const hits = (group: string) => search.getByRole('group', { name: group }).getByRole('option')
    await search.getByRole('combobox').fill('midnight 13 iphone')
    await expect(hits('Stock').first()).toContainText(product.data[0]!.display_name)
    await search.getByRole('combobox').fill(item!.imei!.slice(-4))
    await expect(hits('Stock').filter({ hasText: item!.imei!.slice(-6) })).toBeVisible()
    await search.getByRole('combobox').fill('partijen midnight')
    await expect(hits('Stock')).toHaveCount(2)
    await search.getByRole('combobox').fill('kirunavaara midnight iphone')
    await expect(hits('Sales').filter({ hasText: `#${sale.id}` })).toBeVisible()
    for (const text of ['kirunavaara', 'kirunav nils', '5560125790']) {
      await search.getByRole('combobox').fill(text)
      await expect(hits('Customer')).toHaveCount(1)
      await expect(hits('Customer')).toContainText('Nils Finder')
      await expect(
        hits('Sales')
          .or(hits('Sale'))
          .filter({ hasText: `#${sale.id}` }),
      ).toBeVisible()
    }
  },
)

const TYPED: [at: string, asks: RegExp, answer: string][] = [
  ['/admin/return/create', /return\/look-up$/, 'Not sold by you (1)'],
  ['/admin/quick-order', /stock\/quick-order-find$/, '1 not found'],
  ['/admin/stock', /stock\/find\?.*search=/, 'No results found.'],
]

testInTurn('a number that is typed key by key is looked up once, when it is whole', async () => {
  const { page } = await shop.colleague()
  await page.clock.install()
  for (const [n, [at, asks, answer]] of TYPED.entries()) {
    await page.clock.resume()
    await page.goto(at)
    const field = page
      .getByRole('main')
      .getByRole(at === '/admin/stock' ? 'searchbox' : 'textbox')
      .first()
    await field.focus()
    const asked: string[] = []
    page.on('request', (request) => {
      if (asks.test(request.url())) asked.push(request.url())
    })
    await page.clock.pauseAt(Date.now() + (n + 1) * 600_000)
    await page.keyboard.type('NOT-OURS-1')
    await page.clock.runFor(1000)
    await expect(page.getByText(answer).first()).toBeVisible()
    assert(asked, at).toHaveLength(1)
  }
})
