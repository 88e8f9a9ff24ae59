import type { Page } from '@playwright/test'
import { expect as assert } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, DESK, expect } from './browser-page.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { openScreen, shifted, sideways, watchShifts } from './screen-check.ts'
import { create } from './shop-records.ts'

const shop = openShop()

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Saved views' })
const tab = (page: Page, name: string) => tabs(page).getByRole('link', { name })
const lit = (page: Page) => tabs(page).locator('[aria-current]')
const REFUSED = { success: false, message: 'Not you.', error: 'Not you.' }
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

async function fillIn(page: Page, name: string, { shared = false } = {}) {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  if (shared) await dialog.getByRole('checkbox', { name: 'Everybody sees it' }).check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog).toHaveCount(0)
}

testInTurn('the state of a list is saved as a view, changed, renamed, deleted and brought back', async () => {
  const { page } = await shop.colleague('ROLE_USER')
  await page.goto('/admin/stock')
  await expect(rowsOf(page, 'Stock Overview').first().getByRole('link')).toBeVisible()
  await atRest(page)
  assert(await tabs(page).count()).toBe(0)
  assert(await page.getByRole('button', { name: 'Save view' }).count()).toBe(0)

  await page.goto('/admin/stock?status=Sold&columns=id,product,margin&page=2')
  await page.getByRole('button', { name: 'Save view' }).click()
  await fillIn(page, 'Sold ones')
  await expect(lit(page)).toHaveText('Sold ones')
  // The button has disappeared, so the main part of the page has the focus.
  await expect(page.getByRole('main')).toBeFocused()
  const { view, ...rest } = query(page)
  assert(view).toMatch(/^\d+$/)
  assert(rest).toEqual({ status: 'Sold', columns: 'id,product,margin', page: '2' })

  // Another order counts as a change of the view. Back undoes it.
  await page.getByRole('columnheader', { name: 'Margin' }).getByRole('button').click()
  await expect(tabs(page)).toContainText('changed:')
  // The row of tabs has the buttons that save it.
  assert(await page.getByRole('button', { name: 'Save view' }).count()).toBe(0)
  await page.goBack()
  await expect(tabs(page)).not.toContainText('changed:')
  await page.getByRole('columnheader', { name: 'Margin' }).getByRole('button').click()
  await tabs(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(tabs(page)).not.toContainText('changed:')

  // The standard list has a tab, too. A link to the view is its address.
  await tab(page, 'Standard').click()
  await expect(lit(page)).toHaveText('Standard')
  assert(query(page)).toEqual({})
  await tab(page, 'Sold ones').click()
  await expect(page.getByRole('columnheader', { name: 'Margin' })).toHaveAttribute('aria-sort', 'descending')
  assert(query(page)).toEqual({ status: 'Sold', columns: 'id,product,margin', order_by: 'margin_desc', view })
  await page.goBack()
  await expect(lit(page)).toHaveText('Standard')
  await page.goForward()

  await page.getByRole('columnheader', { name: '#' }).getByRole('button').click()
  await tabs(page).getByRole('button', { name: 'Save as' }).click()
  // A refusal of the address, which is no field of the dialog, is above them.
  const errors = { address: 'Too long.' }
  const wrong = { status: 422, json: { success: false, message: 'Not valid.', data: { errors } } }
  await page.route('**/api/view/create', (route) => route.fulfill(wrong))
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Too long.')
  await page.unroute('**/api/view/create')
  await fillIn(page, 'By number')
  await expect(lit(page)).toHaveText('By number')
  await page.getByRole('button', { name: 'View By number: actions' }).click()
  await page.getByRole('menuitem', { name: 'Move left' }).click()
  await expect(tabs(page).getByRole('link')).toHaveText(['Standard', 'By number', 'Sold ones'])
  // If the server cannot move the view, the person is told.
  await page.route('**/api/view/*/edit', (route) => route.fulfill({ status: 403, json: REFUSED }))
  await page.getByRole('button', { name: 'View By number: actions' }).click()
  await page.getByRole('menuitem', { name: 'Move right' }).click()
  await expect(toast(page)).toContainText(REFUSED.message)
  await page.getByRole('button', { name: 'View By number: actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename or share' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Rename view' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(REFUSED.message)
  await page.unroute('**/api/view/*/edit')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('sold ONES')
  await dialog.getByRole('button', { name: 'Rename view' }).click()
  await expect(dialog).toContainText('There is already a view with this name.')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Numbers')
  // A click outside the dialog does not close it.
  await page.mouse.click(5, 5)
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Numbers')
  await dialog.getByRole('button', { name: 'Rename view' }).click()
  await expect(lit(page)).toHaveText('Numbers')

  // If the page is scrolled, it does not move when the view goes.
  await page.setViewportSize({ width: 1400, height: 500 })
  await page.evaluate(() => window.scrollTo(0, 30))
  await page.getByRole('button', { name: 'View Numbers: actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).hover()
  const scrolled = () => page.evaluate(() => window.scrollY)
  const before = await scrolled()
  // If the server refuses, the view stays and the person is told.
  const kept = { ...REFUSED, message: 'Not this one.' }
  await page.route('**/api/view/*/delete', (route) => route.fulfill({ status: 403, json: kept }))
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(toast(page)).toContainText(kept.message)
  await expect(lit(page)).toHaveText('Numbers')
  await page.unroute('**/api/view/*/delete')
  await page.getByRole('button', { name: 'View Numbers: actions' }).click()
  assert(before).toBeGreaterThan(0)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(toast(page)).toContainText('Deleted the view Numbers.')
  await expect(tabs(page).getByRole('link')).toHaveText(['Standard', 'Sold ones'])
  await atRest(page)
  assert(await scrolled()).toBe(before)
  await page.setViewportSize(DESK)
  await expect(page.getByRole('main')).toBeFocused()
  // The same is true for a view that cannot be brought back. It then stays deleted.
  await page.route('**/api/view/create', (route) => route.fulfill({ status: 403, json: REFUSED }))
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).filter({ hasText: REFUSED.message })).toBeVisible()
  await page.unroute('**/api/view/create')
  await expect(tabs(page).getByRole('link')).toHaveText(['Standard', 'Sold ones'])
})

testInTurn('a shared view is everybody’s, and a link works for those who do not see the view', async () => {
  const person = await shop.colleague('ROLE_USER')
  const { page, call } = person
  const [own, second] = [unique('Mine'), unique('Second')]
  const [shared, later] = [unique('Ours'), unique('Later')]
  await page.goto('/admin/customer?order_by=email_asc')
  await page.getByRole('button', { name: 'Save view' }).click()
  await fillIn(page, own)
  const link = page.url()
  await tab(page, 'Standard').click()
  await page.getByRole('columnheader', { name: 'Company' }).getByRole('button').click()
  await page.getByRole('button', { name: 'Save view' }).click()
  await fillIn(page, shared, { shared: true })
  await expect(tab(page, shared)).toHaveAttribute('aria-current', 'page')

  const { page: other } = await shop.colleague('ROLE_USER')
  await other.goto(link)
  await expect(tab(other, shared)).toBeVisible()
  await expect(other.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(tabs(other).getByRole('button', { name: 'Save as' })).toBeVisible()
  assert(await tab(other, own).count()).toBe(0)
  assert(await lit(other).count()).toBe(0)
  // A view that somebody else shares has no actions, and cannot be changed.
  await tab(other, shared).click()
  await expect(lit(other)).toContainText(shared)
  assert(await other.getByRole('button', { name: /: actions$/ }).count()).toBe(0)
  await other.getByRole('columnheader', { name: 'Email' }).getByRole('button').click()
  await expect(tabs(other)).toContainText('changed:')
  await expect(tabs(other).getByRole('button')).toHaveText(['Save as'])

  // Deleted by mistake and brought back, it is everybody's again, at its place.
  await create(call, 'view', { area: 'customer', name: later, address: 'order_by=id_asc', shared: true })
  await page.getByRole('button', { name: `View ${shared}: actions` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(tab(page, shared)).toHaveCount(0)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  const order = (...names: string[]) =>
    expect(tabs(page).getByRole('link')).toHaveText(['Standard', ...names].map((name) => new RegExp(`^${name}`)))
  await order(shared, later, own)
  // A view moves among one's own. Those that are shared do not count.
  const { id } = await create(call, 'view', { area: 'customer', name: second, address: 'order_by=id_desc' })
  await page.goto(`/admin/customer?order_by=id_desc&view=${id}`)
  await page.getByRole('button', { name: `View ${second}: actions` }).click()
  await expect(page.getByRole('menuitem', { name: 'Move right' })).toBeDisabled()
  await page.getByRole('menuitem', { name: 'Move left' }).click()
  await order(shared, later, second, own)
  await other.goto('/admin/customer')
  await expect(tab(other, shared)).toBeVisible()
})

testInTurn('tabs come after the list, with nothing that moves', async () => {
  const { page, call } = await shop.colleague('ROLE_USER')
  await create(call, 'view', { area: 'stock', name: 'Sold', address: 'status=Sold' })
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/find')) asked.push(pathname)
  })
  await watchShifts(page)
  for (const width of [1400, 768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await openScreen(page, '/admin/stock')
    await expect(tab(page, 'Sold')).toBeVisible()
    assert(await shifted(page)).toEqual([])
  }
  assert(asked[0]).toBe('/api/stock/find')
  asked.length = 0
  await page.goto('/admin/sale')
  await expect(rowsOf(page, 'Sales Overview').first().getByRole('link').first()).toBeVisible()
  assert(asked).toEqual(['/api/sale/find'])

  // Tabs without room scroll in their row and not with the page, and the open one is in sight.
  const shared = { area: 'grade', address: 'order_by=name_desc', shared: true }
  const views = []
  for (let n = 0; n < 6; n++) views.push(await create(call, 'view', { ...shared, name: unique('Of everybody') }))
  await page.goto(`/admin/grade?order_by=name_desc&view=${views.at(-1)!.id}`)
  await expect(lit(page)).toBeInViewport({ ratio: 0.9 })
  assert(await sideways(page)).toEqual([])
  // The tab of a view that is the standard list is lit alone.
  const plain = await create<{ id: number; name: string }>(call, 'view', { area: 'grade', name: 'Plain', address: '' })
  await page.goto(`/admin/grade?view=${plain.id}`)
  await expect(lit(page)).toHaveText('Plain')
})

testInTurn('a bare list has the page size that the person chose last, and an address that names one wins', async () => {
  const person = await shop.colleague('ROLE_USER')
  const { page } = person
  const rows = rowsOf(page, 'Stock Overview')
  const size = page.getByRole('combobox', { name: 'Rows per page' })
  await page.goto('/admin/make')
  await page.goto('/admin/stock')
  await expect(rows).toHaveCount(10)
  await size.selectOption('25')
  await expect(rows).toHaveCount(25)
  // The change of size replaced the entry in the browser's history, so Back leaves the list.
  await page.goBack()
  await page.waitForURL('**/admin/make')
  await expect(size).toHaveValue('10')
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/stock/find') && asked.push(request.url()))
  await page.goto('/admin/stock')
  await expect(rows).toHaveCount(25)
  assert(asked.map((url) => new URL(url).searchParams.get('per_page'))).toEqual(['25'])
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.waitForURL('**/admin/stock?page=2&per_page=25')
  await page.goto('/admin/stock?per_page=50')
  await expect(rows).toHaveCount(50)
  await page.goto('/admin/stock')
  await expect(rows).toHaveCount(25)

  // Another person in the same browser has a page size of their own.
  const other = await shop.colleague('ROLE_USER')
  await page.context().clearCookies()
  await page.context().addCookies(await other.context.cookies())
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('button', { name: `Profile of ${other.name}` })).toBeVisible()
  await page.goto('/admin/stock')
  await expect(rows).toHaveCount(10)
})
