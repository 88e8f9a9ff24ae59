import type { Accounting } from '@backstock/contract/accounting.ts'
import type { Document } from '@backstock/contract/document.ts'
import { formatMoney } from '@backstock/contract/money.ts'
import { expect as expectValue, test } from 'vitest'
import { expect } from './browser-page.ts'
import { openShop, rowsOf } from './sample-shop.ts'

const shop = openShop()

test('an administrator takes a month’s files, and sets DATEV up for them', async () => {
  const { page, call } = await shop.colleague()
  const { data: documents } = await call<{ data: Document[] }>(
    'GET',
    'document/find?sort=issued_on&direction=desc&per_page=100',
  )
  // Not the newest, so that others have documents before and after it.
  const [, month = ''] = [...new Set(documents.map(({ issued_on }) => issued_on.slice(0, 7)))]
  await page.goto('/admin/accounting')
  const kinds = page.getByRole('radiogroup', { name: 'Kind of period' })
  await expect(kinds.getByRole('radio', { name: 'Month' })).toBeChecked()
  await kinds.getByText('Year').click()
  await expect(page).toHaveURL(/from=\d{4}-01-01&to=\d{4}-12-31/)
  await kinds.getByText('Month').click()
  await page.getByRole('combobox', { name: 'Period' }).selectOption(`${month}-01`)
  await expect(page).toHaveURL(new RegExp(`from=${month}-01&to=${month}-(28|29|30|31)$`))
  const period = new URL(page.url()).search.slice(1)
  const { data: books } = await call<{ data: Accounting }>('GET', `accounting?${period}`)
  expectValue(books.invoices).toBeGreaterThan(0)
  const net = books.vat.reduce((sum, row) => sum + row.net, 0)
  await expect(rowsOf(page, 'VAT by treatment and rate').last()).toContainText(formatMoney(net))
  await expect(rowsOf(page, 'Documents').first()).toBeVisible()

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
    .getByRole('textbox', { name: /^(Bought|Standard|Margin|Intra|Exempt|Export|Reverse|Zero|No VAT)/ })
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
