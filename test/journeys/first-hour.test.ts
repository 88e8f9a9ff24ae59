import type { Locator, Page } from '@playwright/test'
import { expect as expectThat } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect } from './browser-page.ts'
import { openMailSink } from './mail-sink.ts'
import { ADMIN } from './running-server.ts'
import { answer, openShop, paste } from './sample-shop.ts'
import { newImei } from './shop-records.ts'

/** The most actions from the login of an empty shop to its first mailed invoice. */
const MOST_ACTIONS = 25

const { mails, environment } = openMailSink()
const shop = openShop({ sampleData: false, environment })

/** Counts the actions of a person: each click, each filled field, each chosen file. */
function hands(page: Page) {
  let actions = 0
  const act = async (done: Promise<unknown>) => {
    actions += 1
    await done
  }
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  return {
    count: () => actions,
    click: (what: Locator) => act(what.click()),
    fill: (name: string, text: string) => act(field(name).fill(text)),
    paste: (name: string, text: string) => act(paste(field(name), text)),
    choose: (what: Locator, name: string, text: string) =>
      act(what.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })),
  }
}

testInTurn(
  `from an empty shop to the first emailed invoice in ${MOST_ACTIONS} actions, by the first steps alone`,
  async () => {
    const { page } = await shop.stranger()
    const { count, click, fill, paste, choose } = hands(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const steps = page.getByRole('region', { name: 'First steps' })
    const ticked = (n: number) => expect(steps).toContainText(`${n} of 6 done`)
    const next = (name: string) => click(steps.getByRole('link', { name, exact: true }))

    await page.goto('/')
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    const login = 3
    await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }))
    await ticked(0)

    await next('Fill in the company')
    await fill('Name', 'Grachten Phones BV')
    await fill('VAT number', 'NL123456782B12')
    await paste('Address line 1', 'Keizersgracht 12\n1015 CN Amsterdam')
    for (const offer of ['Add the usual VAT rates (Netherlands)', 'Add the usual categories'])
      await expect(page.getByRole('switch', { name: offer })).toBeChecked()
    await click(button('Save'))
    await ticked(2)

    await next('Add a supplier')
    await fill('Company name', 'Pallet Traders')
    await click(button('Create'))
    await ticked(3)

    await next('Import a file')
    const [header, row] = [
      'imei,make,model,category,supplier,purchase_price,sales_price,vat,status',
      'Apple,iPhone 13,Phones',
    ]
    const file = `${header}\n${newImei()},${row},Pallet Traders,200,300,Standard,In Stock\n`
    await choose(page.getByLabel('Choose a CSV or Excel file'), 'first.csv', file)
    await click(button('Import'))
    await click(page.locator('#content').getByRole('link', { name: 'Show its items' }))

    await click(page.getByRole('checkbox', { name: /^Select #/ }))
    await click(button('Basket, 1 item'))
    await click(button('Sale'))
    await click(page.getByRole('tab', { name: 'Summary' }))
    await fill('First name', 'Zoë')
    await fill('Last name', 'Wiśniewska')
    await fill('Email', 'zoe@buyer.test')
    await paste('Address line 1', 'ul. Długa 5\n90-001 Łódź\nPoland')
    await expect(page.getByText('Missing from the invoice: the seller’s bank account.')).toBeVisible()
    await click(button('Create Sale (1)'))
    await page.waitForURL(/\/admin\/sale\/edit\/\d+/)
    await expect.poll(() => mails.length).toBe(1)
    expectThat(login + count()).toBeLessThanOrEqual(MOST_ACTIONS)

    const { data } = await (await page.request.get('/api/category/find?order_by=name_asc')).json()
    const names = data.map(({ name }: { name: string }) => name)
    expectThat(names).toEqual(['Accessories', 'Laptops', 'Phones', 'Smartphones', 'Tablets', 'Watches'])

    const [mail] = mails
    expectThat(mail?.to).toEqual([{ name: 'Zoë Wiśniewska', address: 'zoe@buyer.test' }])
    expectThat(mail?.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf')
    // A mail can be sent again. The company's screen names the mail server.
    await page.getByRole('tab', { name: 'Summary' }).click()
    await expect(page.getByText('Sent', { exact: true })).toBeVisible()
    await button('Resend email').click()
    await answer(page, 'Are you sure you want to resend the invoice email?', 'Cancel')
    await page.goto('/admin/company')
    await button('Send a test email to me').click()
    await expect(page.getByText(`The mail server accepted a test email to ${ADMIN.email}.`)).toBeVisible()
    expectThat(mails[1]?.subject).toBe('Test email')

    await page.goto('/admin/dashboard')
    await expect(page.getByRole('list', { name: 'To do' })).toBeVisible()
    await atRest(page)
    expectThat(await steps.count()).toBe(0)
  },
)
