import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { expect as expectValue } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect, goOffline, hold, MOVING } from './browser-page.ts'
import { type Found, openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { newItems, newSale } from './shop-records.ts'
import { NEW_WINDOW } from './windows.ts'

/** A port without a mail server. */
const NO_MAIL_SERVER = 'smtp://127.0.0.1:9'
const shop = openShop({ environment: { SMTP_URL: NO_MAIL_SERVER } })

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })

testInTurn('the menu leads everywhere and marks the current screen, and a click on that does nothing', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/stock')
  const screens = [
    ['Batch', '/admin/batch', 'Batch Overview'],
    ['Sales', '/admin/sale', 'Sales Overview'],
    ['Documents', '/admin/document', 'Documents'],
    ['Staff', '/admin/user', 'Staff'],
    ['Customer', '/admin/customer', 'Customer'],
    ['Partner', '/admin/partner', 'Partner'],
    ['Supplier', '/admin/supplier', 'Supplier'],
    ['Product', '/admin/product', 'Product'],
    ['Make', '/admin/make', 'Make'],
    ['Colour', '/admin/colour', 'Colour'],
    ['Category', '/admin/category', 'Category'],
    ['VAT', '/admin/vat', 'VAT'],
    ['Stock', '/admin/stock', 'Stock Overview'],
  ] as const
  for (const [name, path, title] of screens) {
    await menu(page).getByRole('link', { name, exact: true }).click()
    await page.waitForURL(`**${path}`)
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(page).toHaveTitle(`${title} · Backstock`)
    await expect(menu(page).locator('[aria-current=page]')).toHaveText([name])
    await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveText(`Admin>${title}>List`)
  }
  await page.goto('/admin/stock?search=iphone')
  await menu(page).getByRole('link', { name: 'Stock', exact: true }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('iphone')
  expect(page.url()).toContain('search=iphone')
  await page.goto('/admin/stock/import/history')
  await expect(menu(page).locator('[aria-current=page]')).toHaveText(['Stock'])
  await page.goto('/admin/stock/check/1')
  await expect(menu(page).locator('[aria-current=page]')).toHaveText(['Deliveries'])
  // A group folds, and stays so. A group that begins folded opens with a screen of its own.
  const link = (name: string) => menu(page).getByRole('link', { name, exact: true })
  await expect(menu(page).getByRole('button', { name: 'Setup' })).toHaveAttribute('aria-expanded', 'false')
  expectValue(await link('Grade').isVisible()).toBe(false)
  await menu(page).getByRole('button', { name: 'Manage' }).click()
  await expect(link('Make')).toBeHidden()
  await page.goto('/admin/grade')
  await expect(link('Grade')).toBeVisible()
  expectValue(await link('Make').isVisible()).toBe(false)
  await expect(page.getByText(/^© \d{4} Backstock \d+\.\d+\.\d+$/)).toBeVisible()
})

testInTurn(
  'up to 1199 px the menu is a drawer that closes on navigation; above, it folds and stays folded',
  async () => {
    const { page } = await shop.admin({ viewport: { width: 1199, height: 800 } })
    await page.goto('/admin/stock')
    await expect(page.getByRole('heading', { name: 'Stock Overview' })).toBeVisible()
    await expect(menu(page)).toBeHidden()
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await menu(page).getByRole('link', { name: 'Sales' }).click()
    await page.waitForURL('**/admin/sale')
    await expect(menu(page)).toBeHidden()

    await page.setViewportSize({ width: 1200, height: 800 })
    await expect(menu(page).getByText('Batch', { exact: true })).toBeVisible()
    await menu(page).getByRole('link', { name: 'Batch' }).click()
    await page.waitForURL('**/admin/batch')
    await expect(menu(page)).toBeVisible()
    const wide = await menu(page).boundingBox()
    await page.getByRole('button', { name: 'Close the menu' }).click()
    await expect.poll(async () => (await menu(page).boundingBox())!.width).toBeLessThan(wide!.width / 2)
    await expect(menu(page).getByRole('link', { name: 'Batch' })).toHaveAttribute('title', 'Batch')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Open the menu' })).toHaveAttribute('aria-expanded', 'false')
  },
)

testInTurn('the notifications fade in, except for people who want less motion', async () => {
  const isFading = async (options: BrowserContextOptions) => {
    const { page } = await shop.admin(options)
    await page.goto('/admin/make')
    const begun = await page.evaluateHandle(() => {
      const begun: (string | null)[] = []
      const note = ({ target }: Event) => target instanceof Element && begun.push(target.getAttribute('aria-label'))
      document.addEventListener('transitionrun', note)
      return begun
    })
    await page.getByRole('button', { name: 'Notifications' }).click()
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
    await atRest(page)
    return (await begun.jsonValue()).includes('Notifications')
  }
  expectValue(await isFading(MOVING)).toBe(true)
  expectValue(await isFading({ reducedMotion: 'reduce' })).toBe(false)
})

testInTurn('the theme is chosen in the sidebar and stays', async () => {
  const { page } = await shop.admin({ colorScheme: 'light' })
  const scheme = page.locator('html')
  await page.goto('/admin/make')
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light')
  const dark = page.getByRole('button', { name: 'Use the dark theme' })
  await expect(dark).toHaveText('Dark theme')
  await dark.click()
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Use the light theme' })).toHaveText('Light theme')
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

testInTurn('a spinner shows while a screen is fetched', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/stock')
  await expect(page.getByRole('table')).toBeVisible()
  const release = await hold(page, '**/assets/dashboard-page*')
  await page.getByRole('link', { name: 'Backstock' }).click()
  await expect(page.getByLabel('Loading the page')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByLabel('Loading the page')).toBeHidden()
})

testInTurn('sales that require attention are told in red, with their number, on every screen', async () => {
  const { page, call } = await shop.admin()
  const { sales_requiring_attention } = await call<{ sales_requiring_attention: number }>('GET', 'auth')
  await page.goto('/admin/vat')
  const alert = page.getByRole('link', { name: `${sales_requiring_attention} sales requires attention.` })
  await alert.click()
  await page.waitForURL('**/admin/sale')
  await expect(page.getByText('Requires Attention').first()).toBeVisible()
})

testInTurn('quick search by keyboard alone: shortcuts, tags, groups, arrows, Enter', async () => {
  const { page, call, id, name, email } = await shop.admin()
  const { data: items } = await call<Found<{ id: number; imei: string; status: string }>>(
    'GET',
    'stock/find?status=In%20Stock&per_page=50',
  )
  const item = items.find((row) => row.imei)!
  const release = await hold(page, '**/assets/quick-search-*.js')
  await page.goto('/admin/make')
  await expect(page.getByRole('table')).toBeVisible()
  await page.getByRole('searchbox').fill(' pasted')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+x')

  const search = page.getByRole('dialog', { name: 'Quick search' })
  const input = search.getByRole('combobox')
  const open = async () => {
    await expect(search).toBeHidden()
    await page.keyboard.press('Control+k')
    await expect(input).toBeFocused()
  }
  /** The field with the focus lets the browser correct or complete nothing that is typed. */
  const staysAsTyped = async () => {
    const field = page.locator('[aria-label="Quick search"]:focus')
    await expect(field).toHaveAttribute('spellcheck', 'false')
    await expect(field).toHaveAttribute('autocapitalize', 'off')
    await expect(field).toHaveAttribute('autocomplete', 'off')
  }
  // While the code of quick search is loading, Escape takes Ctrl+K back, with what was typed since.
  await page.keyboard.press('Control+k')
  await staysAsTyped()
  await page.keyboard.type('gone')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('searchbox')).toBeFocused()
  // No text is lost that was typed, composed or pasted meanwhile.
  await page.keyboard.press('Control+k')
  await staysAsTyped()
  await page.keyboard.type('nothing has thsi')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('is name: ')
  const keys = await page.context().newCDPSession(page)
  await keys.send('Input.imeSetComposition', { text: '¨', selectionStart: 1, selectionEnd: 1 })
  await keys.send('Input.insertText', { text: 'ä' })
  await page.keyboard.press('Control+v')
  // A letter may be half composed when the code arrives.
  await keys.send('Input.imeSetComposition', { text: '´', selectionStart: 1, selectionEnd: 1 })
  release()
  await atRest(page)
  await keys.send('Input.insertText', { text: 'é' })
  await expect(input).toHaveValue('nothing has this name: ä pastedé')
  await expect(input).toBeFocused()
  await staysAsTyped()
  await expect(page.locator('main input[type=search]')).toHaveValue('')
  await expect(search.getByText('No results for "nothing has this name: ä pastedé"', { exact: true })).toBeVisible()
  // A text that is pasted over it is searched, too.
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+v')
  await expect(search.getByText('No results for "pasted"', { exact: true })).toBeVisible()

  await input.fill('')
  await expect(search.getByRole('group', { name: 'Commonly Used' })).toBeVisible()
  await expect(
    search.getByRole('group', { name: 'Manage' }).getByRole('option', { name: 'Supplier', exact: true }),
  ).toBeVisible()
  await page.keyboard.type(item.imei)
  const hit = search.getByRole('group', { name: 'Stock' }).getByRole('option')
  await expect(hit).toHaveCount(1)
  await expect(hit).toHaveAttribute('aria-selected', 'true')
  await expect(hit).toContainText(`#${item.id}`)
  await expect(hit).toContainText(/Status\s*In Stock/)
  await expect(hit).toContainText(`IMEI ${item.imei}`)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/admin/stock/edit/${item.id}`)

  // Several kinds of records have this name. A tag leaves only one kind.
  await open()
  await page.keyboard.type('schäfer')
  await expect(search.getByRole('group', { name: 'Customer' })).toBeVisible()
  await expect(search.getByRole('group', { name: 'Sales' }).getByText('Customer').first()).toBeVisible()
  await tabTo(page, search.getByRole('button', { name: 'Customer' }))
  await page.keyboard.press('Space')
  await expect(search.getByRole('group', { name: 'Sales' })).toBeHidden()
  await expect(search.getByRole('group', { name: 'Customer' })).toBeVisible()
  await page.keyboard.press('Space')
  await expect(search.getByRole('group', { name: 'Sales' })).toBeVisible()
  await page.keyboard.press('Escape')

  await open()
  await page.keyboard.type(email)
  await expect(search.getByRole('group', { name: 'Staff' }).getByRole('option')).toHaveText(
    `#${id} ${name}Email ${email}`,
  )
  await page.keyboard.press('Escape')

  // Arrow keys move through the hits, also through pages.
  await open()
  await page.keyboard.type('import')
  const pages = search.getByRole('group', { name: 'Pages' }).getByRole('option')
  await expect(pages).toHaveText(['Import Stock', 'Import History'])
  await expect(pages.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(pages.last()).toHaveAttribute('aria-selected', 'true')
  for (const next of [pages.first(), pages.last()]) {
    await page.keyboard.press('ArrowUp')
    await expect(next).toHaveAttribute('aria-selected', 'true')
  }
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/stock/import/history')

  // A new sale takes the basket with its four items, and not items that were left for a sale earlier.
  await page.evaluate((id) => {
    localStorage.setItem('storageData', JSON.stringify({ saleStockItemIds: [id], saleFromBatch: null }))
  }, item.id)
  await open()
  await page.keyboard.type('new sale')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/sale/create')
  await expect(page.getByRole('tab', { name: 'Products (4)' })).toBeVisible()

  // If somebody types on and presses Enter at once, no hit of the text before opens.
  await open()
  await page.keyboard.type('import')
  await expect(pages.first()).toHaveText('Import Stock')
  await page.keyboard.type(' history')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/stock/import/history')
})

testInTurn('quick search asks once typing pauses, not with Ctrl, and gives the focus back', async () => {
  const { page, call } = await shop.admin()
  // A scan while its code is loading opens the item.
  const [item] = await newItems(call, 1)
  const release = await hold(page, '**/assets/quick-search-*.js')
  await page.goto('/admin/make')
  await expect(page.getByRole('table')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(item!.imei!)
  await page.keyboard.press('Enter')
  release()
  await page.waitForURL(`**/admin/stock/edit/${item!.id}`)

  const asked: string[] = []
  page.on('request', (request) => request.url().includes('quick=true') && asked.push(request.url()))
  const button = page.getByRole('banner').getByRole('button', { name: 'Quick search' })
  await button.hover()
  await expect(page.getByRole('tooltip')).toHaveText('Quick search (Ctrl+K)')
  await button.focus()
  await page.keyboard.press('Enter')
  const search = page.getByRole('dialog', { name: 'Quick search' })
  await expect(search.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('iphone', { delay: 20 })
  await expect(search.getByRole('group', { name: 'Stock' }).getByRole('option')).toHaveCount(10)
  const areas = () => asked.map((url) => new URL(url)).filter((url) => url.searchParams.get('search') === 'iphone')
  const all = ['batch', 'customer', 'sale', 'stock', 'supplier', 'user'].map((area) => `/api/${area}/find`)
  await expect
    .poll(() =>
      areas()
        .map((url) => url.pathname)
        .sort(),
    )
    .toEqual(all)
  // On a busy machine keys may come late and cause another search. But there is not one search for each key.
  expect(asked.length).toBeLessThan('iphone'.length * all.length)
  expect(areas()[0]!.searchParams.get('per_page')).toBe('10')
  await search.getByRole('button', { name: 'Only In Stock' }).click()
  await expect(search.getByRole('group', { name: 'Stock' }).getByText('In Stock').first()).toBeVisible()
  await expect(search.getByRole('group', { name: 'Stock' }).getByText('Sold')).toHaveCount(0)
  // A refused search is told, and can be repeated.
  const refusal = { status: 409, json: { success: false, message: 'Not now.' } }
  await page.route('**/api/batch/find?*', (route) => route.fulfill(refusal), { times: 1 })
  await search.getByRole('combobox').press('Backspace')
  await expect(search.getByRole('alert')).toContainText('Not now.')
  await search.getByRole('button', { name: 'Try again' }).click()
  await expect(search.getByRole('group', { name: 'Stock' }).getByRole('option')).toHaveCount(10)
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
})

testInTurn('notifications are what one has done: five, more on demand, each a link', async () => {
  const { page, call } = await shop.colleague()
  const names = Array.from({ length: 7 }, (_, n) => unique(`Maker ${n}`))
  const suppliers: number[] = []
  for (const company_name of names)
    suppliers.push((await call<{ data: { id: number } }>('POST', 'supplier/create', { company_name })).data.id)
  await page.goto('/admin/make')
  await page.getByRole('button', { name: 'Notifications' }).click()
  const entries = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')
  await expect(entries).toHaveCount(5)
  await expect(entries.first()).toContainText(`Supplier #${suppliers.at(-1)}`)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(entries).toHaveCount(7)
  await page.getByRole('button', { name: 'Show less' }).click()
  await expect(entries).toHaveCount(5)
  await entries.first().getByRole('link').click()
  await page.waitForURL(`**/admin/supplier/edit/${suppliers.at(-1)}`)
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeHidden()
  // An entry made since then stands above the one that links to the current screen.
  const company_name = unique('Maker')
  const { data: newest } = await call<{ data: { id: number } }>('POST', 'supplier/create', { company_name })
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect(entries.first()).toContainText(`Supplier #${newest.id}`)
  await entries.nth(1).getByRole('link').click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeHidden()
  // A bulk edit leads to its line in the list of bulk edits.
  const items = await newItems(call, 2)
  const asked = { items: items.map(({ id }) => id), changes: { location: 'Shelf 9' } }
  const { token } = (await call<{ data: { token: string } }>('POST', 'stock/bulk/preview', asked)).data
  const { bulk_id } = (await call<{ data: { bulk_id: number } }>('POST', 'stock/bulk', { ...asked, token })).data
  await page.getByRole('button', { name: 'Notifications' }).click()
  await entries
    .filter({ hasText: `Bulk edit #${bulk_id}` })
    .getByRole('link')
    .click()
  await page.waitForURL(`**/admin/stock/bulk?ids=${bulk_id}`)
  await expect(rowsOf(page, 'Bulk edits')).toHaveCount(1)
  await page.getByRole('button', { name: `Clear Number: #${bulk_id}` }).click()
  await page.waitForURL('**/admin/stock/bulk')
})

testInTurn('an email that failed is told once, on whatever screen one is then, with the way to its sale', async () => {
  const { page, call } = await shop.colleague()
  await page.goto('/admin/make')
  await expect(page.getByRole('table')).toBeVisible()
  // Without a sender no mail is passed to the mail server.
  await call('POST', 'company/edit', { email: null, mail_from: null })
  const failedSale = async () => {
    const sale = await newSale(call, await newItems(call, 1), { send_email: true, create_invoice: false })
    const state = async () =>
      (await call<Found<{ mail: { state: string } }>>('GET', `sale/find?id=${sale.id}`)).data[0]!.mail.state
    await expect.poll(state).toBe('failed')
    return sale
  }
  const linkTo = ({ id }: { id: number }) => toast(page).getByRole('link', { name: `Sale #${id}` })
  const sale = await failedSale()
  await menu(page).getByRole('link', { name: 'Colour' }).click()
  await expect(toast(page)).toContainText('Email failed')
  await linkTo(sale).click()
  await page.waitForURL(`**/admin/sale/edit/${sale.id}`)
  await expect(toast(page).getByText('Email failed')).toHaveCount(0)

  // All news are told at once, so what stands beside the second failure was told again.
  const second = await failedSale()
  await page.goto('/admin/make')
  await expect(linkTo(second)).toBeVisible()
  expectValue(await linkTo(sale).count()).toBe(0)
})

testInTurn('the profile: name, password and picture of one’s own', async () => {
  const { page, id, name } = await shop.colleague('ROLE_USER')
  await page.goto('/admin/stock')
  const button = page.getByRole('button', { name: `Profile of ${name}` })
  await button.click()
  await page.getByRole('menuitem', { name: 'Edit Profile' }).click()
  await page.waitForURL(`**/admin/user/edit/${id}`)
  await expect(page.getByText('Leave empty to keep the current password.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Role' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Name' }).fill('Somebody Else')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Profile of Somebody Else' })).toBeVisible()

  const picture = page.locator(`header img[src^="/api/user/${id}/avatar?version="]`)
  await expect(picture).toHaveCount(0)
  const choose = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
    await page.getByRole('button', { name: 'Profile of Somebody Else' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'Upload Avatar' }).click()
    await (await chooser).setFiles(file)
  }
  await choose({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(page.getByRole('dialog')).toContainText('Only image files are allowed')
  await page.getByRole('button', { name: 'OK' }).click()
  await choose({ name: 'me.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await expect(picture).toHaveCount(1)
  await expect(picture).toHaveJSProperty('naturalWidth', 256)
})

testInTurn('a server that is away is told, and the work goes on', async () => {
  // A screen whose code is in the browser's cache opens without a connection.
  const { page, context, problems } = await shop.admin(NEW_WINDOW)
  // Without the session there is no screen, but a way on.
  const json = { message: 'Not now.', request_id: 'req-7' }
  await page.route('**/api/auth', (route) => route.fulfill({ status: 409, json }))
  await page.goto('/admin/make')
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('Something went wrongNot now. (req-7)')
  await page.unroute('**/api/auth')
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table')).toBeVisible()
  // The browser's console has it too.
  expectValue(problems.filter((one) => !one.startsWith('ApiError: Not now.'))).toEqual([])
  problems.length = 0
  await goOffline(page)
  await page.getByRole('searchbox').fill('zz')
  const trouble = page.getByRole('alert').filter({ hasText: 'No connection' })
  await expect(trouble).toContainText('The server cannot be reached. Check your connection and try again.')
  await context.setOffline(false)
  // The list is read again without a click, once there is a connection.
  await expect(page.getByRole('cell', { name: 'No results found.' })).toBeVisible()
  await expect(trouble).toHaveCount(0)
  // A server that starts again sends no word to a browser that was online all the time. The browser asks by itself.
  await page.route('**/api/make/find*', (route) => route.abort('internetdisconnected'))
  await page.getByRole('searchbox').fill('yy')
  await expect(trouble).toBeVisible()
  await page.unroute('**/api/make/find*')
  await expect(trouble).toHaveCount(0)
  // If only the session cannot be read again, the next screen opens below the alert.
  await page.route('**/api/auth', (route) => route.fulfill({ status: 409, json }))
  await menu(page).getByRole('link', { name: 'Colour' }).click()
  const outage = page.getByRole('alert').filter({ hasText: 'Not now.' })
  await expect(outage.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Colour' })).toBeVisible()
  // It goes by itself, once the session can be read.
  await page.unroute('**/api/auth')
  await expect(outage).toHaveCount(0)
  await menu(page).getByRole('link', { name: 'Make' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Make' })).toBeVisible()
  // A screen whose code is not there yet opens once there is a connection, and until then the present one stays. The
  // first press loads the code of messages.
  await page.getByRole('searchbox').click()
  await atRest(page)
  await goOffline(page)
  const NO_CONNECTION = 'No connection. The screen opens as soon as there is one.'
  await menu(page).getByRole('link', { name: 'Returns' }).click()
  await expect(toast(page)).toContainText(NO_CONNECTION)
  await expect(page.getByRole('heading', { level: 1, name: 'Make' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Returns' })).toBeVisible()
  await atRest(page)
  // `expect` would wait until a message has gone.
  expectValue(await page.getByText(NO_CONNECTION).count()).toBe(0)
  // The pointer loads the code ahead, which fails in silence: nobody waits for the screen yet. The page hears of a
  // failed request later than the test, so the page itself says when it knows.
  await goOffline(page)
  await page.evaluate(`{
    const ask = globalThis.fetch
    globalThis.known = 'not asked'
    globalThis.fetch = (...call) => {
      const answer = ask(...call)
      if (call[0] === '/healthz') {
        globalThis.known = 'asked'
        answer.catch(() => requestIdleCallback(() => requestIdleCallback(() => (globalThis.known = 'not reached'))))
      }
      return answer
    }
    null
  }`)
  await menu(page).getByRole('link', { name: 'Supplier claims' }).hover()
  await expect.poll(() => page.evaluate('known')).toBe('not reached')
  expectValue(await page.getByText(NO_CONNECTION).count()).toBe(0)
})

testInTurn('quick search and a dialog open as soon as there is a connection, with what was typed', async () => {
  const { page, problems } = await shop.admin()
  // On a Mac the keys are shown as they are called there.
  await page.addInitScript("Object.defineProperty(navigator, 'platform', { value: 'MacIntel' })")
  const files = ['**/assets/{quick-search,overview-dialog}-*.js', '**/healthz']
  const disconnect = async () => {
    for (const file of files) await page.route(file, (route) => route.abort('internetdisconnected'))
  }
  const expectWaiting = async () => {
    await expect(toast(page)).toContainText('No connection. The screen opens as soon as there is one.')
    await expect(page.getByRole('heading', { level: 1, name: 'Make' })).toBeVisible()
  }
  const connect = async () => {
    for (const file of files) await page.unroute(file)
    await page.evaluate("dispatchEvent(new Event('online'))")
  }
  await disconnect()
  await page.goto('/admin/make')
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Quick search' })).toHaveText('Quick search⌘K')
  await page.keyboard.press('Meta+k')
  await page.keyboard.type('lenovo')
  await expectWaiting()
  await connect()
  const search = page.getByRole('dialog', { name: 'Quick search' })
  await expect(search.getByRole('combobox')).toHaveValue('lenovo')
  await atRest(page)
  expectValue(await toast(page).getByText('No connection').count()).toBe(0)

  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
  await disconnect()
  // Keys that follow each other at once would be a scanner's.
  await page.keyboard.press('Shift', { delay: 100 })
  await page.keyboard.press('?')
  await expectWaiting()
  await connect()
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts.locator('dt').filter({ hasText: '⌘' }).first()).toHaveText(/^⌘/)
  expectValue(await shortcuts.locator('kbd').getByText('Ctrl', { exact: true }).count()).toBe(0)

  // A server of a newer version has other code, and the screen stays.
  await page.route('**/assets/column-list-*.js', (route) => route.fulfill({ status: 404 }))
  await page.goto('/admin/stock')
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await expect(toast(page)).toContainText('Backstock has been updated. Reload the page to go on.')
  await expect(page.getByRole('heading', { level: 1, name: 'Stock' })).toBeVisible()
  // The browser's console has them too.
  expectValue(problems.filter((one) => !one.includes('status of 404'))).toEqual([])
  problems.length = 0
})

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let n = 0; n < 30; n++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element.matches(':focus'))) return
  }
  throw new Error('The keyboard does not reach it.')
}
