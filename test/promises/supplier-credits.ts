import type { Accounting } from '@backstock/contract/accounting.ts'
import { marginVat } from '@backstock/contract/sale-total.ts'
import { expect } from 'vitest'
import { chance } from '../../packages/server/src/testing/chance.ts'
import type { PromiseShop } from './shop.ts'

/** The acts of suppliers on the phones of a history: before the sale, after it, and after a return. */
export type SupplierCredits = {
  /** Claims some of these items, which are not sold yet. The supplier credits them, and sends them back. */
  beforeSale(items: readonly number[]): Promise<void>
  /** Credits some claims later or changes their credit, and claims some of the returned items again. */
  afterwards(items: readonly number[]): Promise<void>
  /** Compares the credits with the books, the accountant's files and each phone. */
  compare(books: Accounting, period: string): Promise<void>
  /** How often a supplier credited before a sale, after one, and after a return. */
  credited: { before: number; sold: number; returned: number }
}

type Claim = { id: number; items: number[]; credit: number }

const upTo = (most: number) => Math.floor(chance() * (most + 1))

export async function supplierCredits(t: PromiseShop): Promise<SupplierCredits> {
  const { body } = await t.staff.post('/api/supplier/create', { company_name: 'Credits & Co' })
  const supplier: number = body.data.id
  const claims: Claim[] = []
  const credited = { before: 0, sold: 0, returned: 0 }

  async function claimed(items: readonly number[], isBack: boolean): Promise<Claim> {
    await t.rows('update stock set supplier_id = $2 where id = any($1)', [items, supplier])
    const input = { supplier_id: supplier, items, reason: 'Faulty' }
    const made = await t.staff.post('/api/supplier-claim/create', input)
    expect(made.status, made.body.message).toBe(201)
    const id: number = made.body.data.id
    const sent = await t.staff.post(`/api/supplier-claim/${id}/send`, {})
    expect(sent.status, sent.body.message).toBe(200)
    const cost: number = sent.body.data.total_cost
    // The credit: the whole cost, a part of it, more than that, or nothing yet.
    const credit = [cost, upTo(cost), cost + upTo(500), 0][upTo(3)]!
    const byItem = chance() < 0.3
    const each = items.map((item, n) => ({ id: item, credit: n === 0 ? credit : 0 }))
    const end = { settled_on: today(), items_back: isBack, ...(byItem ? { items: each } : { credit_received: credit }) }
    const settled = await t.staff.post(`/api/supplier-claim/${id}/settle`, end)
    expect(settled.status, settled.body.message).toBe(200)
    const claim = { id, items: [...items], credit }
    claims.push(claim)
    return claim
  }

  async function creditedAgain(claim: Claim): Promise<void> {
    const credit_received = upTo(claim.credit + 30_000)
    const { status, body } = await t.staff.post(`/api/supplier-claim/${claim.id}/edit`, { credit_received })
    // 422 if the credits were given item by item: their sum is fixed.
    expect([200, 422], body.message).toContain(status)
    if (status === 200) claim.credit = credit_received
  }

  const statusOf = async (items: readonly number[]) =>
    t.rows<{ id: number; status: string }>('select id, status from stock where id = any($1) order by id', [items])

  return {
    credited,
    async beforeSale(items) {
      const some = items.filter(() => chance() < 0.4)
      if (some.length === 0) return
      await claimed(some, true)
      credited.before++
    },
    async afterwards(items) {
      const claim = claims.findLast((one) => one.items.some((item) => items.includes(item)))
      if (claim && chance() < 0.4) {
        await creditedAgain(claim)
        const sold = (await statusOf(claim.items)).some(({ status }) => status === 'Sold')
        credited[sold ? 'sold' : 'returned']++
      }
      const back = (await statusOf(items)).filter(({ status }) => status === 'In Stock').map(({ id }) => id)
      if (back.length === 0 || chance() < 0.5) return
      await claimed(back, chance() < 0.5)
      credited.returned++
    },
    async compare(books, period) {
      await compareSums(t, claims, books, period)
      await comparePhones(t, claims)
    },
  }
}

const today = () => new Date().toISOString().slice(0, 10)
const total = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0)

/**
 * The totals on the screen, in the accountant's file and of the credits themselves are equal. Each claim is in the
 * books once.
 */
async function compareSums(t: PromiseShop, claims: readonly Claim[], books: Accounting, period: string): Promise<void> {
  const admin = await t.user('ROLE_ADMIN')
  const whole = total(claims, ({ credit }) => credit)
  expect(books.supplier_credited).toBe(whole)
  const { raw } = await admin.get(`/api/accounting/supplier-credits/csv?${period}`)
  const [head, ...lines] = raw.toString().replace('\uFEFF', '').trimEnd().split('\r\n')
  const column = (name: string) => {
    const at = head!.split(',').indexOf(name)
    return total(lines, (line) => Math.round(Number(line.split(',')[at]) * 100))
  }
  expect(column('credit')).toBe(0 - whole)
  const ofClaims = new Map<number, number>()
  const taxed = new Map<string, number>()
  const places = ['claim', 'date', 'credit', 'vat_in_margin'].map((name) => head!.split(',').indexOf(name))
  for (const cells of lines.map((line) => line.split(','))) {
    const [claim, day, credit, vat] = places.map((at) => cells[at]!) as [string, string, string, string]
    ofClaims.set(Number(claim), (ofClaims.get(Number(claim)) ?? 0) - Math.round(Number(credit) * 100))
    taxed.set(`${day} ${claim}`, (taxed.get(`${day} ${claim}`) ?? 0) + Math.round(Number(vat) * 100))
  }
  for (const { id, credit } of claims) expect(ofClaims.get(id) ?? 0, `claim #${id}`).toBe(credit)
  // The screen lists at most a thousand, the file lists all.
  expect(books.supplier_credits).toHaveLength(Math.min(taxed.size, 1000))
  for (const { claim_id, booked_on, margin_vat } of books.supplier_credits)
    expect(margin_vat, `claim #${claim_id}`).toBe(taxed.get(`${booked_on} ${claim_id}`))
  expect(column('purchase')).toBe(0 - total(books.purchases, ({ credited }) => credited))
  const [bought] = await t.rows<{ price: number; cost: number }>(
    'select sum(purchase_price) as price, sum(cost) as cost from stock',
  )
  expect(total(books.purchases, ({ cost }) => cost)).toBe(bought!.price)
  expect(total(books.purchases, ({ cost, credited }) => cost - credited)).toBe(bought!.cost)
}

type Life = {
  id: number
  price: number
  cost: number
  credited: number
  /** The amount that the invoice still asks for, if the item is in a sale. */
  held: number | null
  margin_rate: number | null
  is_kept_back: boolean
  purchases: number
  margin: number
  vat: number
}

/**
 * Over the whole life of a phone, its purchase price less its credits is its cost. The books of the sale that has the
 * phone say the same.
 */
async function comparePhones(t: PromiseShop, claims: readonly Claim[]): Promise<void> {
  const touched = [...new Set(claims.flatMap(({ items }) => items))]
  const lives = await t.rows<Life>(
    `with line as (
       select l.stock_id, l.cost, l.margin_vat, case d.kind when 'invoice' then 1 else -1 end as sign
       from document d join document_line l on l.document_id = d.id where l.stock_id = any($1))
     select s.id, s.purchase_price as price, s.cost,
       (select coalesce(sum(amount), 0) from supplier_credit c where c.stock_id = s.id) as credited,
       h.left as held, h.margin_rate,
       exists (select from document d join document_line l on l.document_id = d.id join sale_item i
         on i.sale_id = d.sale_id and i.stock_id = l.stock_id
         where l.stock_id = s.id and d.kind = 'invoice' and (i.released is not null and l.credited < l.price
           or (i.released is not null or d.replaced_by_id is not null) and not exists (select from document c
             join document_line e on e.document_id = c.id
             where c.credits_id = d.id and e.stock_id = l.stock_id and e.credit_kind <> 'allowance'))) as is_kept_back,
       (select coalesce(sum(sign * cost), 0) from line where stock_id = s.id)
         + (select coalesce(sum(purchase), 0) from purchase_correction p where p.stock_id = s.id) as purchases,
       (select coalesce(sum(sign * margin_vat), 0) from line where stock_id = s.id)
         + (select coalesce(sum(margin_vat), 0) from purchase_correction p where p.stock_id = s.id) as vat
     from stock s left join lateral (
       select l.price - l.credited as left, l.margin_rate from document d
         join document_line l on l.document_id = d.id
         join sale_item i on i.sale_id = d.sale_id and i.stock_id = l.stock_id and i.released is null
       where l.stock_id = s.id and d.sale_id = s.sale_id and d.kind = 'invoice' and d.replaced_by_id is null) h on true
     where s.id = any($1)`,
    [touched],
  )
  expect(lives).toHaveLength(touched.length)
  for (const { id, price, cost, credited, held, margin_rate, is_kept_back, purchases, vat } of lives) {
    expect(cost, `item #${id}`).toBe(Math.max(0, price - credited))
    // No credit note names a kept part of a price, or a free item.
    if (is_kept_back) continue
    const wanted = held === null ? [0, 0] : [cost, margin_rate === null ? 0 : marginVat(held, cost, margin_rate)]
    expect([purchases, vat], `item #${id}`).toEqual(wanted)
  }
}
