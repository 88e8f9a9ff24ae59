import type { Page } from '@playwright/test'
import { describe, expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { full } from '../promises/figures.ts'
import { atRest, expect } from './browser-page.ts'
import { answer, openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { first } from './shop-records.ts'

const shop = openShop()

type Lookup = {
  area: string
  title: string
  /** The label of the field for the name; `fill` fills in the other required fields. */
  name: string
  fill?: (page: Page) => Promise<void>
  /** The body with which the API creates the record. If it is left out, the body has only the name. */
  input?: (name: string) => object
  /**
   * The message for a second record of the same name, and its field. Undefined if two records may have the same name.
   */
  duplicate?: { field: string; message: string }
  /** An area with the same form and list. The daily run tests that one only. */
  like?: string
  /** A record of the sample data that is in use; undefined if nothing can use such a record. */
  used?: { search: string; message: RegExp }
}

const named = (name: string): object => ({ name })
const already = (what: string) => ({ field: 'Name', message: `There is already a ${what} with this name.` })

/** If you add a list, add an entry. If its records have only a name, say `like: 'make'`. Others than 'make' take turns. */
const LOOKUPS: Lookup[] = [
  {
    area: 'make',
    title: 'Make',
    name: 'Name',
    duplicate: already('make'),
    used: { search: 'Apple', message: /^Make #\d+ is used by \d+ products and cannot be deleted\.$/ },
  },
  {
    area: 'colour',
    like: 'make',
    title: 'Colour',
    name: 'Name',
    duplicate: already('colour'),
    used: { search: 'Black', message: /^Colour #\d+ is used by \d+ products and cannot be deleted\.$/ },
  },
  {
    area: 'category',
    like: 'make',
    title: 'Category',
    name: 'Name',
    duplicate: already('category'),
    used: { search: 'Tablets', message: /^Category #\d+ is used by \d+ products and cannot be deleted\.$/ },
  },
  {
    area: 'grade',
    like: 'make',
    title: 'Grade',
    name: 'Name',
    duplicate: already('grade'),
    used: { search: 'Clear', message: /^Grade #\d+ is used by \d+ stock items and cannot be deleted\.$/ },
  },
  {
    area: 'vat',
    title: 'VAT',
    name: 'Name',
    fill: (page) => page.getByRole('textbox', { name: 'Rate' }).fill('12.5'),
    input: (name) => ({ name, rate: 12.5 }),
    duplicate: already('VAT type'),
    used: { search: 'Standard', message: /^VAT type #\d+ is used by .+ and cannot be deleted\.$/ },
  },
  {
    area: 'supplier',
    title: 'Supplier',
    name: 'Company name',
    input: (company_name) => ({ company_name }),
    used: {
      search: 'Kringloop',
      message: /^Supplier #\d+ is used by \d+ stock items and \d+ delivery checks? and cannot be deleted\.$/,
    },
  },
  {
    area: 'product',
    title: 'Product',
    name: 'Model',
    async fill(page) {
      const make = page.getByRole('combobox', { name: 'Make' })
      const missing = page.getByRole('option', { name: /^Create / })
      // A part of the name is another make. The whole name, however it is written, is the one that is there.
      await make.fill('Sams')
      await expect(missing).toHaveText('Create "Sams"')
      const asked = page.waitForRequest(/make\/find\?.*search=samsung/)
      await make.fill('samsung')
      await asked
      await atRest(page)
      expect(await missing.count()).toBe(0)
      await page.getByRole('option', { name: 'Samsung' }).click()
      await page.getByRole('combobox', { name: 'Category' }).click()
      await page.getByRole('option', { name: 'Tablets' }).click()
    },
    input: (model) => ({ model, make_id: 2, category_id: 2 }),
    duplicate: { field: 'Model', message: 'There is already a product with this make, model, capacity and colour.' },
    used: { search: 'iPhone 13', message: /^Product #\d+ is used by \d+ stock items and cannot be deleted\.$/ },
  },
]

describe.each(LOOKUPS.filter(({ like }) => full || !like))(
  '$title',
  ({ area, title, name, fill, input = named, duplicate, used }) => {
    const field = (page: Page) => page.getByRole('textbox', { name })
    const check = area === 'make' ? test : testInTurn
    const list = (page: Page, search: string) => page.goto(`/admin/${area}?search=${encodeURIComponent(search)}`)

    check(`${area}: is created, refused twice, changed and deleted`, async () => {
      const { page } = await shop.admin()
      const called = unique('Journey')
      await page.goto(`/admin/${area}`)
      await page.getByRole('link', { name: 'Add new' }).click()
      await page.waitForURL(`**/admin/${area}/create`)
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(field(page)).toHaveAccessibleDescription('This field is required.')
      await expect(page.locator('[aria-invalid=true]').first()).toBeFocused()
      await fill?.(page)
      await field(page).fill(called)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/admin/${area}`)
      await expect(toast(page)).toContainText('Success')

      if (duplicate) {
        await page.goto(`/admin/${area}/create`)
        await fill?.(page)
        await field(page).fill(called.toUpperCase())
        await page.keyboard.press('Control+Enter')
        const wrong = page.getByRole('textbox', { name: duplicate.field })
        await expect(wrong).toHaveAccessibleDescription(duplicate.message)
        await expect(wrong).toBeFocused()
        await expect(field(page)).toHaveValue(called.toUpperCase())
        await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: title }).click()
        await answer(page, 'You have unsaved changes. Leave without saving?', 'Leave')
        await page.waitForURL(`**/admin/${area}`)
      }

      await list(page, called)
      const row = rowsOf(page, title).filter({ hasText: called })
      await row.getByRole('link').first().click()
      await page.waitForURL(`**/admin/${area}/edit/*`)
      await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
      await field(page).fill(`${called} changed`)
      await expect(page.getByText('Unsaved changes')).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page.getByText('Everything is saved')).toBeVisible()

      await list(page, `${called} changed`)
      await row.getByRole('button', { name: /^Delete #/ }).click()
      await answer(page, 'Are you sure you want to delete this entry?', 'cancel')
      await expect(row).toHaveCount(1)
      await row.getByRole('button', { name: /^Delete #/ }).click()
      await answer(page, 'Are you sure you want to delete this entry?', 'Delete')
      await expect(page.getByRole('cell', { name: 'No results found.' })).toBeVisible()
    })

    check(`${area}: a conflict of two windows is told, and no typed text is lost`, async () => {
      const { page: mine, context, call } = await shop.admin()
      const called = unique('Shared')
      const { data } = await call<{ data: { id: number } }>('POST', `${area}/create`, input(called))
      await mine.goto(`/admin/${area}/edit/${data.id}`)
      await expect(field(mine)).toHaveValue(called)
      const other = await context.newPage()
      await other.goto(mine.url())
      await field(other).fill(`${called} there`)
      await other.keyboard.press('Enter')
      await expect(other.getByText('Everything is saved')).toBeVisible()

      await field(mine).fill(`${called} here`)
      await mine.keyboard.press('Enter')
      const changed = mine.getByRole('alert').filter({ hasText: 'This record has changed' })
      await expect(changed).toContainText(/Changed by .+ ago/)
      // The second window shows the message at once, and not only after another toast.
      expect(await mine.getByText(/Changed by .+ ago/).count()).toBe(1)
      await expect(field(mine)).toHaveValue(`${called} here`)
      await mine.getByRole('button', { name: 'Reload and keep what I typed' }).click()
      await expect(changed).toBeHidden()
      await expect(mine.getByRole('button', { name: 'Save' })).toBeFocused()
      await expect(field(mine)).toHaveValue(`${called} here`)
      await field(mine).press('Enter')
      await expect(mine.getByText('Everything is saved')).toBeVisible()
      await other.reload()
      await expect(field(other)).toHaveValue(`${called} here`)
    })

    if (!used) return
    check(`${area}: a record in use cannot be deleted`, async () => {
      const { page } = await shop.admin()
      await list(page, used.search)
      const row = rowsOf(page, title)
        .filter({ hasText: used.search.split(' ')[0]! })
        .first()
      await row.getByRole('button', { name: /^Delete #/ }).click()
      await answer(page, 'Are you sure you want to delete this entry?', 'Delete')
      await expect(toast(page).getByText(used.message)).toBeVisible()
      await expect(row).toBeVisible()
    })
  },
)

testInTurn('a supplier keeps what was typed in each of its fields', async () => {
  const { page, call } = await shop.admin()
  const company_name = unique('Typed')
  const typed = {
    'Company name': company_name,
    'First name': 'Ann',
    'Last name': 'Visser',
    'Email address': 'ann@seller.test',
    'Phone number': '+31 20 555 0199',
  }
  await page.goto('/admin/supplier/create')
  for (const [label, text] of Object.entries(typed)) await page.getByRole('textbox', { name: label }).fill(text)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/supplier')
  expectValue(await first(call, `supplier/find?search=${encodeURIComponent(company_name)}`)).toMatchObject({
    ...{ company_name, first_name: 'Ann', last_name: 'Visser' },
    ...{ email_address: 'ann@seller.test', phone_number: '+31 20 555 0199' },
  })
})
