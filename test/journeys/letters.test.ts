import { readFileSync } from 'node:fs'
import type { CustomerAccount } from '@backstock/contract/letter.ts'
import { expect as expectValue, test } from 'vitest'
import { expect } from './browser-page.ts'
import { openMailSink } from './mail-sink.ts'
import { openShop, rowsOf, unique } from './sample-shop.ts'
import { barriersInBothThemes } from './screen-check.ts'
import { create, first, newItems, newSale } from './shop-records.ts'

const { mails, refused, environment } = openMailSink()
const shop = openShop({ environment })

test('a statement is looked at and emailed, and a second person’s is refused until they have seen it', async () => {
  const { page, call } = await shop.colleague()
  const second = (await shop.colleague()).page
  const email = 'statement@buyer.test'
  const buyer = { first_name: 'Ann', last_name: unique('Stated'), email }
  const customer = await create(call, 'customer', buyer)
  const [unstated, ...items] = await newItems(call, 3)
  // A statement has no sale without an invoice.
  await newSale(call, [unstated!], { customer_id: customer.id, create_invoice: false })
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
  // If the answer gets lost, the second try sends no second statement.
  await page.route(
    `**/api/open-item/${customer.id}/letter`,
    async (route) => {
      await route.fetch()
      await route.abort('internetdisconnected')
    },
    { times: 1 },
  )
  await dialog.getByRole('button', { name: 'Send statement' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached')
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
  refused.add(email)
  await (await open(second)).getByRole('button', { name: 'Send statement' }).click()
  await expect(letters(second)).toHaveCount(2)
  await expect(letters(second).first()).toContainText(/Not sent · to .*No such person/)
  expectValue(sent()).toHaveLength(3)
  refused.delete(email)
  await letters(second)
    .getByRole('button', { name: /^Send letter #\d+ again$/ })
    .click()
  await expect(letters(second).first()).toContainText(`Sent · to ${email}`)
  expectValue(await letters(second).getByRole('button').count()).toBe(0)
  expectValue(sent()).toHaveLength(4)
})

test('a reminder names the invoices that are ticked, and a letter is downloaded under its own number', async () => {
  const { page, call } = await shop.colleague()
  const company = (time_zone: string) => call('POST', 'company/edit', { name: 'Tweede Leven Mobiel B.V.', time_zone })
  const email = 'reminder@buyer.test'
  const buyer = { first_name: 'Rob', last_name: unique('Reminded'), email, payment_days: 0 }
  const { id } = await create(call, 'customer', buyer)
  const account = () => first<CustomerAccount>(call, `open-item/find?id=${id}`)
  // These two places never have the same day, so the invoices are due today and overdue afterwards.
  await company('Pacific/Pago_Pago')
  for (const item of await newItems(call, 3)) await newSale(call, [item], { customer_id: id, send_email: true })
  const sent = () => mails.filter(({ to }) => to?.some(({ address }) => address === email))
  await expect.poll(() => sent().length).toBe(3)
  await expect.poll(async () => (await account()).items.map(({ is_sent }) => is_sent)).toEqual([true, true, true])
  await company('Pacific/Kiritimati')

  const { items } = await account()
  await page.goto(`/admin/open-item/${id}`)
  const tickOf = ({ sale_id }: { sale_id: number }) => page.getByRole('checkbox', { name: `Select #${sale_id}` })
  await expect(rowsOf(page, 'Open items').filter({ hasText: 'overdue' })).toHaveCount(3)
  for (const item of items) await expect(tickOf(item)).toBeChecked()
  await tickOf(items[0]!).uncheck()
  await page.getByRole('button', { name: 'Reminder', exact: true }).click()
  const reminder = page.getByRole('dialog', { name: 'Reminder' })
  const numbers = items.slice(1).map(({ number }) => number!)
  const listed = reminder.getByRole('list', { name: 'Invoices' }).getByRole('listitem')
  await expect(listed).toHaveText(numbers.map((number) => new RegExp(number)))
  await reminder.getByRole('combobox', { name: 'Level' }).click()
  await page.getByRole('option', { name: '2 Second reminder' }).click()
  await expect(reminder.getByRole('status')).toHaveText(`${numbers.join(', ')} have not had level 1.`)
  const asked = page.waitForRequest(`**/api/open-item/${id}/letter`)
  await reminder.getByRole('button', { name: 'Send reminder' }).click()
  const documents = items.slice(1).map(({ document_id }) => document_id)
  const body = { kind: 'reminder', way: 'email', level: 2, documents, total: 29_980 }
  expectValue((await asked).postDataJSON()).toMatchObject(body)
  await expect(reminder).toBeHidden()
  const letters = page.getByRole('list', { name: 'Letters' }).getByRole('listitem')
  for (const text of ['Level 2, second reminder', ...numbers, `Sent · to ${email}`])
    await expect(letters).toContainText([text])
  await expect.poll(() => sent().length).toBe(4)
  expectValue(sent()[3]?.attachments).toHaveLength(3)

  await page.getByRole('button', { name: 'Statement', exact: true }).click()
  const statement = page.getByRole('dialog', { name: 'Statement' })
  const [download, read] = await Promise.all([
    page.waitForEvent('download'),
    page.waitForRequest('**/api/letter/*/pdf'),
    statement.getByRole('button', { name: 'Download' }).click(),
  ])
  await expect(statement).toBeHidden()
  const [newest] = (await account()).letters
  expectValue(newest).toMatchObject({ kind: 'statement', state: 'downloaded' })
  expectValue(new URL(read.url()).pathname).toBe(`/api/letter/${newest!.id}/pdf`)
  expectValue(download.suggestedFilename()).toBe(`statement ${newest!.made_on}.pdf`)
  expectValue(readFileSync(await download.path(), 'latin1').slice(0, 5)).toBe('%PDF-')
})
