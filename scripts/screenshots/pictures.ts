import type { Page } from '@playwright/test'
import { imeiOf } from '../../test/journeys/supplier-file.ts'

export type Picture = {
  /** The path of the picture below docs/, without its ending. */
  file: string
  at: string
  /** The steps on the screen before the picture is taken. */
  before?: (page: Page) => Promise<unknown>
  /** The size of the window. By default it is so narrow that the menu is hidden. */
  width?: number
  height: number
  /**
   * The part of the window in the picture. 'window' is all of it; any other text is the selector of an element. By
   * default it is the screen without its top bar.
   */
  of?: 'window' | string
  /**
   * The picture shows real days. Other pictures move their days so that they are the same each time; here a month that
   * was moved would begin in the middle of another.
   */
  hasOwnDays?: true
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const FROM_SUPPLIER = [
  'IMEI No.;Manufacturer;Model;Storage;Color;Category;Vendor;Cost',
  ...[0, 1, 2, 3, 4, 5].map((n) => `${imeiOf(n)};Apple;iPhone 13;128 GB;Midnight;Smartphones;Kringlop Telecom;199,90`),
].join('\n')

async function imeisOf(page: Page, query: string, count: number): Promise<string[]> {
  const found = await page.request.get(`/api/stock/find?${query}&per_page=50`)
  const { data } = (await found.json()) as { data: { imei: string | null }[] }
  return data.flatMap(({ imei }) => imei ?? []).slice(0, count)
}
/**
 * Fills in the field with five items that can be sold, one that cannot, an unknown IMEI, and a line that appears twice.
 */
const fillQuickOrder = async (page: Page) => {
  const sellable = await imeisOf(page, 'status=In%20Stock&order=id_desc', 5)
  const lines = [...(await imeisOf(page, 'status=Sold&order=id_desc', 1)), imeiOf(1), ...sellable, sellable[0]!]
  // Another picture may have left its draft.
  const discard = page.getByRole('button', { name: 'Discard' })
  if (await discard.isVisible()) await discard.click()
  await page.getByLabel('IMEIs or serial numbers').fill(lines.join('\n'))
  await page.getByText('6 found, 5 can be sold').waitFor()
}
/** Opens the form of a receipt for three items of the supplier that does not write its invoices. */
const proposeReceipt = async (page: Page) => {
  const suppliers = await page.request.get('/api/supplier/find?search=Reprise')
  const [{ id }] = ((await suppliers.json()) as { data: [{ id: number }] }).data
  const items = await page.request.get(`/api/stock/find?supplier_id=${id}&per_page=3`)
  const { data } = (await items.json()) as { data: { id: number }[] }
  await page.goto(`/admin/purchase-receipt/create?ids=${data.map((item) => item.id)}`)
  await page.getByText(/^Total of/).waitFor()
}
const fillReturn = async (page: Page) => {
  const sold = await imeisOf(page, 'status=Sold&order=id_asc', 3)
  await page.getByLabel('IMEIs or serial numbers').fill(sold.join('\n'))
  await page.getByRole('row').nth(1).waitFor()
}
const sellBasket = async (page: Page) => {
  await button(page, /^Basket/).click()
  await button(page, 'Sale').click()
  await page.getByText('Create Sale (4)').waitFor()
}
const previewFile = async (page: Page) => {
  await page
    .getByLabel('Choose a CSV or Excel file')
    .setInputFiles({ name: 'stock list.csv', mimeType: 'text/csv', buffer: Buffer.from(FROM_SUPPLIER) })
  await page.waitForURL('**/preview/*')
  await page
    .getByText(/^Columns/)
    .first()
    .waitFor()
}

const printLabel = async (page: Page) => {
  await button(page, 'Print label').click()
  await page.getByRole('dialog').getByRole('img').first().waitFor()
}
const scanSome = async (page: Page) => {
  const sellable = await imeisOf(page, 'status=In%20Stock&order=id_desc', 3)
  const field = page.getByRole('textbox').first()
  for (const code of [imeiOf(1), ...(await imeisOf(page, 'status=Sold&order=id_desc', 1)), ...sellable]) {
    await field.fill(code)
    await field.press('Enter')
  }
  await page.getByRole('row').nth(5).waitFor()
}

/** All pictures of the manual and of the README. Those of the README show the whole window. */
export const PICTURES: Picture[] = [
  { file: 'manual/pictures/stock', at: '/admin/stock', height: 560 },
  {
    file: 'manual/pictures/basket',
    at: '/admin/stock',
    before: (page) => button(page, /^Basket/).click(),
    height: 420,
    of: 'window',
  },
  // The part below this height changes with the day of the week.
  { file: 'manual/pictures/dashboard', at: '/admin/dashboard', height: 480 },
  { file: 'manual/pictures/item', at: '/admin/stock/edit/351', width: 1199, height: 700 },
  { file: 'manual/pictures/preview', at: '/admin/stock/import', before: previewFile, width: 1199, height: 900 },
  { file: 'manual/pictures/delivery', at: '/admin/stock/check/1', height: 640 },
  { file: 'manual/pictures/batch', at: '/admin/batch/edit/1', width: 1199, height: 640 },
  { file: 'manual/pictures/sale-create', at: '/admin/stock', before: sellBasket, width: 1199, height: 500 },
  { file: 'manual/pictures/sale', at: '/admin/sale/edit/24', width: 1199, height: 480 },
  {
    file: 'manual/pictures/payment',
    at: '/admin/sale/edit/24',
    before: (page) => button(page, 'Mark paid').click(),
    height: 640,
    of: '[role=dialog]',
  },
  { file: 'manual/pictures/quick-order', at: '/admin/quick-order', before: fillQuickOrder, height: 760 },
  {
    file: 'manual/pictures/quick-search',
    at: '/admin/stock',
    before: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Quick search' }).fill('schäfer')
      await page.getByRole('group', { name: 'Sales' }).waitFor()
    },
    height: 620,
    of: '[role=dialog]',
  },
  { file: 'manual/pictures/return', at: '/admin/return/create', before: fillReturn, width: 1199, height: 700 },
  {
    file: 'manual/pictures/purchase-receipt',
    at: '/admin/supplier?search=Reprise',
    before: proposeReceipt,
    width: 1400,
    height: 860,
  },
  { file: 'manual/pictures/claim', at: '/admin/supplier-claim/edit/3', height: 640 },
  {
    file: 'manual/pictures/labels',
    at: '/admin/stock/edit/351',
    before: printLabel,
    width: 1199,
    height: 860,
    of: '[role=dialog]',
  },
  { file: 'manual/pictures/scan', at: '/admin/scan', before: scanSome, height: 700 },
  {
    file: 'manual/pictures/finding',
    at: '/admin/stock?grade_id=2,3&price_to=30000',
    before: async (page) => {
      await button(page, 'More filters').click()
      await page.getByRole('dialog', { name: 'More filters' }).waitFor()
    },
    height: 640,
  },
  {
    file: 'manual/pictures/views',
    at: '/admin/stock?columns=id,product,grade,supplier,location,sales_price',
    before: async (page) => {
      await button(page, /^Columns/).click()
      await page.getByRole('textbox', { name: 'Find a column' }).waitFor()
    },
    height: 640,
  },
  { file: 'pictures/stock', at: '/admin/stock', width: 1400, height: 860, of: 'window' },
  { file: 'pictures/import', at: '/admin/stock/import', before: previewFile, width: 1400, height: 860, of: 'window' },
  {
    file: 'pictures/quick-order',
    at: '/admin/quick-order',
    before: fillQuickOrder,
    width: 1400,
    height: 860,
    of: 'window',
  },
  { file: 'pictures/sale-create', at: '/admin/stock', before: sellBasket, width: 1400, height: 860, of: 'window' },
  { file: 'pictures/sale', at: '/admin/sale/edit/24', width: 1400, height: 860, of: 'window' },
  { file: 'pictures/accounting', at: '/admin/accounting', width: 1400, height: 860, of: 'window', hasOwnDays: true },
]
