import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { marginVat, share } from '@backstock/contract/sale-total.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { first, getFrom, zip } from '../../lists.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, type Entry, record } from '../../records/log/write.ts'

/** An item of a claim with the whole credit for it. */
type Credited = { stock_id: number; amount: Hundredths }

/** Splits the credit for a whole claim over its items, in proportion to their cost, to the cent. */
export function spreadCredit(whole: Hundredths, items: readonly { stock_id: number; cost: Hundredths }[]): Credited[] {
  const costs = items.map(({ cost }) => BigInt(cost))
  const weights = costs.some((cost) => cost > 0n) ? costs : costs.map(() => 1n)
  const shares = share(BigInt(whole), weights)
  return zip(items, shares).map(([{ stock_id }, amount]) => ({ stock_id, amount: Number(amount) }))
}

/**
 * Books the difference between a claim's credit for each item and the sum that is booked already, on the day of the
 * settlement; if `isLater` is true, today. The cost of the item falls by this difference, also on its sale. The caller
 * has locked the items, then their sales, then the claim.
 */
export async function bookCredits(
  tx: Tx,
  author: Author,
  claim: { id: number; settled_on: string; isLater?: boolean },
  credits: readonly Credited[],
): Promise<void> {
  const { rows } = await sql<Booked>`
    with given as (
      select stock_id, amount - coalesce((select sum(amount) from supplier_credit c
        where c.claim_id = ${claim.id} and c.stock_id = given.stock_id), 0) as amount
      from unnest(${credits.map((one) => one.stock_id)}::int[], ${credits.map((one) => one.amount)}::bigint[])
        as given (stock_id, amount)),
    changed as (
      update stock s set supplier_credit = s.supplier_credit + given.amount from given
      where s.id = given.stock_id and given.amount <> 0
      returning s.id, given.amount, old.cost - new.cost as lowers, s.sale_id),
    booked as (
      insert into supplier_credit (booked_on, claim_id, stock_id, amount, lowers)
      select greatest(${claim.settled_on}::date,
          case when ${claim.isLater ?? false} then (now() at time zone company.time_zone)::date end),
        ${claim.id}, id, amount, lowers from changed, company order by id
      returning stock_id, booked_on)
    select c.id as stock_id, c.amount, c.sale_id, b.booked_on,
      greatest(known.lowers + c.lowers, 0) - greatest(known.lowers, 0) as lowers
    from changed c join booked b on b.stock_id = c.id
      -- A credit from before Backstock kept books did not lower the cost on its sale. So a correction of that credit
      -- gives the sale nothing back.
      cross join lateral (select coalesce(sum(lowers), 0)::int as lowers from supplier_credit k
        where k.claim_id = ${claim.id} and k.stock_id = c.id and k.unknown_to is distinct from c.sale_id) known
    order by c.id`.execute(tx)
  if (rows.length === 0) return
  await record(
    tx,
    author,
    rows.map(({ stock_id, amount }): Entry => {
      const what = amount > 0 ? 'Credited by the supplier' : 'Credit taken back by the supplier'
      const message = `${what} under claim #${claim.id}: ${formatMoney(Math.abs(amount))} ${CURRENCY}.`
      return { type: 'Stock', id: stock_id, content: { type: 'message', data: { message } } }
    }),
  )
  const sold = rows.filter((row): row is Sold => row.sale_id !== null && row.lowers !== 0)
  await lowerOnSales(tx, author, claim.id, sold)
  const sales = [...new Set(sold.map(({ sale_id }) => sale_id))]
  await bookPurchases(tx, sales, { claimId: claim.id, day: first(rows).booked_on })
}

/** Moves the bookings of a settlement to the right day, if its day was wrong. */
export async function moveCredits(tx: Tx, claimId: number, from: string, to: string): Promise<void> {
  await sql`
    update supplier_credit set booked_on = case booked_on when ${from}::date then ${to}::date else greatest(booked_on, ${to}) end
    where claim_id = ${claimId}`.execute(tx)
  await sql`
    update purchase_correction p set booked_on = case p.booked_on when greatest(d.issued_on, ${from}::date)
      then greatest(d.issued_on, ${to}::date) else greatest(p.booked_on, ${to}) end
    from document d where p.claim_id = ${claimId} and d.id = p.document_id`.execute(tx)
}

/** A booked credit. `lowers` is the sum by which the cost on the item's sale falls. */
type Booked = { stock_id: number; amount: number; lowers: number; sale_id: number | null; booked_on: string }
type Sold = Booked & { sale_id: number }

/** Lowers the cost of sold items on their sales, so that the profit follows the final cost. The sales' logs say why. */
async function lowerOnSales(tx: Tx, author: Author, claimId: number, sold: readonly Sold[]): Promise<void> {
  if (sold.length === 0) return
  const { rows: lines } = await sql<{
    sale_id: number
    stock_id: number
    cost: number
    sales_price: number
    allowed_price: number
    margin_rate: number | null
    margin_was: number
    cost_was: number
  }>`
    update sale_item i set cost = greatest(i.cost - given.lowers, 0)
    from unnest(${sold.map(({ sale_id }) => sale_id)}::int[], ${sold.map(({ stock_id }) => stock_id)}::int[],
      ${sold.map(({ lowers }) => lowers)}::int[]) as given (sale_id, stock_id, lowers)
    where i.sale_id = given.sale_id and i.stock_id = given.stock_id and i.released is null
    returning i.sale_id, i.stock_id, i.cost, i.sales_price, i.allowed_price, i.margin_rate, i.margin_vat as margin_was,
      old.cost as cost_was`.execute(tx)
  const vat = lines.map(({ sales_price, cost, margin_rate }) =>
    margin_rate === null ? 0 : marginVat(sales_price, cost, margin_rate),
  )
  await sql`
    update sale_item i set margin_vat = given.vat
    from unnest(${lines.map(({ sale_id }) => sale_id)}::int[], ${lines.map(({ stock_id }) => stock_id)}::int[],
      ${vat}::int[]) as given (sale_id, stock_id, vat)
    where i.sale_id = given.sale_id and i.stock_id = given.stock_id`.execute(tx)
  // With the new cost, the allowance takes another sum off the VAT in the margin.
  const allowed = zip(lines, vat).map(([line, margin_vat]) => {
    const { sales_price, allowed_price, cost, cost_was, margin_rate, margin_was } = line
    if (margin_rate === null || allowed_price === 0) return 0
    const left = (bought: Hundredths) => marginVat(sales_price - allowed_price, bought, margin_rate)
    return margin_vat - left(cost) - (margin_was - left(cost_was))
  })
  await sql`
    update sale set returned_margin_vat = returned_margin_vat + given.vat
    from (select sale_id, sum(vat) as vat from unnest(${lines.map(({ sale_id }) => sale_id)}::int[], ${allowed}::int[])
      as line (sale_id, vat) group by sale_id having sum(vat) <> 0) given
    where sale.id = given.sale_id`.execute(tx)
  const { rows: changed } = await sql<ChangedSale>`
    update sale set total_purchase_price = i.cost, total_margin_vat = i.margin_vat
    from (select sale_id, sum(cost) as cost, sum(margin_vat) as margin_vat from sale_item
      where sale_id = any(${lines.map(({ sale_id }) => sale_id)}::int[]) and released is distinct from 'removed'
      group by sale_id) i
    where i.sale_id = sale.id
    returning sale.id, old.total_purchase_price as cost_was, new.total_purchase_price as cost,
      old.total_margin_vat as vat_was, new.total_margin_vat as vat`.execute(tx)
  const itemsOf = Map.groupBy(lines, ({ sale_id }) => sale_id)
  await record(
    tx,
    author,
    changed
      .filter(({ cost_was, cost, vat_was, vat }) => cost !== cost_was || vat !== vat_was)
      .toSorted((a, b) => a.id - b.id)
      .map((sale): Entry => {
        const items = listed(getFrom(itemsOf, sale.id).map(({ stock_id }) => stock_id))
        const message = `Credit of supplier claim #${claimId} for ${items}: ${newSums(sale)}.`
        return { type: 'Sale', id: sale.id, content: { type: 'message', data: { message } } }
      }),
  )
}

type ChangedSale = { id: number; cost_was: number; cost: number; vat_was: number; vat: number }

/** The new sums of a sale in words: `purchase price 510.00 EUR (before: 570.00 EUR)`. */
function newSums({ cost_was, cost, vat_was, vat }: ChangedSale): string {
  const sum = (was: number, is: number) => `${formatMoney(is)} ${CURRENCY} (before: ${formatMoney(was)} ${CURRENCY})`
  const cost_now = `purchase price ${sum(cost_was, cost)}`
  return vat === vat_was ? cost_now : `${cost_now}, VAT in the margin ${sum(vat_was, vat)}`
}

/**
 * A line of an invoice whose item a supplier has credited. `purchase`, `margin` and `margin_vat` are what is booked
 * already.
 */
type SoldLine = {
  document_id: number
  stock_id: number
  claim_id: number
  treatment: string
  margin_rate: number | null
  /** The cost of the item on the invoice, and its present cost on the sale. */
  cost: number
  cost_now: number
  /** The parts of the price and of the cost that no credit note has taken back. */
  price_left: number
  cost_left: number
  /** Whether this is the item's line on the standing invoice, and the item has not come back. */
  is_held: boolean
  purchase: number
  margin: number
  margin_vat: number
}

/**
 * Books the difference between the present cost and margin of these sales' items and those on their invoices, because a
 * standing invoice never changes. If a credit note takes an invoice back, it takes these bookings back, too. In the
 * books, the difference counts on the day of the credit, or of the document that changes it, but never before the
 * invoice.
 */
export async function bookPurchases(
  tx: Tx,
  saleIds: readonly number[],
  credit?: { claimId: number; day: string },
): Promise<void> {
  if (saleIds.length === 0) return
  const { rows } = await sql<SoldLine>`
    select l.document_id, l.stock_id, l.treatment, l.margin_rate, l.cost, i.cost as cost_now,
      l.price - l.credited as price_left, l.cost - coalesce(c.cost, 0) as cost_left,
      d.replaced_by_id is null and (i.released is null or i.released = 'lost') as is_held,
      coalesce(${credit?.claimId ?? null}::int, given.claim_id) as claim_id,
      coalesce(p.purchase, 0) as purchase, coalesce(p.margin, 0) as margin, coalesce(p.margin_vat, 0) as margin_vat
    from document d join document_line l on l.document_id = d.id
      join sale_item i on i.sale_id = d.sale_id and i.stock_id = l.stock_id
      join lateral (select max(claim_id) as claim_id from supplier_credit where stock_id = l.stock_id) given
        on given.claim_id is not null
      left join lateral (select sum(n.cost) as cost from document m join document_line n on n.document_id = m.id
        where m.credits_id = d.id and n.stock_id = l.stock_id) c on true
      left join lateral (select sum(purchase) as purchase, sum(margin) as margin, sum(margin_vat) as margin_vat
        from purchase_correction p where p.document_id = d.id and p.stock_id = l.stock_id and p.treatment = l.treatment
          and p.margin_rate is not distinct from l.margin_rate) p on true
    where d.sale_id = any(${[...saleIds]}::int[]) and d.kind = 'invoice'
    union all
    -- Lines that an invoice lost before it was final, or whose treatment has changed since.
    select p.document_id, p.stock_id, p.treatment, p.margin_rate, 0, 0, 0, 0, false, max(p.claim_id), sum(p.purchase), sum(p.margin),
      sum(p.margin_vat)
    from purchase_correction p join document d on d.id = p.document_id
    where d.sale_id = any(${[...saleIds]}::int[]) and not exists (
      select from document_line l where (l.document_id, l.stock_id, l.treatment) = (p.document_id, p.stock_id, p.treatment)
        and l.margin_rate is not distinct from p.margin_rate)
    group by p.document_id, p.stock_id, p.treatment, p.margin_rate`.execute(tx)
  const corrections = rows
    .map(correctionOf)
    .filter(({ purchase, margin, margin_vat }) => purchase || margin || margin_vat)
  if (corrections.length === 0) return
  await sql`
    insert into purchase_correction (booked_on, document_id, stock_id, claim_id, treatment, margin_rate, purchase, margin,
      margin_vat)
    select greatest(d.issued_on, coalesce(${credit?.day ?? null}::date, (clock_timestamp() at time zone company.time_zone)::date)),
      n.document_id, n.stock_id, n.claim_id, n.treatment, n.margin_rate, n.purchase, n.margin, n.margin_vat
    from company, json_to_recordset(${JSON.stringify(corrections)}) as n (document_id int, stock_id int, claim_id int,
      treatment text, margin_rate int, purchase int, margin int, margin_vat int)
      join document d on d.id = n.document_id
    order by n.document_id, n.stock_id`.execute(tx)
}

/** The part of a line's difference that is not booked yet. */
function correctionOf(line: SoldLine) {
  const { cost, cost_now, price_left, cost_left, margin_rate, is_held } = line
  // Whether the line still has its purchase price: a returned item has given it back. If the purchase price is 0, or an
  // allowance has taken the whole price, no credit note shows that; then `is_held` decides.
  const isLeft = is_held ? cost === 0 || cost_left > 0 : cost_left > 0 && price_left > 0
  const at = (bought: Hundredths) => ({
    margin: margin_rate === null ? 0 : Math.max(price_left - bought, 0),
    vat: margin_rate === null ? 0 : marginVat(price_left, bought, margin_rate),
  })
  const [was, is] = [at(cost), isLeft ? at(cost_now) : at(cost)]
  return {
    ...line,
    purchase: (isLeft ? cost_now - cost : 0) - line.purchase,
    margin: is.margin - was.margin - line.margin,
    margin_vat: is.vat - was.vat - line.margin_vat,
  }
}
