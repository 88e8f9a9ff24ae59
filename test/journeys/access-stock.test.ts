import { test } from 'vitest'
import { IN_TURN } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { openShop } from './sample-shop.ts'
import { pressEscape, problemsOf, type Screen } from './screen-look.ts'
import { STOCK_SCREENS } from './screens/stock.ts'
import { newImei } from './shop-records.ts'
import { titledFile } from './supplier-file.ts'

const shop = openShop()

test.each(Object.entries(STOCK_SCREENS))('%s', IN_TURN, async (_, screens) => {
  expect(await problemsOf(screens, shop.admin)).toEqual([])
})

test('a preview of an import', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/stock/import')
  const file = { name: 'lieferung.csv', mimeType: 'text/csv', buffer: titledFile([newImei(), newImei()]) }
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
  await page.waitForURL('**/admin/stock/import/preview/*')
  const preview: Screen = {
    path: new URL(page.url()).pathname,
    onPhone: true,
    layers: {
      'what a column may hold': {
        async open(page) {
          await page.getByRole('combobox', { name: 'What Palette holds' }).click()
          await expect(page.getByRole('option', { name: 'Purchase price' })).toBeVisible()
        },
        close: pressEscape,
      },
      'a mended cell': {
        async open(page) {
          await page.getByRole('textbox', { name: 'Lieferant, row 5' }).fill('Kringloop')
          await expect(page.getByRole('button', { name: 'Check 1 cell' })).toBeVisible()
        },
      },
      'other rows': {
        async open(page) {
          await page.getByRole('tab', { name: /^New/ }).click()
          await expect(page.getByText('No row makes a new item.')).toBeVisible()
        },
      },
    },
  }
  expect(await problemsOf([preview], shop.admin)).toEqual([])
})
