import { test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect, hold, logIn } from './browser-page.ts'
import { ADMIN } from './running-server.ts'
import { answer, openShop } from './sample-shop.ts'

const shop = openShop({ sampleData: false })

testInTurn('a visitor without a session is sent to the login, and after it to the stock list', async () => {
  const { page } = await shop.stranger()
  for (const path of ['/', '/admin', '/admin/stock', '/admin/sale/edit/1', '/admin/dashboard']) {
    await page.goto(path)
    await page.waitForURL('**/login')
  }
  await expect(page).toHaveTitle('Log in · Backstock')
  await expect(page.getByRole('link', { name: 'Backstock' })).toHaveAttribute('href', '/')

  await logIn(page)
  for (const path of ['/', '/login', '/admin']) {
    await page.goto(path)
    await page.waitForURL('**/admin/stock')
  }
  await expect(page.getByRole('heading', { name: 'Stock Overview' })).toBeVisible()
})

testInTurn('the login sends nothing before both fields are valid', async () => {
  const { page } = await shop.stranger()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.goto('/login')
  const email = page.getByLabel('Email')
  const password = page.getByLabel('Password', { exact: true })
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('maxlength', '186')
  await expect(password).toHaveAttribute('maxlength', '32')
  // Programs that keep passwords know the fields.
  await expect(email).toHaveAttribute('autocomplete', 'username')
  await expect(password).toHaveAttribute('autocomplete', 'current-password')

  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(email).toBeFocused()
  await email.fill('nobody at all')
  await password.fill('secret')
  await page.keyboard.press('Enter')
  await expect(email).toHaveAccessibleDescription(/@/)
  await email.fill(ADMIN.email)
  await password.fill('')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription('Enter your password.')
  expect(sent).toEqual([])
})

testInTurn('a failed login spins, says why under the password and clears it', async () => {
  const { page } = await shop.stranger()
  await page.goto('/login')
  const password = page.getByLabel('Password', { exact: true })
  const button = page.locator('button[type=submit]')
  await page.getByLabel('Email').fill(ADMIN.email)
  await password.fill('not the password')
  await page.getByRole('button', { name: 'Show or hide the password' }).click()
  await expect(password).toHaveAttribute('type', 'text')

  const release = await hold(page, '**/api/login')
  await button.click()
  await expect(button).toHaveAttribute('data-loading', 'true')
  release()
  await expect(password).toHaveAccessibleDescription('Invalid email or password.')
  await expect(password).toHaveValue('')
  await expect(password).toBeFocused()
  await expect(button).not.toHaveAttribute('data-loading')

  await password.fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/stock')
})

testInTurn('unknown paths lead to the error page, unknown operations say so', async () => {
  const { page } = await shop.admin()
  for (const path of ['/nowhere', '/admin/nowhere', '/admin/stock/edit/1/2/3', '/admin/toString']) {
    await page.goto(path)
    await page.waitForURL('**/error')
  }
  const pages = [
    ['/error/404', 'Page Not Found', "Oopps!! The page you were looking for doesn't exist."],
    ['/error/500', 'Internal server error', 'Oopps!! There wan an error. Please try agin later.'],
    ['/error/teapot', 'Something went wrong', "Looks like something went wrong. We're working on it"],
    ['/error/toString', 'Something went wrong', "Looks like something went wrong. We're working on it"],
    ['/error', 'Page Not Found', "Oopps!! The page you were looking for doesn't exist."],
  ] as const
  for (const [path, title, text] of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByText(text, { exact: true })).toBeVisible()
    await expect(page).toHaveTitle(`${title} · Backstock`)
  }
  await page.getByRole('link', { name: 'Back to home' }).click()
  await page.waitForURL('**/admin/dashboard')

  for (const path of [
    '/admin/stock/frobnicate',
    '/admin/colour/edit',
    '/admin/make/import',
    '/admin/sale/nonsense/5',
  ]) {
    await page.goto(path)
    await expect(page.getByText('Operation not found', { exact: true })).toBeVisible()
  }
  await expect(page.getByRole('link', { name: 'To Sales Overview' })).toHaveAttribute('href', '/admin/sale')
  await page.goto('/admin/colour/edit/999999')
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible()
  await page.getByRole('link', { name: 'To Colour' }).click()
  await page.waitForURL('**/admin/colour')
})

test('logging out ends the session and forgets what was left for a sale', async () => {
  const { page, call, email, password, id } = await shop.colleague()
  const { data: make } = await call<{ data: { id: number } }>('POST', 'make/create', { name: 'Nokia' })
  const { data: category } = await call<{ data: { id: number } }>('POST', 'category/create', { name: 'Phones' })
  const { data: product } = await call<{ data: { id: number } }>('POST', 'product/create', {
    make_id: make.id,
    category_id: category.id,
    model: '3310',
  })
  const { data: item } = await call<{ data: { id: number } }>('POST', 'stock/create', {
    actual_product_id: product.id,
    serial_number: 'LOGOUT-1',
    purchase_price: 100,
    status: 'In Stock',
  })
  await call('PUT', `user/${id}/basket`, { items: [item.id] })
  await page.goto('/admin/stock')
  await page.getByRole('button', { name: 'Basket, 1 item' }).click()
  await page.getByRole('button', { name: 'New Batch' }).click()
  await page.waitForURL('**/admin/batch/create')
  const stored = () => page.evaluate(() => localStorage.getItem('storageData'))
  expect(JSON.parse((await stored()) ?? 'null')).toMatchObject({ batchStockItemIds: [item.id] })

  const leave = async () => {
    await page.getByRole('button', { name: /^Profile of/ }).click()
    await page.getByRole('menuitem', { name: 'Log Out' }).click()
  }
  await page.goto('/admin/colour/create')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Half typed')
  await leave()
  await answer(page, 'You have unsaved changes.', 'Stay')
  await expect(name).toHaveValue('Half typed')
  await leave()
  await answer(page, 'You have unsaved changes.', 'Leave')
  await page.waitForURL('**/login')
  expect(await stored()).toBeNull()
  await page.goto('/admin/stock')
  await page.waitForURL('**/login')
  await logIn(page, { email, password })
  // The person has agreed to lose the text, so it is no draft.
  await page.goto('/admin/colour/create')
  await expect(name).toHaveValue('')
})

test('after a session has ended, what was left for a sale is its person’s alone', async () => {
  const person = await shop.colleague()
  const other = await shop.colleague()
  const { page, context } = person
  const left = JSON.stringify({ saleStockItemIds: [1], saleFromBatch: null })
  const stored = () => page.evaluate(() => localStorage.getItem('storageData'))
  const endSession = async () => {
    await context.clearCookies()
    await page.goto('/admin/stock')
    await page.waitForURL('**/login')
  }
  await page.goto('/admin/stock')
  await expect(page.getByRole('heading', { name: 'Stock', level: 1 })).toBeVisible()
  await page.evaluate((text) => localStorage.setItem('storageData', text), left)
  await endSession()
  await logIn(page, person)
  expect(await stored()).toBe(left)
  await endSession()
  await logIn(page, other)
  expect(await stored()).toBeNull()
})

test('if another tab logs somebody else in, this tab is logged out, and its draft stays its person’s', async () => {
  const ada = await shop.colleague()
  const bob = await shop.colleague()
  const { page, context } = ada
  const note = page.getByRole('textbox', { name: 'Note' })
  /** As a login in another tab does: the cookies of this browser are now Bob's. */
  const loginAsBob = () => ada.call('POST', 'login', { username: bob.email, password: bob.password })
  await page.goto('/admin/return/create')
  await note.fill('Parcel 7')
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  await loginAsBob()
  // The tab asks the server. If it has already asked by itself, the button is no longer there.
  await page.getByRole('button', { name: 'Notifications' }).evaluateAll(([button]) => (button as HTMLElement)?.click())
  await page.waitForURL('**/login')
  const drafts = (await page.evaluate(() => Object.keys(localStorage))).filter((key) => key.startsWith('draft '))
  expect(drafts.map((key) => key.replace(/\d+ /, ''))).toEqual([`draft return ${ada.id}`])

  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/stock')
  await page.goto('/admin/return/create')
  await expect(note).toHaveValue('Parcel 7')
  // Here nobody touches the first tab: it learns of the login when the other tab shows its first screen.
  await loginAsBob()
  const tab = await context.newPage()
  await tab.goto('/admin/stock')
  await expect(tab.getByRole('heading', { name: 'Stock Overview' })).toBeVisible()
  await page.waitForURL('**/login')
})

test('when the session has ended elsewhere, the next step leads to the login', async () => {
  const { page, context } = await shop.admin()
  await page.goto('/admin/make')
  await expect(page.getByRole('heading', { name: 'Make' })).toBeVisible()
  await context.clearCookies()
  // The pointer over the link would load its page ahead, so the test clicks without moving it. A request in the background
  // may have led to the login and removed the link even before.
  await page.evaluate(`document.querySelector('nav[aria-label="Main"] a[href$="/colour"]')?.click()`)
  await page.waitForURL('**/login')
})

testInTurn('a shop without data says so on every list', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/stock/import/history')
  await expect(page.getByText('No import data', { exact: true })).toBeVisible()
  await page.goto('/admin/supplier')
  await expect(page.getByText('No results found.', { exact: true })).toBeVisible()
  await expect(page.getByText('Showing 0 to 0 of 0 entries')).toBeVisible()
  await page.goto('/admin/product/create')
  await page.getByRole('combobox', { name: 'Colour' }).click()
  await expect(page.getByText('No results found', { exact: true })).toBeVisible()
})
