import { expect } from '../browser-page.ts'
import { close, openFilters, press, type Screen } from '../screen-look.ts'

/**
 * The screens of sales, customers, people and products, with records of the sample data. If you add a screen of a new
 * kind, add a line.
 */
export const SALES_SCREENS: Record<string, Screen[]> = {
  'sales and customers': [
    { path: '/admin/sale?status=', onPhone: true },
    {
      path: '/admin/sale?status=&customer_id=1&from=2020-01-01&to=2030-12-31',
      onPhone: true,
      layers: {
        'a period': {
          async open(page) {
            await openFilters(page)
            await expect(page.getByRole('textbox', { name: 'To' })).toBeVisible()
          },
        },
      },
    },
    {
      path: '/admin/sale/create',
      onPhone: true,
      layers: {
        'a new customer': {
          async open(page) {
            await page.getByRole('tab', { name: 'Summary' }).click()
            await press(page, 'Add customer')
            await expect(page.getByRole('dialog', { name: 'New Customer' })).toBeVisible()
          },
          close,
        },
        'without its customer': {
          async open(page) {
            await page.getByText('New customer', { exact: true }).click()
            await press(page, /^Create Sale/)
            await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
          },
          refused: 422,
        },
      },
    },
    { path: '/admin/sale/edit/25' },
    {
      path: '/admin/sale/edit/25?tab=summary',
      onPhone: true,
      layers: {
        'what was paid': {
          async open(page) {
            await press(page, 'Record payment')
            await expect(page.getByRole('dialog', { name: 'Record payment' })).toBeVisible()
          },
          close,
        },
      },
    },
    {
      path: '/admin/sale/edit/23?tab=summary',
      layers: {
        'its logs': {
          async open(page) {
            await press(page, 'Logs')
            await expect(page.getByText('Updated').first()).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/sale/correct/25', onPhone: true },
    { path: '/admin/document', onPhone: true },
    { path: '/admin/open-item?overdue=', like: '/admin/document' },
    {
      path: '/admin/open-item/19',
      onPhone: true,
      layers: {
        'a reminder': {
          async open(page) {
            await press(page, 'Reminder')
            await expect(page.getByRole('dialog', { name: 'Reminder' })).toBeVisible()
          },
          close,
        },
      },
    },
    { path: '/admin/return', like: '/admin/sale?status=' },
    {
      path: '/admin/return/create',
      onPhone: true,
      layers: {
        'what was found': {
          async open(page) {
            const imeis = await page.evaluate(async () => {
              const { data } = await (await fetch('/api/return/find?id=3')).json()
              const sold = await (await fetch('/api/stock/find?status=Sold&order=id_asc')).json()
              return [...data[0].items, ...sold.data].map((item: { imei: string }) => item.imei)
            })
            await page.getByLabel('IMEIs or serial numbers').fill([...imeis, '356938035643809'].join('\n'))
            await expect(page.getByRole('heading', { name: 'Not sold by you (1)' })).toBeVisible()
            await expect(page.getByRole('combobox', { name: /^Reason of #/ }).first()).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/return/edit/2', like: '/admin/return/edit/3' },
    { path: '/admin/return/edit/3', onPhone: true },
    { path: '/admin/customer', like: '/admin/sale?status=' },
    { path: '/admin/customer/create', like: '/admin/customer/edit/4' },
    {
      path: '/admin/customer/edit/4',
      onPhone: true,
      layers: {
        'a country': {
          async open(page) {
            await page.getByRole('combobox', { name: 'Country' }).first().click()
            await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
          },
        },
      },
    },
  ],
  'people and products': [
    { path: '/admin/user' },
    { path: '/admin/user/create', like: '/admin/user/edit/2' },
    { path: '/admin/user/edit/2' },
    { path: '/admin/partner', like: '/admin/user' },
    { path: '/admin/partner/create', like: '/admin/partner/edit/1' },
    { path: '/admin/partner/edit/1', onPhone: true },
    { path: '/admin/supplier', like: '/admin/user' },
    { path: '/admin/supplier/create', like: '/admin/supplier/edit/1' },
    { path: '/admin/supplier/edit/1' },
    { path: '/admin/product', like: '/admin/user' },
    { path: '/admin/product/create', like: '/admin/product/edit/1' },
    { path: '/admin/product/edit/1' },
  ],
}
