import type { Accounting } from '@backstock/contract/accounting.ts'
import { formatMoney } from '@backstock/contract/money.ts'
import { expect as expectValue, test } from 'vitest'
import { expect } from './browser-page.ts'
import { openShop, rowsOf } from './sample-shop.ts'

const shop = openShop()

test('an administrator looks at a year, sets DATEV up and takes its files', async () => {
  const { page, call } = await shop.colleague()
  await page.goto('/admin/accounting?from=2026-01-01&to=2026-01-31')
  await page.getByRole('radiogroup', { name: 'Kind of period' }).getByText('Year').click()
  await expect(page).toHaveURL(/from=2026-01-01&to=2026-12-31/)
  const period = 'from=2026-01-01&to=2026-12-31'
  const { data: books } = await call<{ data: Accounting }>('GET', `accounting?${period}`)
  expectValue(books.invoices).toBeGreaterThan(0)
  const net = books.vat.reduce((sum, row) => sum + row.net, 0)
  await expect(rowsOf(page, 'VAT by treatment and rate').last()).toContainText(formatMoney(net))
  await expect(rowsOf(page, 'Documents').first()).toBeVisible()

  const file = async (name: string) => {
    const link = page.getByRole('link', { name, exact: true })
    return page.request.get((await link.getAttribute('href'))!)
  }
  expectValue((await (await file('CSV')).text()).split('\r\n').length).toBeGreaterThan(books.invoices)
  expectValue((await (await file('Excel')).body()).subarray(0, 2).toString()).toBe('PK')

  await page.getByRole('button', { name: 'DATEV' }).click()
  await expect(page.getByText('The file of this period needs the consultant number')).toBeVisible()
  const type = (label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text)
  await type('Consultant number', '29098')
  await type('Client number', '55003')
  await type('Customers’ account', '1000000')
  for (const account of await page
    .getByRole('textbox', { name: /^(Standard|Margin|Intra|Exempt|Export|Reverse|Zero|No VAT)/ })
    .all())
    await account.fill('8400')
  await page.getByRole('button', { name: 'Save' }).click()
  const debtor = page.getByRole('textbox', { name: 'Customers’ account' })
  await expect(debtor).toHaveAccessibleDescription(/At most 5 digits/)
  await debtor.fill('10000')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('link', { name: 'DATEV' })).toBeVisible()
  expectValue((await (await file('DATEV')).text()).startsWith('"EXTF";700;21;"Buchungsstapel"')).toBe(true)
})
