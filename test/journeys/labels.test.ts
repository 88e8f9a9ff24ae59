import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { scannedLabels, textOnLabels } from '../../packages/server/src/testing/printed-labels.ts'
import { expect } from './browser-page.ts'
import { openShop, toast, unique } from './sample-shop.ts'
import { PHONE } from './screen-look.ts'
import { create, newItems } from './shop-records.ts'

const shop = openShop()

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Print labels' })
const choose = async (page: Page, select: string, option: string | RegExp) => {
  await page.getByRole('combobox', { name: select }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Presses a print button, and reads the file that is downloaded. */
async function printed(page: Page, button: Locator): Promise<{ name: string; pdf: Buffer }> {
  const coming = page.waitForEvent('download')
  await button.click()
  const download = await coming
  await expect(dialog(page)).toBeHidden()
  return { name: download.suggestedFilename(), pdf: readFileSync(await download.path()) }
}

testInTurn('labels of the basket are printed as chosen, and the browser remembers the choices', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 3)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/make')
  const open = async () => {
    await page.getByRole('button', { name: /^Basket, / }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Print labels' }).click()
  }
  await open()
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: /^Basket, / })).toBeFocused()
  await open()
  await expect(dialog(page).getByRole('img', { name: /^The first label: .*\d{15}/ })).toBeVisible()
  await choose(page, 'Paper', /^A4, 5 × 13/)
  // A label of this width has room for one kind of code only.
  await expect(page.getByRole('radio', { name: 'DataMatrix' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Code 128' })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Product' }).click()
  await page.getByRole('checkbox', { name: 'Grade' }).click()
  await page.getByRole('checkbox', { name: 'Backstock ID' }).click()
  await page.getByRole('radio', { name: 'Label 64', exact: true }).check({ force: true })
  await expect(dialog(page).getByText('From label 64 of 65. 2 sheets.')).toBeVisible()

  const { name, pdf } = await printed(page, page.getByRole('button', { name: 'Print 3 labels' }))
  expect(name).toBe('labels-3.pdf')
  await expect(toast(page)).toContainText('Print it at 100%')
  const imeis = items.map((item) => item.imei!)
  const codes = await scannedLabels(pdf, 'datamatrix')
  expect(codes.map(({ page: sheet, text }) => [sheet, text])).toEqual([
    ...[
      [0, imeis[0]],
      [0, imeis[1]],
      [1, imeis[2]],
    ],
  ])
  expect((await textOnLabels(pdf)).map(({ text }) => text)).toEqual(imeis)

  await page.reload()
  await open()
  await expect(page.getByRole('combobox', { name: 'Paper' })).toHaveValue(/^A4, 5 × 13/)
  await expect(page.getByRole('checkbox', { name: 'Product' })).not.toBeChecked()
  // The dialog proposes the first free label of the last sheet.
  await expect(page.getByRole('radio', { name: 'Label 2', exact: true })).toBeChecked()
  // Another paper begins with its first label, and has a usual printer of its own.
  await choose(page, 'Printer', '203 dpi, label printers')
  await choose(page, 'Paper', /^A4, 3 × 8/)
  await expect(dialog(page).getByText('From label 1 of 24.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Printer' })).toHaveValue('600 dpi, office printers')
})

testInTurn('a batch prints what is checked, an item itself, in a size of their own', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  const batch = await create(call, 'batch', { name: unique('Labelled'), items: items.map((item) => item.id) })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  await page.getByRole('checkbox', { name: `Select #${items[1]!.id}` }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Print labels' }).click()
  await choose(page, 'Paper', 'Roll, own size')
  const button = page.getByRole('button', { name: 'Print 1 label' })
  await page.getByRole('textbox', { name: 'Width in mm' }).fill('400')
  await expect(dialog(page)).toContainText('20 to 210 mm.')
  await expect(button).toBeDisabled()
  await page.getByRole('textbox', { name: 'Width in mm' }).fill('60,5')
  await page.getByRole('textbox', { name: 'Height in mm' }).fill('11')
  await expect(dialog(page)).toContainText('12 to 297 mm.')
  await page.getByRole('textbox', { name: 'Height in mm' }).fill('40')
  await choose(page, 'Printer', '300 dpi, label printers')
  const picture = dialog(page).getByRole('img', { name: /^The first label: / })
  const drawn = await picture.evaluate((label) =>
    [...label.querySelectorAll('text')].map((text) => (text.getBBox().x * 25.4) / 72),
  )
  const sent = page.waitForRequest('**/api/stock/labels')
  const { pdf } = await printed(page, button)
  expect((await sent).postDataJSON()).toMatchObject({ width: 60.5, height: 40, dpi: 300 })
  await expect(page.getByRole('button', { name: 'More', exact: true })).toBeFocused()
  // In the dialog's picture the lines begin at the same place as on paper.
  const onPaper = await textOnLabels(pdf)
  expect(drawn.length).toBe(onPaper.length)
  for (const [n, { left }] of onPaper.entries()) expect(drawn[n]).toBeCloseTo(left, 1)
  expect((await scannedLabels(pdf, 'code128')).map(({ text }) => text)).toEqual([items[1]!.imei])

  const backstock_id = `BS-${items[2]!.id}`
  await call('POST', `stock/${items[2]!.id}/edit`, { backstock_id })
  await page.goto(`/admin/stock/edit/${items[2]!.id}`)
  await page.getByRole('button', { name: 'Print label', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Width in mm' })).toHaveValue('60,5')
  await page.getByText('QR code', { exact: true }).click()
  await page.getByRole('radiogroup', { name: 'The code holds' }).getByText('Backstock ID').click()
  const { pdf: other } = await printed(page, button)
  expect((await scannedLabels(other, 'qr')).map(({ text }) => text)).toEqual([backstock_id])
})

testInTurn('an import is labelled on a phone, and a refusal appears in sight', async () => {
  const { page } = await shop.admin(PHONE)
  await page.goto('/admin/stock/import/history')
  await page
    .getByRole('button', { name: /Success:\s*[1-9]/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Print labels' }).first().click()
  const button = dialog(page).getByRole('button', { name: /^Print \d+ labels$/ })
  const count = Number(/\d+/.exec((await button.textContent())!)![0])
  await page.route('**/api/stock/labels', (route) => route.fulfill({ status: 409, json: { message: 'Not now.' } }))
  await button.click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Not now.')
  await page.getByRole('checkbox', { name: 'Name of the shop' }).check()
  await expect(dialog(page).getByRole('img', { name: /^The first label: Name of your shop, / })).toBeVisible()
  await page.unroute('**/api/stock/labels')
  const { name, pdf } = await printed(page, button)
  expect(name).toBe(`labels-${count}.pdf`)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
})
