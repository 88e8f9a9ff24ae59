import { expect } from '../browser-page.ts'
import { close, isOnPhone, openFilters, press, pressEscape, type Screen } from '../screen-look.ts'

/**
 * The screens of stock and batches, and screens that belong to no area, with records of the sample data. If you add a
 * screen of a new kind, add a line.
 */
export const STOCK_SCREENS: Record<string, Screen[]> = {
  overview: [
    { path: '/admin/dashboard', onPhone: true, isOfToday: true },
    {
      path: '/admin/quick-order',
      onPhone: true,
      layers: {
        'an order': {
          async open(page) {
            await page.getByRole('textbox').last().fill('BS-15200\nBS-15201\nnot here\nBS-15200')
            await expect(page.getByRole('heading', { name: 'Not found (1)' })).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/offer', onPhone: true },
    { path: '/admin/offer?batch_id=' },
    {
      path: '/admin/scan',
      onPhone: true,
      layers: {
        'scanned codes': {
          async open(page) {
            const field = page.getByRole('textbox', { name: 'Scan' })
            for (const code of ['BS-15200', 'BS-15201', 'not here', 'BS-15200']) {
              await field.fill(code)
              await field.press('Enter')
            }
            await expect(page.getByText('Scanned again').first()).toBeVisible()
          },
        },
        'what to do with all': {
          async open(page) {
            await press(page, 'More')
            await expect(page.getByRole('menuitem', { name: 'Clear the list' })).toBeVisible()
          },
          close,
        },
      },
    },
    { path: '/admin/company' },
    { path: '/admin/stock/unknown-operation', like: '/error' },
    { path: '/error', onPhone: true },
    { path: '/error/500', like: '/error' },
    { path: '/error/another', like: '/error' },
  ],
  stock: [
    {
      path: '/admin/stock',
      onPhone: true,
      layers: {
        'the export menu': {
          async open(page) {
            await press(page, 'Export')
            await expect(page.getByRole('menuitem').first()).toBeVisible()
          },
          close,
        },
        'many items to edit': {
          async open(page) {
            await press(page, 'More actions')
            await page.getByRole('menuitem', { name: /^Edit all/ }).click()
            const dialog = page.getByRole('dialog')
            for (const field of ['Sales price', 'Supplier', 'Note'])
              await dialog.getByRole('button', { name: field, exact: true }).click()
            await dialog.getByRole('textbox', { name: 'Sales price: percent' }).fill('5')
            await dialog.getByRole('checkbox', { name: 'No supplier' }).check()
            await dialog.getByRole('textbox', { name: 'Note' }).fill('Seen')
            await expect(dialog.getByRole('list', { name: 'What changes' })).toBeVisible()
          },
          async close(page) {
            await page.keyboard.press('Escape')
            await page.getByRole('button', { name: 'Leave' }).click()
          },
        },
        'a view to save': {
          async open(page) {
            const columns = page.getByRole('columnheader', { name: 'Status' }).getByRole('button')
            if (await columns.isVisible()) await columns.click()
            else {
              await openFilters(page)
              await page.getByRole('combobox', { name: 'Sort by' }).selectOption('status_desc')
              await close(page)
            }
            await press(page, 'Save view')
            await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
          },
          async close(page) {
            await page.keyboard.press('Escape')
            await expect(page.getByRole('dialog')).toHaveCount(0)
          },
        },
        'the columns': {
          async open(page) {
            await press(page, 'Columns')
            await expect(page.getByRole('checkbox', { name: 'Supplier' })).toBeVisible()
          },
          close,
        },
        'ticked rows': {
          async open(page) {
            const all = page.getByRole('checkbox', { name: 'Select all rows on this page' })
            if (!(await all.isChecked())) await all.click()
            await expect(all).toBeChecked()
          },
          refused: 412, // 412, because desk and phone change the basket of the same person
        },
        'a filter': {
          async open(page) {
            if (isOnPhone(page)) await openFilters(page)
            await page.getByRole('combobox', { name: 'Status' }).press('ArrowDown')
            await expect(page.getByRole('option', { name: 'Sold' })).toBeVisible()
          },
          close: pressEscape,
        },
        'more filters': {
          async open(page) {
            if (!isOnPhone(page)) await openFilters(page)
          },
        },
        'a record to filter by': {
          async open(page) {
            await page.getByRole('dialog').getByRole('combobox', { name: 'Supplier' }).click()
            await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/stock?supplier_id=1,2&grade_id=1&age=over-90&price_from=10000&unpriced=true', onPhone: true },
    { path: '/admin/stock?status=&per_page=50', like: '/admin/stock' },
    {
      path: '/admin/stock?columns=id,imei,status,product,supplier,margin,margin_percent&order_by=margin_desc',
      onPhone: true,
    },
    { path: '/admin/stock?search=nothing+like+it' },
    {
      path: '/admin/stock/create',
      layers: {
        'wrong fields': {
          async open(page) {
            await press(page, 'Create')
            await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
          },
          refused: 422,
        },
        'a proposed product': {
          async open(page) {
            await page.getByRole('textbox', { name: 'IMEI', exact: true }).fill('35300000123456')
            await expect(page.getByRole('button', { name: /with this TAC .+: use it$/ })).toBeVisible()
          },
        },
      },
    },
    {
      path: '/admin/stock/edit/1',
      onPhone: true,
      layers: {
        'a select of other records': {
          async open(page) {
            await page.getByRole('combobox', { name: 'Supplier' }).click()
            await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
          },
          close: pressEscape,
        },
        'labels to print': {
          async open(page) {
            await press(page, 'Print label')
            await expect(page.getByRole('dialog').getByRole('button', { name: 'Print 1 label' })).toBeVisible()
          },
          close: pressEscape,
        },
        'a date picker': {
          async open(page) {
            await press(page, 'Choose a date')
            await expect(page.getByRole('dialog', { name: 'Choose a date' })).toBeVisible()
          },
          close,
          isOfToday: true,
        },
        'all sections': {
          async open(page) {
            await press(page, 'Backstock import information')
            await press(page, 'Logs')
            await expect(page.getByText('Raw attributes')).toBeVisible()
          },
        },
      },
    },
    {
      path: '/admin/stock/import',
      onPhone: true,
      layers: {
        'a refused file': {
          async open(page) {
            const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('a') }
            await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
            await expect(page.getByRole('dialog')).toContainText('Only CSV files are allowed')
          },
        },
      },
    },
    {
      path: '/admin/stock/import/history',
      onPhone: true,
      layers: {
        'what became of each row': {
          async open(page) {
            await press(page, /Failed:\s*[1-9]/)
            await expect(page.getByRole('img', { name: 'Failed' }).first()).toBeVisible()
          },
        },
        'an undo that is asked about': {
          async open(page) {
            await press(page, /Success:\s*[1-9]/)
            await press(page, 'Undo import')
            await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/stock/check', like: '/admin/sale?status=' },
    { path: '/admin/stock/check/create', like: '/admin/stock/create' },
    {
      path: '/admin/stock/check/1',
      onPhone: true,
      layers: {
        'a code that nobody knows': {
          async open(page) {
            await page.getByRole('textbox', { name: 'Scan' }).fill('356938035643809')
            await page.keyboard.press('Enter')
            await expect(page.getByText('Scanned again: unknown')).toBeVisible()
          },
        },
        'items that are not in this delivery': {
          async open(page) {
            await page.getByRole('tab', { name: /^Not in this delivery/ }).click()
            await expect(page.getByRole('table', { name: 'Not in this delivery' })).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/stock/bulk' },
  ],
  batch: [
    { path: '/admin/batch?user_id=', like: '/admin/sale?status=' },
    { path: '/admin/batch/create', like: '/admin/stock/create' },
    {
      path: '/admin/batch/add-to-batch',
      layers: {
        'a choice of batches': {
          async open(page) {
            await page.getByRole('combobox', { name: 'Batch' }).click()
            await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
          },
        },
      },
    },
    {
      path: '/admin/batch/edit/1',
      onPhone: true,
      layers: {
        'a price that is edited': {
          async open(page) {
            await press(page, /^Sales price of/)
            await page.keyboard.press('Enter')
            await expect(page.getByRole('textbox', { name: /^Sales price of/ })).toBeFocused()
          },
          close: pressEscape,
        },
        'items to move': {
          async open(page) {
            await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
            await press(page, 'Move items')
            await expect(page.getByRole('menuitem').first()).toBeVisible()
          },
          close,
        },
        'prices by group': {
          async open(page) {
            await press(page, 'More')
            await page.getByRole('menuitem', { name: 'Price by group' }).click()
            await expect(page.getByRole('table', { name: 'Groups' })).toBeVisible()
          },
          close,
        },
        'its logs': {
          async open(page) {
            await press(page, 'Logs')
            await expect(page.getByText('Updated').or(page.getByText('Message')).first()).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/batch/edit/2', like: '/admin/batch/edit/1' },
    { path: '/admin/batch/edit/999999' },
  ],
}
