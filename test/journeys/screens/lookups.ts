import { expect } from '../browser-page.ts'
import { close, type Layer, press, type Screen } from '../screen-look.ts'

const thisYear = new Date().getFullYear()

const IN_THE_TOP_BAR: Record<string, Layer> = {
  'the basket, while it is edited': {
    async open(page) {
      await press(page, /^Basket/)
      await press(page, 'Edit')
      await expect(page.getByRole('dialog', { name: 'Basket' }).getByRole('checkbox').first()).toBeVisible()
    },
    close,
  },
  'quick search before typing': {
    async open(page) {
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('group', { name: 'Commonly Used' })).toBeVisible()
    },
  },
  'quick search with results': {
    async open(page) {
      await page.getByRole('dialog').getByRole('combobox').fill('apple')
      await expect(page.getByRole('group', { name: 'Stock' })).toBeVisible()
    },
    close,
  },
  notifications: {
    async open(page) {
      await press(page, 'Notifications')
      await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
    },
    close,
  },
  'all keyboard shortcuts': {
    async open(page) {
      await press(page, /^Profile of/)
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
      await expect(page.getByRole('switch', { name: 'Single-key shortcuts' })).toBeVisible()
    },
    close,
  },
  'the profile menu': {
    async open(page) {
      await press(page, /^Profile of/)
      await expect(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
    },
    close,
  },
}

/**
 * The screens of the small lists, with records of the sample data, and the parts that the top bar opens on each screen.
 * If you add a screen of a new kind, add a line. The list and the form of a new area are found without one.
 */
export const LOOKUP_SCREENS: Record<string, Screen[]> = {
  lookups: [
    {
      path: '/admin/make',
      onPhone: true,
      layers: {
        ...IN_THE_TOP_BAR,
        'a question before deleting': {
          async open(page) {
            await press(page, 'Delete #12')
            await expect(page.getByRole('dialog')).toContainText('Are you sure')
          },
          close,
        },
      },
    },
    {
      path: '/admin/make?order=id_asc',
      layers: {
        'a refusal': {
          async open(page) {
            await press(page, 'Delete #1')
            await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
            await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toBeVisible()
          },
          refused: 409,
        },
      },
    },
    { path: '/admin/make/create', onPhone: true },
    { path: '/admin/make/edit/1', onPhone: true },
    { path: '/admin/colour', like: '/admin/make' },
    { path: '/admin/colour/create', like: '/admin/make/create' },
    { path: '/admin/colour/edit/1', like: '/admin/make/edit/1' },
    { path: '/admin/category', like: '/admin/make' },
    { path: '/admin/category/create', like: '/admin/make/create' },
    { path: '/admin/category/edit/1', like: '/admin/make/edit/1' },
    { path: '/admin/vat', like: '/admin/make' },
    { path: '/admin/vat/create', like: '/admin/make/create' },
    { path: '/admin/vat/edit/1', like: '/admin/reverse-charge-rule/edit/1' },
    { path: '/admin/reverse-charge-rule', onPhone: true },
    { path: '/admin/reverse-charge-rule/create', like: '/admin/reverse-charge-rule/edit/1' },
    { path: '/admin/reverse-charge-rule/edit/1' },
    {
      path: '/admin/supplier-claim',
      onPhone: true,
    },
    { path: '/admin/supplier-claim/create', like: '/admin/supplier-claim/edit/2' },
    { path: '/admin/supplier-claim/edit/1', like: '/admin/supplier-claim/edit/2' },
    {
      path: '/admin/supplier-claim/edit/2',
      onPhone: true,
      layers: {
        'how it ended': {
          async open(page) {
            await press(page, 'Settle')
            await expect(page.getByRole('textbox', { name: 'Credit received' })).toBeVisible()
          },
          close,
        },
      },
    },
    {
      path: '/admin/supplier-claim/edit/3',
      onPhone: true,
      layers: {
        'pasted lines': {
          async open(page) {
            await page.getByRole('textbox', { name: 'IMEIs or serial numbers' }).fill('BS-15200\nnot here')
            await expect(page.getByRole('heading', { name: 'Not found (1)' })).toBeVisible()
          },
        },
        'reasons for what is checked': {
          async open(page) {
            await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
            await press(page, 'Set reason')
            await expect(page.getByRole('menuitem').first()).toBeVisible()
          },
          close,
        },
      },
    },
    { path: '/admin/purchase-receipt', like: '/admin/supplier-claim' },
    { path: '/admin/further-column' },
    { path: '/admin/help', onPhone: true },
    { path: '/admin/help?search=import', like: '/admin/help' },
    { path: '/admin/help/stock', onPhone: true },
    { path: '/admin/help/partner-api', onPhone: true },
    { path: `/admin/accounting?from=${thisYear - 1}-01-01&to=${thisYear}-12-31`, onPhone: true },
    { path: '/admin/datev', onPhone: true },
    { path: '/admin/bank-entry' },
  ],
}
