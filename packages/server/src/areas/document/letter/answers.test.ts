import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { storeFile } from '../../../records/file.ts'
import { openTape, type Tape } from '../../../testing/answers.ts'
import type { Client } from '../../../testing/app.ts'
import { testInTurn } from '../../../testing/in-turn.ts'
import { openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { giveUpMail, sendMail } from '../mail/send-mail.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let silent: Client
let shop: Shop
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-answers-'))
  tape = await openTape()
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  silent = await tape.t.user()
  await tape.forgetChanges()
})
afterAll(async () => {
  await tape.close()
  await rm(dataDir, { recursive: true })
})

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
async function customer(first_name: string, last_name: string, more: object = {}): Promise<number> {
  const billing_address = { address_1: '5 Mill Lane', city: 'Cork', postal_code: 'T12', country_code: 'IE' }
  const named = { first_name, last_name, email: `${last_name.toLowerCase()}@example.test`, billing_address }
  return (await silent.post('/api/customer/create', { ...named, ...more })).body.data.id
}
type Sold = { sale: number; document: number }
/** Sells an item with an invoice that is made, has left the shop, and is due in so many days. */
async function invoiced(customer_id: number, due: number, sales_price: number, more: object = {}): Promise<Sold> {
  const [id] = await stockItems(tape.t.db, shop, 1, { vat_id: shop.vat.zero })
  const options = { create_invoice: true, send_email: false, ...more }
  const { body } = await silent.post('/api/sale/create', {
    stock_items: [{ id, sales_price }],
    customer_id,
    ...options,
  })
  const sale = body.data.id
  const document = body.data.documents[0]?.id
  if (document)
    await tape.t.db.write(async (tx) => {
      const content = Buffer.from('%PDF')
      const file_id = await storeFile(tx, { name: `Invoice ${document}.pdf`, mediaType: 'application/pdf', content })
      await tx.updateTable('document_version').set({ file_id }).where('document_id', '=', document).execute()
      await tx
        .updateTable('document')
        .set({ status: 'ready', left_at: new Date().toISOString() })
        .where('id', '=', document)
        .execute()
    })
  await query(
    `update sale set due_on = (now() at time zone time_zone)::date + $2::int from company where sale.id = $1 and due_on is not null`,
    [sale, due],
  )
  return { sale, document }
}
const letter = (id: number, body: object, headers?: Record<string, string>) =>
  user.post(`/api/open-item/${id}/letter`, { kind: 'reminder', way: 'email', ...body }, headers)
/** Makes all letters so many days older. */
const older = (days: number) =>
  query(`alter table letter_line disable trigger kept; alter table letter disable trigger kept;
    update letter_line set made_on = made_on - ${days}; update letter set made_on = made_on - ${days};
    alter table letter_line enable trigger kept; alter table letter enable trigger kept`)
const deliver = (title: string, mail: number, smtpUrl?: string) =>
  tape.act(title, () =>
    sendMail({ db: tape.t.db, config: { ...tape.t.config, ...(smtpUrl && { smtpUrl }) }, dataDir }, mail),
  )
const newestMail = async (): Promise<number> => (await query('select max(id) as id from mail'))[0].id

testInTurn('open items and letters: the answers and the rows that they leave', async () => {
  const olga = await customer('Olga', 'Zeta', { company_name: 'Zeta Ltd', lang: 'de' })
  const anna = await customer('Anna', 'Alpha')
  const berta = await customer('Berta', 'Beta')
  const late = await invoiced(olga, -3, 30_000)
  const later = await invoiced(olga, -10, 20_000)
  const early = await invoiced(olga, 5, 10_000)
  const order = await invoiced(olga, 0, 5_000, { create_invoice: false })
  const small = await invoiced(anna, -20, 1_000)
  const even = await invoiced(berta, 0, 4_000)
  await silent.post(`/api/sale/${late.sale}/pay`, { paid_on: '2001-01-01', amount: 1_000 })
  const over = await invoiced(olga, 0, 100)
  await silent.post(`/api/sale/${over.sale}/pay`, { paid_on: '2001-01-01', amount: 150 })
  await tape.forgetChanges()

  tape.title('The list of customers who have not settled everything: its orders and filters')
  const find = (text: string) => user.get(`/api/open-item/find?${text}`)
  await find('')
  for (const by of ['open_total_asc', 'oldest_due_on_desc', 'full_name_asc', 'id_asc', 'overdue_total_asc'])
    tape.line(
      `${by}: ${(await silent.get(`/api/open-item/find?order=${by}`)).body.data.map(({ id }: { id: number }) => id)}`,
    )
  await find('overdue=1&per_page=1&page=2')
  await find('overdue=1&per_page=1&page=9')
  await find(`search=zeta&ids=${olga},${anna}`)
  await find('ids=')
  await find('order=x&overdue=x')
  tape.title('A whole account')
  await find(`id=${olga}`)
  await find('id=999')

  tape.title('Letters that are refused')
  await letter(olga, { kind: 'x', way: 'x', level: 9, documents: 'x', lang: 'x', total: 'x', newest_letter: 'x' })
  await letter(999, {})
  await letter(berta, {})
  await letter(olga, { documents: [] })
  await letter(olga, { documents: [999, early.document, small.document, 999] })
  await letter(olga, { total: 1 })
  await letter(await customer('Nobody', 'Owing'), { kind: 'statement' })
  await user.post(`/api/open-item/${olga}/letter/preview`, { kind: 'statement', way: 'download', total: 1 })
  tape.title('A reminder by email, twice with one key; of today; of the next levels')
  await letter(olga, { documents: [late.document], total: 29_000 }, { 'idempotency-key': 'a' })
  await letter(olga, { documents: [late.document], total: 29_000 }, { 'idempotency-key': 'a' })
  await deliver('it is saved as a file', await newestMail())
  await letter(olga, { documents: [late.document] })
  await letter(olga, { level: 2, lang: 'fr', way: 'download', documents: [later.document, late.document] })
  await deliver('the second one is saved, too', await newestMail())
  await letter(olga, { level: 3, lang: 'nl', way: 'download', documents: [later.document] })
  await letter(olga, { documents: [late.document] })
  await older(8)
  await letter(olga, { way: 'download' })
  await older(8)
  await user.get('/api/letter/3/pdf')
  await user.get('/api/letter/999/pdf')
  tape.title('A statement by email, and one after somebody else’s')
  await letter(olga, { kind: 'statement', newest_letter: 3, lang: 'en' })
  await letter(olga, { kind: 'statement', newest_letter: 3 })
  await letter(anna, { kind: 'statement', newest_letter: null, way: 'download' })
  await find(`id=${olga}`)
  await user.get(`/api/sale/find?id=${late.sale}`)

  tape.title('Sent again: a letter that waits, that is saved, unclear, of another day, changed meanwhile')
  const again = (id: number) => user.post(`/api/letter/${id}/send`)
  await again(4)
  await again(999)
  await deliver('it is saved as a file', await newestMail())
  await again(4)
  await tape.act('it is given up', async () => {
    const mail = await newestMail()
    await tape.t.db.write((tx) => giveUpMail(tx, mail, false))
  })
  const reminder = await letter(anna, {})
  const { id } = reminder.body.data
  await query(`update mail set state = 'sending', attempts = 1 where letter_id = $1`, [id])
  await deliver('it was being sent', await newestMail(), 'smtp://127.0.0.1:1')
  await again(id)
  await silent.post(`/api/sale/${small.sale}/pay`, { paid_on: '2001-01-01', amount: 1 })
  await tape.forgetChanges()
  await deliver('an invoice in it was paid in part meanwhile', await newestMail())
  await again(id)
  await older(1)
  await again(id)
  tape.title('The day to pay by has passed before it leaves')
  await letter(anna, {})
  await query(`alter table letter disable trigger kept; update letter set pay_by = made_on - 1 where id = (select max(id) from letter);
    alter table letter enable trigger kept`)
  await deliver('its day has passed', await newestMail())
  tape.title('An invoice without a PDF cannot be attached; a sale without an invoice is in no reminder')
  await query(`update document set status = 'pending' where id = $1`, [even.document])
  const overdue = `update sale set due_on = (now() at time zone time_zone)::date - 30 from company where sale.id = $1`
  await query(overdue, [even.sale])
  await letter(berta, {})
  await query(overdue, [order.sale])
  await find(`id=${olga}`)
  tape.title('A customer with letters is not deleted')
  await user.delete(`/api/customer/${anna}/delete`)
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
