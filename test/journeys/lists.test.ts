import type { Page } from '@playwright/test'
import { expect as assert, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { full } from '../promises/figures.ts'
import { atRest, expect } from './browser-page.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { barriers, clipped, openScreen, settled, sideways } from './screen-check.ts'
import { menuOf } from './screen-look.ts'
import { create, newItems } from './shop-records.ts'

const shop = openShop()

/**
 * The addresses at which lists show the most. The full run also checks the menu's other lists, at their own addresses.
 */
const LISTS = [
  '/admin/stock?status=',
  '/admin/batch?user_id=',
  '/admin/sale?status=',
  '/admin/user',
  '/admin/customer',
  '/admin/partner',
  '/admin/supplier',
  '/admin/product',
  '/admin/make',
  '/admin/vat',
  '/admin/sale/create',
  '/admin/batch/edit/1',
]

/** Lists with few columns. These, and lists of the menu that are not in LISTS, are checked in the full run only. */
const SHORT = ['/admin/partner', '/admin/supplier', '/admin/make', '/admin/vat']

/** Other entries of the menu: their lists have the columns of makes, or they show short lists or no table. */
const NO_WIDER = ['colour', 'category', 'further-column', 'company', 'dashboard', 'quick-order'].map(
  (one) => `/admin/${one}`,
)

const WIDTHS = full ? [1920, 1400, 1200, 1024, 768] : [1400, 1024, 768]

/**
 * Resizes the window, and waits until the screen has adapted. Tables do so when they are drawn with their new width.
 */
async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await settled(page)
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

testInTurn('no list is cut without a hint of more, on no screen from 768 px', async () => {
  const { page } = await shop.admin()
  const found: string[] = []
  await openScreen(page, '/admin/make')
  const known = [...NO_WIDER, ...LISTS.map((list) => list.split('?')[0])]
  const others = (await menuOf(page)).filter((path) => !known.includes(path))
  for (const path of full ? [...LISTS, ...others] : LISTS.filter((list) => !SHORT.includes(list))) {
    await openScreen(page, path)
    for (const width of WIDTHS) {
      await resize(page, width, 900)
      for (const problem of await clipped(page)) found.push(`${path} (${width} px): ${problem}`)
    }
  }
  assert(found).toEqual([])
})

/** The screens that people print: lists, records with a table, and the accounting. */
const PRINTED = [
  '/admin/stock?status=',
  '/admin/batch?user_id=',
  '/admin/sale?status=',
  '/admin/document',
  '/admin/return',
  '/admin/customer',
  '/admin/batch/edit/1',
  '/admin/sale/edit/23',
  '/admin/sale/edit/25',
  '/admin/return/edit/3',
  '/admin/accounting',
]
/** The width and height of an A4 sheet without margins of 1 cm, in px at 96 dpi. */
const SHEET = [718, 1047] as const

/**
 * Finds what is wrong on a printed page: controls that are printed, columns that are missing, and cells that the sheet
 * cuts.
 */
const WRONG_ON_PAPER = `{
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 0
  const named = (one) => one.ariaLabel || one.textContent.trim() || one.className
  // Some buttons are printed, because they read like text: column heads, identifiers and prices.
  const isText = (one) => one.closest('th, td, [role=alert], [title$="to copy)"]') || one.matches('[aria-controls]')
  const frame = document.querySelectorAll('nav, [role=tab], [type=file], [class*=Dropzone-root], body *:is(header, footer a)')
  const pressed = [
    ...[...frame].filter((one) => one.tagName !== 'HEADER' || !one.closest('main')),
    ...[...document.querySelectorAll('button')].filter((one) => !isText(one)),
    ...document.querySelectorAll('th input, td [type=checkbox]:not([role=switch])'),
    ...document.querySelectorAll('.mantine-Switch-root:not(:has(:checked)), [data-screen-only]'),
  ]
  const pen = document.createElement('canvas').getContext('2d')
  const isSelectCut = (one) => {
    pen.font = getComputedStyle(one).font
    return pen.measureText(one.selectedOptions[0].text).width > one.clientWidth
  }
  const isCut = (one) =>
    one.matches('select')
      ? isSelectCut(one)
      : // Words for screen readers alone are in a box of 1 px.
        one.clientWidth > 1 &&
        !one.matches('.mantine-Switch-track') &&
        getComputedStyle(one).overflowX !== 'visible' &&
        (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  const heads = [...document.querySelectorAll('main th:not([data-action], :has(input))')]
  const cells = [...document.querySelectorAll('main :is(th, td)')].filter(isSeen)
  ;[
    ...pressed.filter(isSeen).map((one) => named(one) + ' is printed'),
    ...heads.filter((one) => !isSeen(one)).map((one) => named(one) + ' is missing'),
    ...cells.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => named(one) + ' is cut'),
    ...[...document.querySelectorAll('main td *')].filter((one) => isSeen(one) && isCut(one)).map((one) => named(one) + ' has not all its words'),
  ]
}`

testInTurn(
  'at 768 px an IMEI to correct is whole, a period is on one line, and ticks are apart from numbers',
  async () => {
    const { page } = await shop.admin({ viewport: { width: 768, height: 900 } })
    await openScreen(page, '/admin/bank-entry')
    const topOf = async (label: string) => (await page.getByRole('textbox', { name: label }).boundingBox())?.y
    assert(await topOf('From')).toBe(await topOf('To'))

    await openScreen(page, '/admin/return/edit/3')
    assert(await barriers(page)).toEqual([])

    await page.goto('/admin/stock/import')
    const rows = ['IMEI;Hersteller;Modell;Lieferant', '3599901234567891;Apple;iPhone 13;Foxway AB']
    const file = { name: 'liste.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }
    await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
    const cell = page.getByRole('textbox', { name: 'IMEI, row 2' })
    await expect(cell).toHaveValue('3599901234567891')
    assert(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  },
)

testInTurn('at 200% nothing scrolls sideways, and on paper all columns are there and nothing to press', async () => {
  // A browser that zooms to 200% halves the width and height in px: this is a window of 1400 x 900.
  const { page } = await shop.admin({ viewport: { width: 700, height: 450 }, deviceScaleFactor: 2 })
  const found: string[] = []
  for (const path of PRINTED) {
    await page.emulateMedia({ media: null })
    await resize(page, 700, 450)
    await openScreen(page, path)
    const { width } = (await page.getByRole('main').boundingBox())!
    const narrow = width < 600 ? [`the menu leaves ${width} px`] : []
    const zoomed = [...(await sideways(page)), ...(await clipped(page)), ...narrow]
    await page.emulateMedia({ media: 'print' })
    await resize(page, ...SHEET)
    const printed = [...(await page.evaluate<string[]>(WRONG_ON_PAPER)), ...(await sideways(page))]
    for (const problem of zoomed) found.push(`${path} at 200%: ${problem}`)
    for (const problem of printed) found.push(`${path} on paper: ${problem}`)
  }
  assert(found).toEqual([])
})

testInTurn('a table that cannot be made to fit scrolls, and a shadow tells of more', async () => {
  const { page } = await shop.admin({ viewport: { width: 600, height: 900 } })
  await openScreen(page, '/admin/sale?status=')
  assert(await clipped(page)).toEqual([])
  const frame = page.locator('[data-more-right]')
  await expect(frame).toHaveCount(1)
  await frame.locator('> div').evaluate((place) => place.scrollTo({ left: 9999 }))
  await expect(page.locator('[data-more-left]')).toHaveCount(1)
  await expect(frame).toHaveCount(0)
})

testInTurn(
  'all heads of a table stand on one line, sortable or not, and the whole first cell is the link',
  async () => {
    const { page } = await shop.admin()
    await openScreen(page, '/admin/sale?status=')
    const tops = await page.getByRole('columnheader').evaluateAll((heads) =>
      heads.map((head) => {
        const words = document.createRange()
        words.selectNodeContents(head.querySelector('button')?.firstChild ?? head.firstChild!)
        return words.getBoundingClientRect().top
      }),
    )
    assert(new Set(tops)).toHaveLength(1)
    for (const path of ['/admin/sale?status=', '/admin/stock']) {
      await openScreen(page, path)
      const first = page
        .getByRole('cell')
        .filter({ has: page.getByRole('link', { name: /^#?\d+$/ }) })
        .first()
      const box = (await first.boundingBox())!
      await page.mouse.click(box.x + box.width - 2, box.y + 2)
      await page.waitForURL(/\/edit\/\d+$/)
    }
  },
)

testInTurn('two presses of Tab and Enter lead into the table, past the menu and the top bar', async () => {
  const { page } = await shop.admin()
  await openScreen(page, '/admin/make')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  assert((await skip.boundingBox())!.height).toBeGreaterThan(24)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').getByRole('link').first()).toBeFocused()

  await page.reload()
  await expect(rowsOf(page, 'Make').first().getByRole('link')).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the table' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rowsOf(page, 'Make').first().getByRole('link')).toBeFocused()
  assert(page.url()).toMatch(/\/admin\/make$/)
})

testInTurn('a path below an operation without an id names nothing', async () => {
  const { page } = await shop.admin()
  for (const path of ['stock/import/bogus', 'make/create/5', 'make/list/3', 'batch/add-to-batch/1', 'make/edit']) {
    await page.goto(`/admin/${path}`)
    await expect(page.getByText('Operation not found', { exact: true })).toBeVisible()
  }
  for (const path of ['dashboard/x', 'company/x', 'quick-order/x', 'stock/import/history/1', 'make/edit/1/2']) {
    await page.goto(`/admin/${path}`)
    await page.waitForURL('**/error')
  }
})

testInTurn('a hyphen is narrower than a digit, and the figures of a column are of one width', async () => {
  const { page, call } = await shop.admin()
  await create(call, 'make', { name: 'Intra-1Community-0' })
  const widths = (selector: string, characters: string) =>
    page.locator(selector).evaluate((cell, all) => {
      return [...all].map((one) => {
        const at = cell.appendChild(document.createElement('span'))
        at.textContent = one.repeat(10)
        const { width } = at.getBoundingClientRect()
        at.remove()
        return width
      })
    }, characters)
  await openScreen(page, '/admin/make?search=Intra-1Community')
  const [hyphen, digit] = await widths('td:has-text("Intra-1Community-0") >> nth=0', '-0')
  assert(hyphen).toBeLessThan(digit! * 0.8)
  await openScreen(page, '/admin/stock')
  const [one, eight] = await widths('td[data-align=right] >> nth=0', '18')
  assert(one).toBe(eight)
})

testInTurn('the picture in the top bar is 40 px', async () => {
  const { page } = await shop.admin()
  await openScreen(page, '/admin/make')
  const picture = page.getByRole('button', { name: /^Profile of/ }).locator('.mantine-Avatar-root')
  assert(await picture.boundingBox()).toMatchObject({ width: 40, height: 40 })
})

/**
 * How far the lowest element with this selector reaches below the top of the alert, in px; at most 0 if none is
 * covered.
 */
async function overAlert(page: Page, selector: string): Promise<number> {
  const alert = (await page.getByRole('link', { name: /requires attention/ }).boundingBox())!
  const boxes = await page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
  return Math.max(...boxes.filter((bottom) => bottom > 0)) - alert.y
}

testInTurn('at every width the content ends above the red alert', async () => {
  const { page } = await shop.admin()
  const found: string[] = []
  /** Opens a screen, and collects the widths at which the alert covers elements. */
  const look = async (path: string, under: () => Promise<unknown[]>) => {
    await openScreen(page, path)
    for (const width of [390, 768, 1400]) {
      await resize(page, width, 700)
      for (const one of await under()) found.push(`${path} (${width} px): ${JSON.stringify(one)}`)
    }
  }
  const below = (selector: string) => async () => {
    await page.evaluate(() => scrollTo(0, 99_999))
    const over = await overAlert(page, selector)
    return over <= 0 ? [] : [`${selector} lies ${over} px too low`]
  }
  /** The buttons of a form stay in sight while it scrolls, so the alert must not cover them anywhere. */
  const always = (selector: string) => async () => {
    await page.evaluate(() => scrollTo(0, 0))
    const over = await overAlert(page, selector)
    return [...(over <= 0 ? [] : [`${selector} lies ${over} px too low at the top`]), ...(await below(selector)())]
  }
  await look('/admin/stock?status=&per_page=25', below('nav[aria-label="Pagination"], .mantine-Pagination-root'))
  await look('/admin/customer/edit/1', always('form button[type=submit]'))
  await look('/admin/sale/create', always('main button:has-text("Create Sale")'))
  // While the list is scrolled, its rows end above the alert, too.
  await look('/admin/stock?status=&per_page=25', () =>
    page.getByRole('link', { name: /requires attention/ }).evaluate((alert) => {
      scrollTo(0, 0)
      const main = document.querySelector('main')!.getBoundingClientRect()
      const { top } = alert.getBoundingClientRect()
      const across = Array.from({ length: 20 }, (_, n) => main.left + ((n + 0.5) * main.width) / 20)
      return across.filter((x) => document.elementFromPoint(x, top)?.closest('main'))
    }),
  )
  assert(found).toEqual([])
  // The first screenful of a phone has at least seven rows, between one line of filters and 64 px for actions and
  // alert.
  await resize(page, 390, 844)
  await page.evaluate(() => scrollTo(0, 0))
  const actions = (await page.locator('[data-actions]').boundingBox())!
  assert(844 - actions.y).toBeLessThanOrEqual(64)
  const rowsAbove = async (list: string, y: number) => {
    const bottoms = await rowsOf(page, list).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
    return bottoms.filter((bottom) => bottom <= y).length
  }
  assert(await rowsAbove('Stock Overview', actions.y)).toBeGreaterThanOrEqual(7)
  await expect(rowsOf(page, 'Stock Overview').first()).toContainText(/Price \d/)
  // The totals of filtered sales stand below the rows there.
  await openScreen(page, '/admin/sale?status=')
  await expect(page.getByText('Voided, not counted')).toBeAttached()
  const alert = (await page.getByRole('link', { name: /requires attention/ }).boundingBox())!
  assert(await rowsAbove('Sales Overview', alert.y)).toBeGreaterThanOrEqual(7)
})

testInTurn('a list without rows says what belongs there, and what hides the rows can be cleared', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/supplier?search=nobody+of+this+name')
  const cell = page.getByRole('cell', { name: 'No results found.' })
  await expect(cell).toContainText('Nothing here matches "nobody of this name".')
  await cell.getByRole('button', { name: 'Clear the search' }).click()
  await expect(rowsOf(page, 'Supplier')).not.toHaveCount(1)
  const { page: theirs } = await shop.colleague()
  await theirs.goto('/admin/batch')
  await expect(theirs.getByRole('cell', { name: 'No results found.' })).toContainText('Batches gather devices')
  await expect(theirs.getByText(/^\d+ entries are hidden by the filter Owner\.$/)).toBeVisible()
  await theirs.getByRole('button', { name: 'Show all' }).click()
  await theirs.waitForURL('**/admin/batch?user_id=')
  await expect(rowsOf(theirs, 'Batch Overview').getByRole('link').first()).toBeVisible()
  // A new batch with an empty basket offers a way on, too.
  await theirs.goto('/admin/batch/create')
  await theirs.getByRole('link', { name: 'Choose items' }).click()
  await theirs.waitForURL('**/admin/stock')
})

testInTurn('a change of the basket is told, counts up, and is undone exactly', async () => {
  const person = await shop.colleague()
  const { page, call, id } = person
  const items = await newItems(call, 4)
  const [first, second, third, fourth] = items.map((item) => item.id) as [number, number, number, number]
  const basket = async () =>
    (await call<{ data: { id: number }[] }>('GET', `user/${id}/basket`)).data.map((item) => item.id)
  await call('PUT', `user/${id}/basket`, { items: [second, first] })
  await page.goto('/admin/stock')
  const tick = (item: number) => page.getByRole('checkbox', { name: `Select #${item}` })
  await expect(tick(first)).toBeChecked()

  await tick(third).click()
  await expect(toast(page)).toContainText('1 item added to the basket')
  await tick(fourth).click()
  await expect(toast(page)).toContainText('2 items added to the basket')
  await expect(toast(page).getByRole('status')).toHaveCount(1)
  await tick(second).click()
  await expect(toast(page)).toContainText('2 items added to the basket, 1 removed')
  // The toast does not cover the open basket.
  await page.getByRole('button', { name: /^Basket, / }).click()
  const isOver = async () => {
    const places = [toast(page).getByRole('status'), page.getByRole('dialog', { name: 'Basket' })]
    const [one, other] = await Promise.all(places.map(async (place) => (await place.boundingBox())!))
    const [across, down] = [one!.x - other!.x, one!.y - other!.y]
    return across < other!.width && -across < one!.width && down < other!.height && -down < one!.height
  }
  await expect.poll(isOver).toBe(false)
  await page.keyboard.press('Escape')
  await expect.poll(basket).toEqual([first, third, fourth])

  // Meanwhile another window has added an item. The undo keeps it.
  const [extra] = await newItems(call, 1)
  await call('PUT', `user/${id}/basket`, { items: [first, third, fourth, extra!.id] })
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(tick(second)).toBeChecked()
  await expect(tick(third)).not.toBeChecked()
  await expect.poll(basket).toEqual([second, first, extra!.id])
  assert(await toast(page).getByRole('status').count()).toBe(0)

  // If a change is taken back by hand, there is nothing more to tell.
  await tick(third).click()
  await expect(toast(page)).toContainText('1 item added to the basket')
  await tick(third).click()
  await expect(tick(third)).not.toBeChecked()
  assert(await toast(page).getByRole('status').count()).toBe(0)
  await expect.poll(basket).toEqual([second, first, extra!.id])

  // If the server refuses a change, the screen shows the basket as the server has it.
  const refusal = { status: 409, json: { success: false, message: 'Not now.' } }
  await page.route('**/api/user/*/basket', (route) =>
    route.request().method() === 'PUT' ? route.fulfill(refusal) : route.continue(),
  )
  await tick(third).click()
  await expect(toast(page)).toContainText('Basket not saved')
  await expect(tick(third)).not.toBeChecked()
  await expect(page.getByRole('button', { name: /^Basket, / })).toHaveAccessibleName('Basket, 3 items')
})

testInTurn('a message stays while its button has the focus, and goes soon after', async () => {
  const { page } = await shop.colleague()
  await page.clock.install()
  await page.goto('/admin/stock')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
  const undo = toast(page).getByRole('button', { name: 'Undo' })
  await undo.focus()
  // In steps, so that the page can draw what each second changes.
  for (let second = 0; second < 10; second++) await page.clock.runFor(1_000)
  assert(await undo.count()).toBe(1)
  await page.getByRole('searchbox').focus()
  for (let second = 0; second < 3; second++) await page.clock.runFor(1_000)
  await expect(undo).toHaveCount(0)
})

testInTurn('a message moves off a field that appears below it, wherever the focus is', async () => {
  const { page } = await shop.colleague()
  await page.goto('/admin/stock')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
  await expect(toast(page)).toContainText('10 items added to the basket')
  await atRest(page)
  await page.evaluate(() => {
    const { top, left, width, height } = document.querySelector('section[aria-label=Messages]')!.getBoundingClientRect()
    const field = document.createElement('input')
    field.id = 'below'
    const place = { top: `${top}px`, left: `${left}px`, width: `${width}px`, height: `${height}px` }
    Object.assign(field.style, { position: 'fixed', ...place })
    document.querySelector('main')!.append(field)
  })
  const place = () =>
    page.evaluate(() => {
      const messages = document.querySelector('section[aria-label=Messages]')!
      if (!messages.querySelector('[role=status]')) return 'gone'
      const [box, at] = [messages.getBoundingClientRect(), document.querySelector('#below')!.getBoundingClientRect()]
      const isOver = at.left < box.right && box.left < at.right && at.top < box.bottom && box.top < at.bottom
      return isOver ? 'over the field' : 'beside the field'
    })
  await expect.poll(place).toBe('beside the field')
})

for (const width of [390, 768, 1400])
  testInTurn(`at ${width} px a message hides no field, no tab and nothing just clicked`, async () => {
    const { page, call } = await shop.colleague('ROLE_ADMIN', { viewport: { width, height: 844 } })
    const items = await newItems(call, 3)
    const batch = await create(call, 'batch', { name: unique('Told'), items: items.map((item) => item.id) })
    const hidden = () =>
      page.evaluate(() => {
        const box = document.querySelector('section[aria-label=Messages]')!.getBoundingClientRect()
        return [...document.querySelectorAll('main :is(input, textarea, [role=tab], [aria-invalid=true]), :focus')]
          .filter((one) => one.checkVisibility() && !one.closest('section[aria-label=Messages]'))
          .map((one) => ({ name: one.outerHTML.slice(0, 90), at: one.getBoundingClientRect() }))
          .filter(({ at }) => at.height > 1 && at.left < box.right && box.left < at.right)
          .filter(({ at }) => at.top < box.bottom && box.top < at.bottom)
          .map(({ name }) => name)
      })
    // An error that the form shows is not repeated in a toast.
    await page.goto('/admin/customer/create')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    await atRest(page)
    assert(await toast(page).getByRole('alert').count()).toBe(0)

    await page.goto(`/admin/batch/edit/${batch.id}`)
    await page.getByRole('textbox', { name: 'Name' }).fill(unique('Told again'))
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page).getByRole('status')).toBeVisible()
    assert(await hidden()).toEqual([])

    await page.goto('/admin/stock')
    const box = page.getByRole('checkbox', { name: 'Select all rows on this page' })
    await box.click()
    await expect(toast(page)).toContainText('10 items added to the basket')
    assert(await hidden()).toEqual([])

    await page.goto('/admin/sale/create')
    await page
      .getByRole('button', { name: `Remove #${items[0]!.id}` })
      .or(page.getByRole('tab').first())
      .first()
      .click()
    await page
      .getByRole('button', { name: /^\d{9,}/ })
      .first()
      .click()
    await expect(toast(page)).not.toBeEmpty()
    assert(await hidden()).toEqual([])
  })

test('prices go down the column by keyboard, and no column moves', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  await call('POST', `stock/${items[1]!.id}/edit`, { sales_price: null })
  const batch = await create(call, 'batch', { name: unique('Priced'), items: items.map((item) => item.id) })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  const price = (n: number) => page.getByRole('button', { name: `Sales price of #${items[n]!.id}` })
  const field = (n: number) => page.getByRole('textbox', { name: `Sales price of #${items[n]!.id}` })
  await expect(rowsOf(page, 'Items')).toHaveCount(3)
  const shown = await rowsOf(page, 'Items')
    .getByRole('link', { name: /^#?\d+$/ })
    .allTextContents()
  const [top, middle, last] = shown.map((id) => items.findIndex((item) => String(item.id) === id)) as [
    number,
    number,
    number,
  ]
  const columns = () =>
    page.getByRole('columnheader').evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().left))
  const before = await columns()

  // A double-click anywhere in the cell opens the field.
  const cell = page.getByRole('cell').filter({ has: price(top) })
  const box = (await cell.boundingBox())!
  await page.mouse.dblclick(box.x + 3, box.y + 3)
  await expect(field(top)).toBeFocused()
  assert(await columns()).toEqual(before)
  await page.keyboard.press('Enter')
  await expect(field(middle)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(price(middle)).toBeFocused()
  await price(top).press('F2')
  await page.keyboard.type('151')
  await page.keyboard.press('Enter')
  await expect(field(middle)).toBeFocused()
  await expect(field(middle)).not.toHaveAttribute('aria-invalid', 'true')
  await expect(price(top)).toContainText('151.00')
  await page.keyboard.type('1 5 x')
  await expect(field(middle)).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Enter')
  await expect(field(middle)).toBeFocused()
  await field(middle).fill('152')
  await page.keyboard.press('Enter')
  await expect(field(last)).toBeFocused()
  await page.keyboard.type('153')
  await page.keyboard.press('Enter')
  await expect(price(last)).toBeFocused()
  await expect(price(last)).toContainText('153.00')
  await expect(price(middle)).toContainText('152.00')
  // Several saved prices make one toast, which does not cover the rows.
  await expect(page.getByRole('region', { name: 'Messages' }).getByText(/saved/)).toHaveCount(1)
  assert(await columns()).toEqual(before)
  const { data } = await call<{ data: { id: number; sales_price: number }[] }>(
    'GET',
    `stock/find?ids=${items.map((item) => item.id)}&per_page=10`,
  )
  assert(data.find(({ id }) => id === items[top]!.id)!.sales_price).toBe(15_100)
  assert(data.find(({ id }) => id === items[middle]!.id)!.sales_price).toBe(15_200)
})
