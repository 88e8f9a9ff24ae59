import { readFileSync } from 'node:fs'
import { expect as expectValue, test } from 'vitest'
import { expect } from './browser-page.ts'
import { openMailSink } from './mail-sink.ts'
import { openShop, unique } from './sample-shop.ts'
import { barriersInBothThemes } from './screen-check.ts'
import { create, newItems, newSale } from './shop-records.ts'

const { mails, environment } = openMailSink()
const shop = openShop({ environment })

test('a statement is looked at and emailed, and a second person’s is refused until they have seen it', async () => {
  const { page, call } = await shop.colleague()
  const second = (await shop.colleague()).page
  const email = 'statement@buyer.test'
  const buyer = { first_name: 'Ann', last_name: unique('Stated'), email }
  const customer = await create(call, 'customer', buyer)
  const items = await newItems(call, 2)
  for (const item of items) await newSale(call, [item], { customer_id: customer.id, send_email: true })
  const sent = () => mails.filter(({ to }) => to?.some(({ address }) => address === email))
  await expect.poll(() => sent().length).toBe(2)

  const path = `/admin/open-item/${customer.id}`
  const open = async (of: typeof page) => {
    await of.getByRole('button', { name: 'Statement', exact: true }).click()
    const dialog = of.getByRole('dialog', { name: 'Statement' })
    await expect(dialog.getByRole('list', { name: 'Invoices' }).getByRole('listitem')).toHaveCount(2)
    return dialog
  }
  const letters = (of: typeof page) => of.getByRole('list', { name: 'Letters' }).getByRole('listitem')
  await page.goto(path)
  await second.goto(path)
  await expect(page.getByText('No statements or reminders yet.')).toBeVisible()
  const dialog = await open(page)
  const secondDialog = await open(second)
  await expect(dialog.locator('dl')).toContainText(email)
  await expect(dialog.locator('dl')).toContainText('299.80')
  expectValue(await barriersInBothThemes(page)).toEqual([])

  const [draft] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Look at a draft' }).click(),
  ])
  expectValue(draft.suggestedFilename()).toBe('statement-draft.pdf')
  expectValue(readFileSync(await draft.path(), 'latin1').slice(0, 5)).toBe('%PDF-')
  expectValue(await letters(page).count()).toBe(0)

  await dialog.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'German' }).click()
  await dialog.getByRole('button', { name: 'Send statement' }).click()
  await expect(dialog).toBeHidden()
  await expect(letters(page)).toHaveCount(1)
  await expect(letters(page)).toContainText(`Sent · to ${email}`)
  const statement = sent()[2]
  expectValue(statement?.subject).toContain('Kontoauszug')
  expectValue(statement?.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf'])

  await secondDialog.getByRole('button', { name: 'Send statement' }).click()
  await expect(secondDialog.getByRole('alert')).toHaveText(
    'Somebody has just sent this customer a statement. Please look at it first.',
  )
  expectValue(await barriersInBothThemes(second)).toEqual([])
  expectValue(sent()).toHaveLength(3)
  await secondDialog.getByRole('button', { name: 'Close' }).click()
  await expect(letters(second)).toContainText(`Sent · to ${email}`)
  await (await open(second)).getByRole('button', { name: 'Send statement' }).click()
  await expect(letters(second)).toHaveCount(2)
  await expect.poll(() => sent().length).toBe(4)
})
