import type { Accounting } from '@backstock/contract/accounting.ts'
import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import type { Document } from '@backstock/contract/document.ts'
import { formatMoney } from '@backstock/contract/money.ts'
import type { SaleRow } from '@backstock/contract/sale.ts'
import type { Locator } from '@playwright/test'
import { expect as expectValue, test } from 'vitest'
import { camt053 } from '../../packages/server/src/testing/bank-file.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { barriersInBothThemes, settled, sideways } from './screen-check.ts'
import { PHONE } from './screen-look.ts'
import { first, newItems, newSale } from './shop-records.ts'

const shop = openShop()

const lastDayBefore = (month: string) => {
  const day = new Date(`${month}-01T00:00:00Z`)
  day.setUTCDate(0)
  return day.toISOString().slice(0, 10)
}

testInTurn('an administrator takes a month’s files, and sets DATEV up for them', async () => {
  const { page, call } = await shop.colleague()
  const { data: documents } = await call<{ data: Document[] }>(
    'GET',
    'document/find?sort=issued_on&direction=desc&per_page=100',
  )
  // The second newest month, so that there are documents before and after it.
  const [, month = ''] = [...new Set(documents.map(({ issued_on }) => issued_on.slice(0, 7)))]
  // Figures and documents that could not be read are read again by hand.
  const REFUSAL = { status: 409, json: { success: false, message: 'Not now' } }
  for (const address of ['**/api/accounting', '**/api/accounting/documents?*'])
    await page.route(address, (route) => route.fulfill(REFUSAL))
  await page.goto('/admin/accounting?per_page=1')
  const refused = page.getByRole('alert').filter({ hasText: 'Not now' })
  await expect(refused).toBeVisible()
  expectValue(await page.getByRole('heading', { name: 'Documents' }).count()).toBe(0)
  await page.unroute('**/api/accounting')
  await refused.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
  await expect(refused).toBeVisible()
  await page.unroute('**/api/accounting/documents?*')
  await refused.getByRole('button', { name: 'Try again' }).click()
  await expect(refused).toHaveCount(0)
  const kinds = page.getByRole('radiogroup', { name: 'Kind of period' })
  await expect(kinds.getByRole('radio', { name: 'Month' })).toBeChecked()
  await kinds.getByText('Year').click()
  await expect(page).toHaveURL(/from=\d{4}-01-01&to=\d{4}-12-31/)
  // The documents of other days begin with their first page.
  const documentsShown = rowsOf(page, 'Documents')
  const newest = await documentsShown.first().getByRole('link').innerText()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(documentsShown.filter({ hasText: newest })).toHaveCount(0)
  await expect(page).toHaveURL(/[?&]page=2/)
  await kinds.getByText('Days').click()
  await expect(page).not.toHaveURL(/[?&]page=2/)
  await kinds.getByText('Month').click()
  await page.getByRole('combobox', { name: 'Period' }).selectOption(`${month}-01`)
  await expect(page).toHaveURL(new RegExp(`from=${month}-01&to=${month}-(28|29|30|31)$`))
  const [period = ''] = /from=.*/.exec(page.url()) ?? []
  await page.getByRole('button', { name: 'Previous month' }).click()
  await expect(page).toHaveURL(new RegExp(`to=${lastDayBefore(month)}$`))
  await page.getByRole('button', { name: 'Next month' }).click()
  await expect(page).toHaveURL(new RegExp(`${period}$`))
  const { data: books } = await call<{ data: Accounting }>('GET', `accounting?${period}`)
  expectValue(books.invoices).toBeGreaterThan(0)
  const net = books.vat.reduce((sum, row) => sum + row.net, 0)
  await expect(rowsOf(page, 'VAT by treatment and rate').last()).toContainText(formatMoney(net))
  await expect(rowsOf(page, 'Documents').first()).toBeVisible()

  // Other days than those of a whole month.
  await kinds.getByText('Days').click()
  await expect(page.getByRole('textbox', { name: 'First day' })).toHaveValue(
    `01/${month.slice(5)}/${month.slice(0, 4)}`,
  )
  const lastDay = page.getByRole('textbox', { name: 'Last day' })
  await lastDay.fill(`20/${month.slice(5)}/${month.slice(0, 4)}`)
  await lastDay.press('Enter')
  await expect(page).toHaveURL(new RegExp(`from=${month}-01&to=${month}-20`))
  const firstDay = page.getByRole('textbox', { name: 'First day' })
  await firstDay.fill(`05/${month.slice(5)}/${month.slice(0, 4)}`)
  await firstDay.press('Enter')
  await expect(page).toHaveURL(new RegExp(`from=${month}-05&to=${month}-20`))
  // Until two days make a period, the old one stays.
  await lastDay.fill(`04/${month.slice(5)}/${month.slice(0, 4)}`)
  await lastDay.press('Enter')
  await expect(lastDay).toHaveAccessibleDescription('Before the first day.')
  await expect(page).toHaveURL(new RegExp(`from=${month}-05&to=${month}-20`))
  await kinds.getByText('Month').click()
  await expect(page).toHaveURL(new RegExp(`${period}$`))

  const file = async (name: string) => {
    const link = page.getByRole('link', { name, exact: true })
    return page.request.get((await link.getAttribute('href'))!)
  }
  const [head, ...lines] = (await (await file('CSV')).text()).trim().split('\r\n')
  const rows = lines.map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
  const column = (name: string) => rows.map((cells) => cells[head!.split(',').indexOf(name)]!)
  expectValue(new Set(column('number')).size).toBe(books.invoices + books.credit_notes)
  expectValue(column('date').filter((day) => !day.startsWith(month))).toEqual([])
  expectValue(column('net').reduce((sum, units) => sum + Math.round(Number(units) * 100), 0)).toBe(net)
  expectValue((await (await file('Excel')).body()).subarray(0, 2).toString()).toBe('PK')

  const { length: claims } = books.supplier_credits
  if (claims > 0) {
    const credits = (await (await file('Supplier credits as CSV')).text()).trim().split('\r\n').slice(1)
    expectValue(credits.length).toBe(books.supplier_credits.reduce((sum, { items }) => sum + items, 0))
  }
  await expect(rowsOf(page, 'Supplier credits')).toHaveCount(claims > 1 ? claims + 1 : claims)

  await page.getByRole('main').getByRole('link', { name: 'DATEV' }).click()
  await expect(page.getByText('needs the consultant number')).toBeVisible()
  const type = (label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text)
  await type('Consultant number', '29098')
  await type('Client number', '55003')
  await type('Customers’ account', '1000000')
  await type('Suppliers’ account', '70000')
  for (const account of await page
    .getByRole('textbox', { name: /^(Bought|VAT|Margin|Intra|Exempt|Export|Reverse|Zero|No VAT)/ })
    .all())
    await account.fill('8400')
  await page.getByRole('button', { name: 'Save' }).click()
  const debtor = page.getByRole('textbox', { name: 'Customers’ account' })
  await expect(debtor).toHaveAccessibleDescription(/At most 5 digits/)
  await debtor.fill('10000')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('is complete')).toBeVisible()
  expectValue((await (await file('download it')).text()).startsWith('"EXTF";700;21;"Buchungsstapel"')).toBe(true)
})

test('a bank’s file is laid beside the sales that it pays, and a person books it', async () => {
  const { page, call } = await shop.admin()
  const { data: open } = await call<{ data: SaleRow[] }>('GET', 'sale/find?payment=Open,Overdue&per_page=50')
  const [sure, part, byHand] = open.filter(({ invoice_number }) => invoice_number !== null) as [
    SaleRow,
    SaleRow,
    SaleRow,
  ]
  const day = '2026-01-15'
  await page.goto('/admin/bank-entry')
  await expect(page.getByText('Nothing is booked until you confirm it')).toBeVisible()
  const take = async (content: string) =>
    page
      .getByLabel('Bank file')
      .first()
      .setInputFiles({
        ...{ name: 'january.xml', mimeType: 'text/xml', buffer: Buffer.from(content) },
      })
  await take('<!DOCTYPE a><a/>')
  await expect(page.getByRole('dialog')).toContainText('declares a document type')
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  // The other one is dropped, anywhere on the screen.
  const drop = async (content: string, name = 'january.xml') => {
    const dataTransfer = await page.evaluateHandle(
      ([text, fileName]) => {
        const data = new DataTransfer()
        data.items.add(new File([text], fileName))
        return data
      },
      [content, name] as const,
    )
    await page.getByRole('heading', { level: 1 }).dispatchEvent('dragenter', { dataTransfer })
    const zone = page.getByText('Drop the bank file here')
    await expect(zone).toBeVisible()
    for (const event of ['dragover', 'drop']) await zone.dispatchEvent(event, { dataTransfer })
  }
  await drop('a', 'january.pdf')
  await expect(page.getByRole('dialog')).toContainText(
    'Only bank statements are allowed: CAMT.053 (.xml), MT940 (.sta), or a ZIP file of these',
  )
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await drop(
    camt053([
      {
        amount: sure.open_amount,
        day,
        text: `Invoice ${sure.invoice_number} with thanks`,
        name: 'Kringlop Telecom BV',
      },
      { amount: part.open_amount - 100, day, text: `Invoice ${part.invoice_number}`, name: 'Müller Mobilgeräte GmbH' },
      {
        amount: byHand.open_amount,
        day,
        text: 'Our order of last week, many phones in one box',
        iban: 'DE89370400440532013000',
      },
      { amount: -1990, day, text: 'Fees of the month', name: 'The bank' },
    ]),
  )
  const rows = rowsOf(page, 'Bank statements')
  await expect(rows).toHaveCount(4)
  const rowOf = (text: string) => rows.filter({ hasText: text })
  await expect(rowOf('Kringlop').getByRole('checkbox')).toBeChecked()
  await expect(rowOf('Müller').getByRole('checkbox')).not.toBeChecked()
  await expect(rowOf('Müller')).toContainText('1.00 EUR less than is open: a part payment')
  await expect(rowOf('The bank').getByRole('checkbox')).toBeDisabled()
  await settled(page)
  expectValue(await barriersInBothThemes(page)).toEqual([])

  await rowOf('Müller').getByRole('checkbox').click()
  // A button whose request the server refuses can be pressed again.
  const pressTwice = async (button: Locator, path: string) => {
    const refusal = { status: 409, json: { message: `Not now: ${path}.` } }
    await page.route(`**/api/bank-entry/${path}`, (route) => route.fulfill(refusal), { times: 1 })
    await button.click()
    await expect(toast(page)).toContainText(refusal.json.message)
    await button.click()
  }
  /** A colleague changes an entry meanwhile, so that a write of it as it was is refused. */
  const touch = async (search: string) => {
    const { id, updated_at } = await first<BankEntry>(call, `bank-entry/find?search=${search}`)
    const path = `bank-entry/${id}/set-aside`
    const { data } = await call<{ data: BankEntry }>('POST', path, { is_aside: true, updated_at })
    await call('POST', path, { is_aside: false, updated_at: data.updated_at })
  }
  await touch('Kringlop')
  await page.getByRole('button', { name: 'Book 2 payments' }).click()
  await expect(toast(page)).toContainText('has changed meanwhile')
  // After the refusal the list has the entries as they are now.
  await page.getByRole('button', { name: 'Book 2 payments' }).click()
  await expect(rows).toHaveCount(2)
  const chooseFees = rowOf('The bank').getByRole('button', { name: /^Choose/ })
  const aside = page.getByRole('button', { name: 'Set aside' })
  await chooseFees.click()
  // After the refusal, the dialog opens with the entry as it is now.
  await touch('Fees')
  await aside.click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Changed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await chooseFees.click()
  await aside.click()
  await expect(rows).toHaveCount(1)
  await rowOf('many phones')
    .getByRole('button', { name: /^Choose/ })
    .click()
  const dialog = page.getByRole('dialog', { name: /^Received/ })
  await expect(dialog).toContainText('DE89370400440532013000')
  expectValue(await barriersInBothThemes(page)).toEqual([])
  const chooseSale = async ({ invoice_number }: SaleRow) => {
    await dialog.getByRole('combobox', { name: 'Sale' }).fill(invoice_number!)
    await page.getByRole('option', { name: invoice_number! }).click()
  }
  const amount = dialog.getByRole('textbox', { name: 'Amount' })
  await chooseSale(sure)
  await expect(amount).toHaveAccessibleDescription(`${formatMoney(byHand.open_amount)} EUR more than is open.`)
  await chooseSale(byHand)
  await expect(amount).not.toHaveAccessibleDescription(/more than is open/)
  // The amount is what is open on the sale, if that is less, until a person types one.
  await chooseSale(part)
  await expect(amount).toHaveValue('1.00')
  await expect(dialog).toContainText(`${formatMoney(byHand.open_amount - 100)} EUR remains to be booked.`)
  await chooseSale(byHand)
  await expect(dialog).toContainText('The whole amount is assigned.')
  await amount.fill('10')
  await chooseSale(part)
  await expect(amount).toHaveAccessibleDescription('9.00 EUR more than is open.')
  await chooseSale(byHand)
  await amount.fill('1O')
  await amount.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Choose a sale and an amount on each line.')
  // A part is booked first. The dialog of the rest still says what came in.
  await amount.fill('10')
  await amount.press('Enter')
  await expect(rowOf('many phones')).toContainText('10.00 EUR · booked')
  await rowOf('many phones')
    .getByRole('button', { name: /^Choose/ })
    .click()
  await expect(dialog).toHaveAccessibleName(new RegExp(`^Received: ${formatMoney(byHand.open_amount)} EUR on`))
  await expect(dialog).toContainText('Booked already10.00 EUR')
  // The list may have the sale as it was before, until the server has answered this search again.
  await dialog.getByRole('combobox', { name: 'Sale' }).fill(byHand.invoice_number!)
  await page
    .getByRole('option', { name: byHand.invoice_number! })
    .filter({ hasText: `open ${formatMoney(byHand.open_amount - 1000)} EUR` })
    .click()
  // A second sale gets the rest of the entry, a third one nothing, and without that one the others stay as they are.
  await amount.fill(((byHand.open_amount - 1_100) / 100).toFixed(2))
  const another = dialog.getByRole('button', { name: 'Another sale' })
  await another.click()
  const second = dialog.getByRole('textbox', { name: 'Amount 2' })
  await expect(second).toHaveValue('1.00')
  await another.click()
  await expect(dialog.getByRole('textbox', { name: 'Amount 3' })).toHaveValue('')
  await dialog.getByRole('combobox', { name: 'Sale 3' }).fill(part.invoice_number!)
  await page.getByRole('option', { name: part.invoice_number! }).click()
  await expect(dialog.getByRole('textbox', { name: 'Amount 3' })).toHaveValue('')
  await dialog.getByRole('button', { name: 'Remove sale 2' }).click()
  await expect(second).toHaveValue('')
  await second.fill('2')
  await expect(dialog).toContainText('1.00 EUR too much.')
  await expect(dialog.getByRole('button', { name: 'Book' })).toBeDisabled()
  await second.fill('1')
  await expect(dialog).toContainText('The whole amount is assigned.')
  await dialog.getByRole('button', { name: 'Book' }).click()
  await expect(page.getByText('entries are hidden by the filter State')).toBeVisible()

  await page.goto(`/admin/sale/edit/${sure.id}?tab=summary`)
  const payments = page.getByRole('list', { name: 'Payments' })
  await expect(payments).toContainText(/Bank entry #\d+, Kringlop Telecom BV/)
  await payments.getByRole('link', { name: 'Bank statement' }).click()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Booked')

  await page.goto('/admin/bank-entry?state=aside')
  await pressTwice(rowOf('The bank').getByRole('button', { name: /^Put back/ }), '*/set-aside')
  await expect(rows).toHaveText(/^No results found/)

  // Money that went out is a refund.
  await page.goto('/admin/bank-entry?search=Fees')
  await chooseFees.click()
  const paid = page.getByRole('dialog', { name: /^Paid out/ })
  await paid.getByRole('combobox', { name: 'Sale' }).fill(sure.invoice_number!)
  await page.getByRole('option', { name: sure.invoice_number! }).click()
  await paid.getByRole('textbox', { name: 'Amount' }).fill('19.90')
  await paid.getByRole('button', { name: 'Book' }).click()
  await expect(paid).toBeHidden()
  const openOf = async ({ id }: SaleRow) => (await first<SaleRow>(call, `sale/find?id=${id}`)).open_amount
  expectValue(await Promise.all([sure, part, byHand].map(openOf))).toEqual([1_990, 0, 100])

  const phone = await shop.admin(PHONE)
  await phone.page.goto('/admin/bank-entry?state=')
  await expect(rowsOf(phone.page, 'Bank statements')).toHaveCount(4)
  await settled(phone.page)
  expectValue([...(await barriersInBothThemes(phone.page)), ...(await sideways(phone.page))]).toEqual([])
  // The text of a transfer has a second line before it is cut.
  const said = phone.page.getByText('many phones in one box')
  expectValue(await said.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('an entry that a person has unticked stays so when another page of entries is booked', async () => {
  const { page, call } = await shop.admin()
  const name = unique('Payer')
  const sales: SaleRow[] = []
  for (const item of await newItems(call, 2)) {
    const { id } = await newSale(call, [item])
    sales.push(await first<SaleRow>(call, `sale/find?id=${id}`))
  }
  const entries = sales.map(({ open_amount, invoice_number }, n) => ({
    amount: open_amount,
    day: `2026-01-1${n}`,
    text: `Invoice ${invoice_number}`,
    name,
  }))
  // The newest entry comes first: that of the second sale.
  await page.goto(`/admin/bank-entry?per_page=1&search=${encodeURIComponent(name)}`)
  await page
    .getByLabel('Bank file')
    .first()
    .setInputFiles({ name: 'pages.xml', mimeType: 'text/xml', buffer: Buffer.from(camt053(entries)) })
  const rows = rowsOf(page, 'Bank statements')
  const tick = rows.getByRole('checkbox')
  await expect(rows).toContainText(sales[1]!.invoice_number!)
  await expect(tick).toBeChecked()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows).toContainText(sales[0]!.invoice_number!)
  await tick.click()
  await expect(tick).not.toBeChecked()
  // A look at its sale, Back and a reload leave it so, too.
  await rows.getByRole('link', { name: sales[0]!.invoice_number! }).click()
  await page.waitForURL('**/admin/sale/edit/*')
  const row = rows.filter({ hasText: sales[0]!.invoice_number! })
  await page.goBack()
  await expect(row).toBeVisible()
  await expect(tick).not.toBeChecked()
  await page.reload()
  await expect(row).toBeVisible()
  await expect(tick).not.toBeChecked()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(rows).toContainText(sales[1]!.invoice_number!)
  await page.getByRole('button', { name: 'Book 1 payment' }).click()
  await expect(rows).toContainText(sales[0]!.invoice_number!)
  await expect(tick).not.toBeChecked()
  const book = page.getByRole('button', { name: /^Book / })
  await expect(book).toBeDisabled()

  // A tick counts for the proposal that the person saw: if another one takes its place, it must be ticked anew.
  const { id } = sales[0]!
  const pay = async (more: string) => {
    await call('POST', `sale/${id}/pay`, { paid_on: '2026-01-15', amount: 100 })
    await page.reload()
    await expect(row).toContainText(`${more} EUR more than is open.`)
    await expect(book).toBeDisabled()
    expectValue(await tick.isChecked()).toBe(false)
  }
  await pay('1.00')
  await tick.click()
  await expect(book).toHaveText('Book 1 payment')
  await pay('2.00')
})
