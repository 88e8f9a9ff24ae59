import fc from 'fast-check'
import { expect } from 'vitest'
import { loseItems } from '../../packages/server/src/areas/sale/change/lose-items.ts'
import { violationsIn } from '../../packages/server/src/invariants/check.ts'
import type { Answer } from '../../packages/server/src/testing/app.ts'
import { SEED } from '../../packages/server/src/testing/chance.ts'
import { turns } from './figures.ts'
import type { PromiseShop } from './shop.ts'
import type { SupplierCredits } from './supplier-credits.ts'

/**
 * The amount that the buyer owes for each item of a sale, as typed: the whole price, the kept part of a returned item's
 * price, or 0.
 */
export type Owed = ReadonlyMap<number, number>

export type Histories = {
  /** Makes the sale and does everything in its history. Returns the ids of the sales that it touched, its own first. */
  play(one: History): Promise<number[]>
  owed(saleId: number): Owed
  /** Ends a year: all documents so far are moved to the year before, and numbers begin anew. */
  endYear(): Promise<void>
  /** Checks that final documents are unchanged, to the byte. Returns the number of documents. */
  compareLeft(): Promise<number>
  /**
   * Compares the documents without a file in the list with those that `check:data` names, and makes all of them again.
   * Returns their number.
   */
  makeMissing(): Promise<number>
  /** How often each kind of action succeeded. `refused` counts those that were refused. */
  answers: {
    done: number
    refused: number
    returned: number
    inPart: number
    ofTwoSales: number
    resubmitted: number
    resold: number
    allowed: number
    paid: number
    /**
     * The number of files that were taken off, and of items that came back with another treatment of their purchase.
     */
    takenOff: number
    boughtOtherwise: number
  }
}

/** The number of histories: a few on the daily run, 10,000 in the full run, or `SALES=…`. */
export const SALES = Number(process.env['SALES'] ?? turns(15, 10_000))
/** Enough time for a machine that is busy with other things. */
export const LIMIT_MS = 300_000 + SALES * 1000

const VATS = ['standard', 'reduced', 'zero', 'exempt'] as const
const CUSTOMERS = ['home', 'business', 'german', 'swiss'] as const

const price = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 99_999 }))
const line = fc.record({
  price,
  cost: price,
  vat: fc.constantFrom(...VATS, null),
  purchase: fc.constantFrom('unknown', 'standard', 'margin'),
  /** Whether a person sells the item with VAT although the rules say margin scheme. */
  isByHand: fc.boolean(),
})
const at = fc.nat({ max: 7 })
const deed = fc.oneof(
  fc.record({
    what: fc.constant('correct' as const),
    at,
    price,
    customer: fc.constantFrom('kept', 'same', 'renumbered'),
    wanted: fc.constantFrom(undefined, undefined, 'standard', 'margin'),
  }),
  // The shop changes its rates and their meaning.
  fc.record({
    what: fc.constant('change rates' as const),
    high: fc.constantFrom(21, 25),
    margin: fc.constantFrom(21, 25),
  }),
  // An item comes back for a part of its price, is sold again to the same buyer, and may come back again.
  fc.record({
    what: fc.constant('resell' as const),
    at,
    price,
    first: fc.constantFrom(0, 1, 50, 100),
    percent: fc.constantFrom(undefined, 0, 1, 50, 100),
  }),
  fc.record({ what: fc.constant('return' as const), at }),
  // Returns these items, sometimes with an item of an earlier sale. Crediting more than the whole price is refused.
  fc.record({
    what: fc.constant('return in part' as const),
    items: fc.uniqueArray(at, { minLength: 1, maxLength: 3 }),
    percent: fc.constantFrom(null, 0, 1, 33, 50, 100, 101),
    outcome: fc.constantFrom('restock', 'inbound', 'scrap'),
    withEarlier: fc.boolean(),
    isAnnounced: fc.boolean(),
  }),
  // The buyer keeps the item for less. An allowance of 101% is refused.
  fc.record({ what: fc.constant('allow' as const), at, percent: fc.constantFrom(1, 33, 50, 100, 101) }),
  fc.record({ what: fc.constant('lose' as const), at }),
  // An item is deleted while the sale waits for dispatch, and comes back with another treatment of its purchase.
  fc.record({
    what: fc.constant('buy otherwise' as const),
    at,
    purchase: fc.constantFrom('unknown' as const, 'standard' as const, 'margin' as const),
  }),
  // Pays a part of the open amount, all of it, or more. Below 0 it is a refund, in percent of the paid amount.
  fc.record({ what: fc.constant('pay' as const), percent: fc.constantFrom(-50, 1, 33, 100, 130) }),
  fc.record({
    what: fc.constantFrom('dispatch' as const, 'download' as const, 'generate' as const, 'delete file' as const),
  }),
)
const dispatched = { what: 'dispatch' as const }
/** The actions on a sale. Half of the sales are dispatched in between: only then can items come back. */
const deeds = fc
  .tuple(fc.array(deed, { maxLength: 3 }), fc.boolean(), fc.array(deed, { maxLength: 5 }))
  .map(([before, isSent, after]) => [...before, ...(isSent ? [dispatched] : []), ...after])
/** A sale with mixed treatments and rates, and the actions on it. */
export const history = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 8 }),
  customer: fc.constantFrom(...CUSTOMERS),
  includeVat: fc.boolean(),
  deeds,
  isVoided: fc.boolean(),
})
export type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never
type Deed = History['deeds'][number]

type Played = {
  id: number
  items: number[]
  buyer: number
  owed: Map<number, number>
  lost: Set<number>
  dispatched: boolean
  /** Whether the buyer has another VAT number now than the sale has. */
  isRenumbered?: boolean
}

/** A Dutch shop with customers of all kinds. `credits` lets suppliers act in between. */
export async function openHistories(t: PromiseShop, credits?: SupplierCredits): Promise<Histories> {
  const admin = await t.user('ROLE_ADMIN')
  // With prices of some hundred EUR some sales reach this threshold.
  await t.rows('update category set is_reverse_charge_good = true')
  await t.rows(
    "update reverse_charge_rule set threshold = 50000, valid_to = null, series = 'RC' where country_code = 'NL'",
  )
  const company = { country_code: 'NL', postal_code: '1012 AB', vat_number: 'NL810433941B01', margin_rate: 21 }
  await admin.post('/api/company/edit', company)
  const vat = async (name: string, rate: number, treatment: string, exemption_text: string | null = null) =>
    (await admin.post('/api/vat/create', { name, rate, treatment, exemption_text })).body.data.id
  const vats = {
    standard: await vat('High', 21, 'standard'),
    reduced: await vat('Low', 9, 'standard'),
    zero: await vat('None', 0, 'zero'),
    exempt: await vat('Free', 0, 'exempt', 'Article 132'),
  }
  const customer = async (country_code: string, vat_number: string | null) => {
    const billing_address = { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code }
    const names = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test' }
    const { body } = await t.staff.post('/api/customer/create', { ...names, vat_number, billing_address })
    return { id: body.data.id as number, vat_number }
  }
  const setNumber = async (id: number, vat_number: string | null) =>
    expect((await t.staff.post(`/api/customer/${id}/edit`, { vat_number })).status).toBe(200)
  const customers = {
    home: await customer('NL', null),
    business: await customer('NL', 'NL123456782B90'),
    german: await customer('DE', 'DE136695976'),
    swiss: await customer('CH', null),
  }

  const answers = {
    done: 0,
    refused: 0,
    returned: 0,
    inPart: 0,
    ofTwoSales: 0,
    resubmitted: 0,
    resold: 0,
    allowed: 0,
    paid: 0,
    takenOff: 0,
    boughtOtherwise: 0,
  }
  const played = new Map<number, Played>()
  /** Other sales that the present history has made. */
  let resold: number[] = []
  /** The last dispatched sale of each buyer. */
  const earlier = new Map<number, Played>()

  async function sold({ lines, customer, includeVat }: History): Promise<Played> {
    const items: number[] = []
    for (const { cost, vat, purchase } of lines) {
      const columns = { purchase_price: cost, vat_id: vat && vats[vat], purchase_treatment: purchase as 'unknown' }
      items.push(...(await t.items(1, columns)))
    }
    await credits?.beforeSale(items)
    const stock_items = items.map((id, n) => {
      const { price, vat, purchase, isByHand } = lines[n]!
      const isChosen = isByHand && purchase === 'margin' && (vat === 'standard' || vat === 'reduced')
      return { id, sales_price: price, ...(isChosen && { vat_treatment: 'standard' }) }
    })
    const more = { stock_items, customer_id: customers[customer].id, includeVat, create_invoice: true }
    const answer = await t.sell(t.staff, [], more)
    expect(answer.status, answer.body.message).toBe(201)
    const owed = new Map(items.map((id, n) => [id, lines[n]!.price]))
    const { id } = answer.body.data
    return { id, items, buyer: customers[customer].id, owed, lost: new Set(), dispatched: false }
  }

  /**
   * The VAT decisions for each line, as the sale has stored them. Line `but` is left out, because a person has decided
   * it anew.
   */
  async function decided(id: number, but?: number): Promise<string> {
    const rows = await t.rows<{ line: string }>(
      `select concat_ws(' ', stock_id, vat_treatment, vat_rate, margin_rate, vat_why, type_rate, type_treatment) as line
       from sale_item where sale_id = $1 and stock_id <> $2 order by stock_id`,
      [id, but ?? 0],
    )
    return rows.map(({ line }) => line).join('\n')
  }

  async function resell(
    sale: Played,
    item: number,
    one: Extract<Deed, { what: 'resell' }>,
  ): Promise<Played | undefined> {
    const [free] = await t.rows("select from stock where id = $1 and status in ('In Stock', 'In Batch')", [item])
    if (!free) return undefined
    const more = { stock_items: [{ id: item, sales_price: one.price }], customer_id: sale.buyer, create_invoice: true }
    const { status, body } = await t.sell(t.staff, [], more)
    expect(status, body.message).toBe(201)
    const again: Played = {
      ...{ id: body.data.id, items: [item], buyer: sale.buyer, owed: new Map([[item, one.price]]) },
      ...{ lost: new Set(), dispatched: true },
    }
    played.set(again.id, again)
    answers.resold++
    for (const to of ['Awaiting Dispatch', 'Dispatched'])
      expect((await t.staff.post(`/api/sale/${again.id}/edit`, { status: to })).status).toBe(200)
    if (one.percent !== undefined) await returnInPart(again, backInStock(0, one.percent))
    return again
  }

  /** Does an action. Returns false if it was refused; then sales, documents and numbers must be unchanged. */
  async function isDone(sales: readonly Played[], ask: () => Promise<Answer>): Promise<boolean> {
    const ids = sales.map(({ id }) => id)
    const before = await contentOf(t, ids)
    const { status, body } = await ask()
    expect([200, 201, 404, 409, 422], body.message).toContain(status)
    const is = status < 300
    answers[is ? 'done' : 'refused']++
    if (!is) expect(await contentOf(t, ids), body.message).toBe(before)
    return is
  }

  async function returnInPart(sale: Played, one: Extract<Deed, { what: 'return in part' }>): Promise<void> {
    const { percent, outcome } = one
    const other = one.withEarlier ? earlier.get(sale.buyer) : undefined
    const sales = [sale, ...(other ? [other] : [])]
    const own = [...new Set(one.items.map((at) => sale.items[at % sale.items.length]!))]
    const of = [
      ...own.map((id) => ({ id, sale })),
      ...(other ? [{ id: other.items[one.items[0]! % other.items.length]!, sale: other }] : []),
    ]
    const priceOf = (whole: number) => (percent === null ? null : Math.ceil((whole * percent) / 100))
    const items = of.map(({ id, sale: { id: sale_id, owed } }) => ({
      id,
      sale_id,
      outcome,
      price: priceOf(owed.get(id)!),
    }))
    const body = { customer_id: sale.buyer, items, received: !one.isAnnounced }
    let made = 0
    const isTaken = await isDone(sales, async () => {
      const answer = await t.staff.post('/api/return/create', body)
      made = answer.body.data?.id
      return answer
    })
    if (!isTaken) return
    if (one.isAnnounced && !(await isDone(sales, () => t.staff.post(`/api/return/${made}/receive`, {})))) return
    for (const [n, { id, sale: of_ }] of of.entries()) {
      const back = items[n]!.price ?? of_.owed.get(id)!
      if (back < of_.owed.get(id)!) answers.inPart++
      of_.owed.set(id, of_.owed.get(id)! - back)
    }
    answers.returned += of.length
    if (other) answers.ofTwoSales++
  }

  /**
   * Deletes an item while the sale waits for dispatch, then submits the sale again. If `purchase` is given, the item
   * comes back, bought with this treatment, and stays in the sale.
   */
  async function lose(sale: Played, item: number, purchase?: 'unknown' | 'standard' | 'margin'): Promise<void> {
    const [open] = await t.rows(
      "select from stock join sale on sale.id = sale_id where stock.id = $1 and sale_id = $2 and sale.status <> 'Dispatched'",
      [item, sale.id],
    )
    if (open)
      await t.db.write(async (tx) => {
        const gone = { status: 'Deleted', sale_id: null, in_hand: false } as const
        await tx.updateTable('stock').set(gone).where('id', '=', item).execute()
        await loseItems(tx, [{ id: item, saleId: sale.id, productName: 'Phone' }], { userId: null })
        const back = { status: 'In Stock', in_hand: true, purchase_treatment: purchase } as const
        if (purchase) await tx.updateTable('stock').set(back).where('id', '=', item).execute()
        else sale.lost.add(item)
      })
    const others = await decided(sale.id, item)
    const isAgain = await isDone([sale], () =>
      t.staff.post(`/api/sale/${sale.id}/edit`, { status: 'Awaiting Dispatch' }),
    )
    if (isAgain && open && purchase) {
      answers.boughtOtherwise++
      if (sale.lost.size === 0) expect(await decided(sale.id, item)).toBe(others)
      await compareBought(sale.id, item, purchase)
    }
    if (!isAgain || sale.lost.size === 0) return
    for (const lost of sale.lost) sale.owed.set(lost, 0)
    sale.lost.clear()
    answers.resubmitted++
  }

  /**
   * Compares the treatment of the item's purchase in the sale with `purchase`, and checks that its VAT treatment fits.
   */
  async function compareBought(saleId: number, item: number, purchase: string): Promise<void> {
    const [line] = await t.rows<{ vat_treatment: string; purchase_treatment: string }>(
      'select vat_treatment, purchase_treatment from sale_item where (sale_id, stock_id) = ($1, $2)',
      [saleId, item],
    )
    expect(line!.purchase_treatment).toBe(purchase)
    if (purchase === 'standard') expect(line!.vat_treatment).not.toBe('margin')
    if (purchase === 'margin') expect(['margin', 'standard', 'export']).toContain(line!.vat_treatment)
  }

  /**
   * Pays this percentage of the open amount. If it is below 0, refunds that percentage of the paid amount. The request
   * has the open amount that the person has seen.
   */
  async function pay(sale: Played, percent: number): Promise<void> {
    const [now] = await t.rows<{ open: number; paid: number; day: string }>(
      `select open_amount as open, paid_total as paid, (now() at time zone time_zone)::date as day from sale, company
       where sale.id = $1`,
      [sale.id],
    )
    const amount = Math.round((Number(percent < 0 ? now!.paid : now!.open) * percent) / 100)
    const body = { paid_on: now!.day, open_amount: Number(now!.open), ...(amount !== 0 && { amount }) }
    if (await isDone([sale], () => t.staff.post(`/api/sale/${sale.id}/pay`, body))) answers.paid++
  }

  async function does(sale: Played, one: Deed): Promise<void> {
    const { id, items, owed } = sale
    const item = 'at' in one ? items[one.at % items.length]! : 0
    switch (one.what) {
      case 'correct': {
        if (one.customer === 'renumbered') {
          await setNumber(sale.buyer, one.price % 2 ? null : 'DE136695976')
          sale.isRenumbered = true
        }
        const line = { id: item, sales_price: one.price, vat_treatment: one.wanted }
        const to = { customer: one.customer !== 'kept', items: [line] }
        const but = one.wanted && item
        const before = await decided(id, but)
        const isMade = await isDone([sale], () => t.staff.post(`/api/sale/${id}/correct`, to))
        if (isMade) owed.set(item, one.price)
        // An earlier action may have given the buyer another VAT number.
        if (one.customer === 'kept' || (one.customer === 'same' && !sale.isRenumbered))
          expect(await decided(id, but)).toBe(before)
        if (isMade && to.customer) sale.isRenumbered = false
        break
      }
      case 'change rates':
        await admin.post(`/api/vat/${vats.standard}/edit`, { rate: one.high })
        await admin.post('/api/company/edit', { margin_rate: one.margin })
        break
      case 'resell': {
        if (sale.dispatched) await returnInPart(sale, backInStock(one.at, one.first))
        const again = await resell(sale, item, one)
        if (again) resold.push(again.id)
        break
      }
      case 'return':
        if (await isDone([sale], () => t.staff.post(`/api/sale/${id}/return-item/${item}`))) owed.set(item, 0)
        break
      case 'return in part':
        await returnInPart(sale, one)
        break
      case 'allow': {
        const price = Math.ceil(((owed.get(item) ?? 0) * one.percent) / 100)
        if (!(await isDone([sale], () => t.staff.post(`/api/sale/${id}/allow`, { items: [{ id: item, price }] }))))
          break
        owed.set(item, owed.get(item)! - price)
        answers.allowed++
        break
      }
      case 'lose':
        await lose(sale, item)
        break
      case 'buy otherwise':
        await lose(sale, item, one.purchase)
        break
      case 'pay':
        await pay(sale, one.percent)
        break
      case 'delete file':
        if (await isDone([sale], () => t.staff.delete(`/api/sale/${id}/invoice/delete`))) answers.takenOff++
        break
      case 'dispatch':
        for (const status of ['Awaiting Dispatch', 'Dispatched'])
          if ((await isDone([sale], () => t.staff.post(`/api/sale/${id}/edit`, { status }))) && status === 'Dispatched')
            sale.dispatched = true
        break
      case 'generate':
        await isDone([sale], () => t.staff.post(`/api/sale/${id}/invoice/generate`, { lang: 'de' }))
        break
      case 'download':
        await download(id)
    }
  }

  /**
   * The SHA-256 of each final document's XML and of all that it prints, without the parts that the end of a year
   * changes.
   */
  const left = new Map<number, string>()
  const PRINTED = `encode(sha256(convert_to((v.data - 'number' - 'issued_on' - 'supplied_on' - 'credits')::text, 'UTF8')), 'hex')`
  const printed = async (ids: readonly number[]) =>
    t.rows<{ id: number; seal: string }>(
      `select d.id, ${PRINTED} || coalesce((select string_agg(encode(sha256, 'hex'), ' ' order by syntax) from document_xml x
         where (x.document_id, x.version) = (v.document_id, v.version)), '') as seal
       from document d join lateral (select * from document_version where document_id = d.id and not is_copy
         order by version desc limit 1) v on true
       where d.id = any($1)`,
      [ids],
    )
  async function download(saleId: number): Promise<void> {
    const here = await t.rows<{ id: number }>('select id from document where sale_id = $1 and left_at is null', [
      saleId,
    ])
    for (const { id } of here) {
      const { status, raw } = await t.staff.get(`/api/document/${id}/ubl`)
      if (status === 200) expect(raw.toString()).toContain('<cbc:ID>')
      else await t.rows('update document set left_at = now() where id = $1', [id])
    }
  }
  async function rememberLeft(sales: readonly number[]): Promise<void> {
    const gone = await t.rows<{ id: number }>(
      'select id from document where sale_id = any($1) and left_at is not null',
      [sales],
    )
    const fresh = gone.map(({ id }) => id).filter((id) => !left.has(id))
    for (const { id, seal } of await printed(fresh)) left.set(id, seal)
  }

  return {
    answers,
    owed: (saleId) => played.get(saleId)!.owed,
    endYear: () => endYear(t),
    async compareLeft() {
      for (const { id, seal } of await printed([...left.keys()])) expect([id, seal]).toEqual([id, left.get(id)])
      return left.size
    },
    async makeMissing() {
      const named = (await violationsIn(t.connection)).flatMap(
        ({ what }) => / (\S+) has a number and no file: it was taken off/.exec(what)?.[1] ?? [],
      )
      const find = () => t.staff.get('/api/document/find?status=none&per_page=100')
      const offered: string[] = []
      for (let found = (await find()).body.data; found.length > 0; found = (await find()).body.data)
        for (const { id, number } of found) {
          offered.push(number)
          const { status, body } = await t.staff.post(`/api/document/${id}/generate`, {})
          expect([number, status, body.message]).toEqual([number, 200, expect.stringContaining('is being made')])
        }
      expect(offered.toSorted()).toEqual(named.toSorted())
      return offered.length
    },
    async play(one) {
      resold = []
      const sale = await sold(one)
      const before = earlier.get(sale.buyer)
      played.set(sale.id, sale)
      for (const deed of one.deeds) {
        await does(sale, deed)
        await credits?.afterwards(sale.items)
      }
      if (one.deeds.some((deed) => deed.what === 'correct' && deed.customer === 'renumbered'))
        await setNumber(sale.buyer, customers[one.customer].vat_number)
      const voided = () => t.staff.post(`/api/sale/${sale.id}/edit`, { status: 'Voided' })
      const called = () => t.staff.post(`/api/sale/${sale.id}/cancel`, {})
      const isOff = one.isVoided && ((await isDone([sale], voided)) || (await isDone([sale], called)))
      if (isOff) for (const item of sale.items) sale.owed.set(item, 0)
      for (const { id } of played.values())
        if (![sale.id, before?.id, ...resold, ...[...earlier.values()].map((kept) => kept.id)].includes(id))
          played.delete(id)
      if (sale.dispatched) earlier.set(sale.buyer, sale)
      const touched = [sale.id, ...resold, ...(before ? [before.id] : [])]
      await rememberLeft(touched)
      return touched
    },
  }
}

const backInStock = (at: number, percent: 0 | 1 | 50 | 100) => ({
  ...{ what: 'return in part' as const, items: [at], percent, outcome: 'restock' as const },
  ...{ withEarlier: false, isAnnounced: false },
})

/** A hash of everything that is stored about these sales, and of the last number of each series. */
async function contentOf(t: PromiseShop, ids: readonly number[]): Promise<string> {
  const rows = (from: string) => `select to_jsonb(r)::text as x from ${from}`
  const ofDocuments = (table: string) =>
    rows(`${table} r join document d on d.id = r.document_id where d.sale_id = any($1)`)
  const ofSales = ['document', 'sale_item', 'sale_vat', 'mail', 'customer_return_item']
  const parts = [
    rows('sale r where id = any($1)'),
    ...ofSales.map((table) => rows(`${table} r where sale_id = any($1)`)),
    ...['document_line', 'document_vat', 'document_version'].map(ofDocuments),
    rows('stock r where id in (select stock_id from sale_item where sale_id = any($1))'),
    rows('payment r where sale_id = any($1)'),
    rows("log r where loggable_type = 'Sale' and loggable_id = any($1)"),
    rows('number_series r'),
  ]
  const [found] = await t.rows<{ hash: string }>(
    `select md5(string_agg(x, '' order by x)) as hash from (${parts.join(' union all ')}) all_rows`,
    [ids],
  )
  return found!.hash
}

/** Moves all documents and credits so far to the year before. */
async function endYear(t: PromiseShop): Promise<void> {
  const earlier = (json: string, field: string) =>
    `case when ${json} ->> '${field}' is not null then jsonb_build_object('${field}', (${json} ->> '${field}')::date - 365) else '{}' end`
  const client = await t.db.pool.connect()
  try {
    for (const statement of [
      'begin',
      'set local session_replication_role = replica',
      'update document set year = year - 1, issued_on = issued_on - 365, due_on = due_on - 365',
      'update number_series set year = year - 1',
      `update document_version v set data = v.data || jsonb_build_object('number', d.printed) || ${earlier('v.data', 'issued_on')}
         || ${earlier('v.data', 'supplied_on')} || case when c.id is null then '{}' else
         jsonb_build_object('credits', jsonb_build_object('number', c.printed, 'issued_on', c.issued_on)) end
       from document d left join document c on c.id = d.credits_id where d.id = v.document_id`,
      `update sale set invoice_number = d.printed, due_on = d.due_on from document d
       where d.sale_id = sale.id and d.kind = 'invoice' and d.replaced_by_id is null`,
      ...['supplier_credit', 'purchase_correction'].map((table) => `update ${table} set booked_on = booked_on - 365`),
      'update supplier_claim set settled_on = settled_on - 365 where settled_on is not null',
      'commit',
    ])
      await client.query(statement)
  } finally {
    client.release()
  }
}

/** How many histories are kept in memory. After this many the test reports its progress. */
const AT_ONCE = 250

/**
 * Plays `SALES` histories one after another, and checks each sale. In the middle a year ends. If a check fails, the
 * error has the history, and `SEED=…` with which it can be played again.
 */
export async function playAll({ play, endYear }: Histories, check: (saleId: number) => Promise<void>): Promise<void> {
  const first = SEED
  const began = performance.now()
  for (let done = 0; done < SALES; done += AT_ONCE) {
    const seed = first + done
    const some = fc.sample(history, { seed, numRuns: Math.min(AT_ONCE, SALES - done) })
    for (const [n, one] of some.entries()) {
      if (done + n === Math.floor(SALES / 2)) await endYear()
      await play(one)
        .then(async (ids) => {
          for (const id of ids) await check(id)
        })
        .catch((error: Error) => {
          const again = `SEED=${seed} SALES=${n + 1}`
          throw new Error(`${error.message}\nAgain with ${again}: ${JSON.stringify(one)}`, { cause: error })
        })
    }
    const seconds = Math.round((performance.now() - began) / 1000)
    if (SALES > AT_ONCE) process.stdout.write(`${done + some.length} of ${SALES} sales after ${seconds} s\n`)
  }
}
