import type { PurchaseReceipt } from '@backstock/contract/purchase-receipt.ts'
import type { StockItem } from '@backstock/contract/stock.ts'
import type { SupplierClaim } from '@backstock/contract/supplier-claim.ts'
import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect, hold, logIn } from './browser-page.ts'
import { answer, openShop, rowsOf, unique } from './sample-shop.ts'
import { barriersInBothThemes } from './screen-check.ts'
import { create, first, newItems } from './shop-records.ts'

const shop = openShop()

test('a claim: pasted and from the basket, sent, credited in part, and one item comes back', async () => {
  const { page, call, id } = await shop.colleague('ROLE_USER')
  const company_name = unique('Crates')
  const supplier = await create(call, 'supplier', { company_name })
  const [a, b, c] = await newItems(call, 3, { supplier_id: supplier.id })
  const [others] = await newItems(call, 1)
  await call('PUT', `user/${id}/basket`, { items: [c!.id, others!.id] })

  await page.goto('/admin/supplier-claim')
  await page.getByRole('link', { name: 'Add new' }).click()
  await page.getByRole('combobox', { name: 'Supplier' }).fill(company_name)
  await page.getByRole('option', { name: company_name }).click()
  await page.getByRole('textbox', { name: 'Reference' }).fill('RMA 5')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL('**/admin/supplier-claim/edit/*')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()

  const pasted = page.getByRole('textbox', { name: 'IMEIs or serial numbers' })
  await pasted.fill([a!.imei, b!.imei, others!.imei, 'nothing'].join('\n'))
  await expect(page.getByText('2 can be added, 1 cannot, 1 not found')).toBeVisible()
  await expect(page.getByText(`${others!.imei}: #${others!.id} without a supplier`)).toBeVisible()
  await page.getByRole('textbox', { name: 'Details' }).fill('cracked')
  const letGo = await hold(page, '**/add-items')
  await pasted.press('Control+Enter')
  await pasted.press('Control+End')
  await pasted.pressSequentially('\nscanned meanwhile')
  letGo()
  const rows = rowsOf(page, 'Items of the claim')
  await expect(rows).toHaveCount(2)
  // Only the lines that have joined are gone.
  await expect(pasted).toHaveValue([others!.imei, 'nothing', 'scanned meanwhile'].join('\n'))
  await expect(rows.first()).toContainText('Faulty: cracked')
  await page.getByRole('button', { name: 'Add 1 item from the basket' }).click()
  await expect(rows).toHaveCount(3)

  // Pasted lines that were not added yet: neither leaving nor sending loses them silently.
  await pasted.fill('356938035643809')
  await page.getByRole('link', { name: 'Supplier claims' }).first().click()
  await answer(page, 'You have unsaved changes.', 'Stay')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('dialog')).toContainText('The pasted lines have not been added, and are left out.')
  await answer(page, `3 items go back to ${company_name}`, 'Send')
  await expect(rows.first()).toContainText('Returned to Supplier')

  await page.getByRole('checkbox', { name: `Select #${a!.id}` }).check()
  await page.getByRole('button', { name: `Credit of #${b!.id}` }).dblclick()
  await page.getByRole('textbox', { name: `Credit of #${b!.id}` }).fill('80')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Settle' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: 'Credit received' })).toHaveValue('80.00')
  await dialog.getByRole('button', { name: 'Settle' }).click()
  await expect(dialog).toBeHidden()
  await expect(rows.filter({ hasText: a!.imei! })).toContainText('Came back')
  const less = page.locator('dl > div').filter({ hasText: 'Less than expected by' })
  await expect(less).toContainText('220.00 EUR')

  const claim = await first<SupplierClaim>(call, `supplier-claim/find?supplier_id=${supplier.id}`)
  expectValue(claim).toMatchObject({ state: 'settled', credit_received: 8_000, reference: 'RMA 5', items_count: 3 })
  const back = await first<StockItem>(call, `stock/find?id=${a!.id}`)
  expectValue(back).toMatchObject({ status: 'In Stock', supplier_return_id: null })
  await page.goto(`/admin/stock/edit/${c!.id}`)
  await page.getByRole('link', { name: `Supplier claim #${claim.id}` }).click()
  await expect(page.getByRole('heading', { name: `Supplier claim #${claim.id}` })).toBeVisible()
})

testInTurn('a receipt of the basket: looked at, made, told on the item, and cancelled', async () => {
  const { page, call, id } = await shop.colleague('ROLE_USER')
  const company_name = unique('Counter')
  const fields = { company_name, receipt_kind: 'private', default_purchase_treatment: 'margin' }
  const supplier = await create(call, 'supplier', fields)
  const [a, b] = await newItems(call, 2, { supplier_id: supplier.id, purchase_treatment: 'margin' })
  const [taxed] = await newItems(call, 1, { supplier_id: supplier.id, purchase_treatment: 'standard' })
  await call('PUT', `user/${id}/basket`, { items: [a!.id, b!.id, taxed!.id] })

  await page.goto('/admin/document')
  await page.getByRole('link', { name: 'Purchase receipts' }).click()
  await page.getByRole('link', { name: 'From the basket' }).click()
  await expect(page.getByText(`#${taxed!.id}: It was bought under: With VAT.`)).toBeVisible()
  const rows = rowsOf(page, 'Lines of the receipt')
  await expect(rows).toHaveCount(2)
  expectValue(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Seller’s name' }).fill('Anna de Vries')
  await page.getByRole('button', { name: 'Make the receipt' }).click()
  await expect(page.getByRole('textbox', { name: 'Address line 1' })).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('textbox', { name: 'Address line 1' }).fill('Dorpsstraat 1')
  await page.getByRole('textbox', { name: 'City' }).fill('Ede')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL('**/admin/purchase-receipt/edit/*')
  const receipt = await first<PurchaseReceipt>(call, `purchase-receipt/find?supplier_id=${supplier.id}`)
  await expect(page.getByRole('heading', { name: `Purchase receipt ${receipt.number}` })).toBeVisible()
  await expect(page.getByRole('link', { name: 'PDF' })).toBeVisible()
  expectValue(await barriersInBothThemes(page)).toEqual([])

  await rows.first().getByRole('link').click()
  await page.getByRole('link', { name: receipt.number }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Cancel the receipt' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Changed their mind')
  await page.getByRole('button', { name: 'Cancel the receipt' }).click()
  await expect(page.getByText('This receipt was cancelled by')).toBeVisible()
  // The item was on screen before, and is read again.
  await rows.first().getByRole('link').click()
  await expect(page.getByRole('link', { name: 'Purchase receipt', exact: true })).toBeVisible()
})

testInTurn('a typed seller is not lost by the choice of another supplier', async () => {
  const { page, call, id } = await shop.colleague('ROLE_USER')
  const fields = { receipt_kind: 'private', default_purchase_treatment: 'margin' }
  const items: number[] = []
  for (const name of ['First counter', 'Second counter']) {
    const supplier = await create(call, 'supplier', { ...fields, company_name: unique(name) })
    const [item] = await newItems(call, 1, { supplier_id: supplier.id, purchase_treatment: 'margin' })
    items.push(item!.id)
  }
  await call('PUT', `user/${id}/basket`, { items })
  await page.goto('/admin/purchase-receipt')
  await page.getByRole('link', { name: 'From the basket' }).click()
  await expect(page.getByRole('heading', { name: 'New purchase receipt' })).toBeVisible()
  const supplier = page.getByRole('combobox', { name: 'Supplier' })
  const before = await supplier.inputValue()
  const [other] = await supplier.locator(`option:not([value="${before}"])`).all()
  await page.getByRole('textbox', { name: 'Seller’s name' }).fill('Anna de Vries')
  await supplier.selectOption(await other!.getAttribute('value'))
  await answer(page, 'You have unsaved changes.', 'Stay')
  await expect(supplier).toHaveValue(before)
  await expect(page.getByRole('textbox', { name: 'Seller’s name' })).toHaveValue('Anna de Vries')
  await supplier.selectOption(await other!.getAttribute('value'))
  await answer(page, 'You have unsaved changes.', 'Leave')
  await expect(supplier).not.toHaveValue(before)
  await expect(page.getByRole('textbox', { name: 'Seller’s name' })).toHaveValue('')
  await page.getByRole('textbox', { name: 'Seller’s name' }).fill('Bert Visser')
  await page.goBack()
  await answer(page, 'You have unsaved changes.', 'Stay')
  await expect(page.getByRole('textbox', { name: 'Seller’s name' })).toHaveValue('Bert Visser')
})

testInTurn('a seller who was typed when the session ended is not put on the receipt of other items', async () => {
  const ada = await shop.colleague('ROLE_USER')
  const { page, call, context } = ada
  const seller = page.getByRole('textbox', { name: 'Seller’s name' })
  const [one, other] = await newItems(call, 2, { supplier_id: null, purchase_treatment: 'margin' })
  const receiptOf = (item: { id: number }) => `/admin/purchase-receipt/create?ids=${item.id}`
  await page.goto(receiptOf(one!))
  await seller.fill('Anna de Vries')
  await context.clearCookies()
  await page.locator('main [type=submit]').evaluateAll(([button]) => (button as HTMLElement)?.click())
  await page.waitForURL('**/login')
  await logIn(page, ada)
  await page.goto(receiptOf(other!))
  await expect(seller).toHaveValue('')
  expectValue(await page.getByText('Your draft is back.').count()).toBe(0)
  await page.goto(receiptOf(one!))
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(seller).toHaveValue('Anna de Vries')
})
