import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_PRICE } from './money.ts'
import { creditTotals, leftOf, marginVat, netOf, type PricedLine, saleTotals, share } from './sale-total.ts'
import type { Treatment } from './treatment.ts'

const line = fc.record({
  price: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: MAX_PRICE })),
  rate: fc.constantFrom(0, 1, 550, 700, 2100, 2300, 10_000),
  treatment: fc.constantFrom('standard' as const, 'margin' as const),
})
const lines = fc.array(line, { minLength: 1, maxLength: 60 })

type Rate = { lines: number[]; sum: bigint; rate: bigint }

const byRate = (all: PricedLine[]) => {
  const rates = new Map<string, Rate>()
  all.forEach(({ price, rate, treatment }, index) => {
    const one = rates.get(`${treatment}/${rate}`) ?? { lines: [], sum: 0n, rate: BigInt(rate) }
    one.lines.push(index)
    one.sum += BigInt(price)
    rates.set(`${treatment}/${rate}`, one)
  })
  return rates
}

/** Whether `rounded` is `numerator / denominator`, rounded to the nearest whole number, halves up. */
const isRoundedHalfUp = (rounded: bigint, numerator: bigint, denominator: bigint) => {
  const twice = 2n * numerator - 2n * rounded * denominator
  return -denominator <= twice && twice < denominator
}

const sum = (values: number[]) => values.reduce((total, value) => total + BigInt(value), 0n)

test('the VAT of each rate is that of the sum of its lines, rounded half up, and nothing is lost in the totals', () => {
  fc.assert(
    fc.property(lines, fc.boolean(), (all, gross) => {
      const totals = saleTotals(all, gross)
      const rates = byRate(all)
      expect(totals.vat).toHaveLength(rates.size)
      for (const { treatment, rate, net, vat } of totals.vat) {
        const { lines: indexes, sum: typed } = rates.get(`${treatment}/${rate}`)!
        const of = gross ? 10_000n + BigInt(rate) : 10_000n
        expect(isRoundedHalfUp(BigInt(vat), typed * BigInt(rate), of)).toBe(true)
        expect(BigInt(net)).toBe(gross ? typed - BigInt(vat) : typed)
        expect(sum(indexes.map((index) => totals.lines[index]!.sales_price))).toBe(BigInt(net))
      }
      expect(BigInt(totals.total_sales_price)).toBe(sum(totals.lines.map((one) => one.sales_price)))
      expect(BigInt(totals.total_sales_price_vat)).toBe(
        sum(totals.vat.map((one) => one.net)) + sum(totals.vat.map((one) => one.vat)),
      )
      if (gross) expect(BigInt(totals.total_sales_price_vat)).toBe(sum(all.map((one) => one.price)))
      expect(totals.lines.map((one) => one.sales_price_vat)).toEqual(all.map((one) => (gross ? one.price : null)))
    }),
    { numRuns: 2000 },
  )
})

test('with prices that include VAT, each net price is its share rounded down; the largest remainders get a cent', () => {
  fc.assert(
    fc.property(lines, (all) => {
      const totals = saleTotals(all, true)
      for (const { treatment, rate, net } of totals.vat) {
        const { lines: indexes, sum: whole } = byRate(all).get(`${treatment}/${rate}`)!
        if (whole === 0n) continue
        const shares = indexes.map((index) => {
          const exact = BigInt(net) * BigInt(all[index]!.price)
          return { more: BigInt(totals.lines[index]!.sales_price) - exact / whole, remainder: exact % whole }
        })
        for (const { more } of shares) expect(more === 0n || more === 1n).toBe(true)
        const raised = shares.filter(({ more }) => more === 1n).map(({ remainder }) => remainder)
        const kept = shares.filter(({ more }) => more === 0n).map(({ remainder }) => remainder)
        const lowestRaised = raised.reduce((low, one) => (one < low ? one : low), whole)
        for (const remainder of kept) expect(remainder <= lowestRaised).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a sale as it stands on paper', () => {
  const totals = saleTotals(
    [
      { price: 10_000, rate: 2300, treatment: 'standard' },
      { price: 10_000, rate: 2300, treatment: 'standard' },
      { price: 9_999, rate: 0, treatment: 'standard' },
    ],
    true,
  )
  expect(totals.lines.map((one) => one.sales_price)).toEqual([8130, 8130, 9999])
  expect(totals.vat).toEqual([
    { treatment: 'standard', rate: 2300, net: 16_260, vat: 3740 },
    { treatment: 'standard', rate: 0, net: 9999, vat: 0 },
  ])
  expect([totals.total_sales_price, totals.total_sales_price_vat]).toEqual([26_259, 29_999])
})

test('the highest rate stands first, treatments of one rate by name; of equal shares the first is raised', () => {
  const line = (price: number, rate: number, treatment: Treatment) => ({ price, rate, treatment })
  const all = [
    line(1, 0, 'zero'),
    line(100, 700, 'standard'),
    line(1, 0, 'exempt'),
    line(100, 2300, 'standard'),
    line(100, 700, 'standard'),
  ]
  const totals = saleTotals([...all, line(100, 700, 'standard')], true)
  expect(totals.vat.map(({ rate, treatment }) => [rate, treatment])).toEqual([
    [2300, 'standard'],
    [700, 'standard'],
    [0, 'exempt'],
    [0, 'zero'],
  ])
  // 300.00 with 7% VAT is 280.00 net. Each line gets a share, and the first ones get the cents that are left.
  expect(totals.lines.map(({ sales_price }) => sales_price)).toEqual([1, 94, 1, 81, 93, 93])
})

/**
 * The lines of a sale, and the part that each of several credit notes takes of each line. Together, the notes take at
 * most the whole line.
 */
const credited = lines.chain((all) =>
  fc.record({
    all: fc.constant(all),
    shares: fc.array(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: all.length, maxLength: all.length }),
      {
        maxLength: 4,
      },
    ),
  }),
)

test('credit notes over all parts of an invoice come to the invoice, and each of them is right to the cent', () => {
  fc.assert(
    fc.property(credited, fc.boolean(), ({ all, shares }, gross) => {
      const invoice = saleTotals(all, gross)
      let left = all
      const given = { net: 0n, gross: 0n, vat: new Map<string, bigint>() }
      for (const part of [...shares, all.map(() => 1)]) {
        const off = left.map(({ price }, n) => Math.floor(price * part[n]!))
        const totals = creditTotals(left, off, gross)
        expect(sum(totals.lines.map((one) => one.sales_price))).toBe(BigInt(totals.total_sales_price))
        for (const { treatment, rate, net, vat } of totals.vat) {
          expect(Math.min(net, vat)).toBeGreaterThanOrEqual(0)
          const typed = sum(
            left.flatMap((one, n) => (one.treatment === treatment && one.rate === rate ? [off[n]!] : [])),
          )
          const of = gross ? 10_000n + BigInt(rate) : 10_000n
          const away = BigInt(vat) * of - typed * BigInt(rate)
          expect(away < of && away > -of).toBe(true)
          expect(BigInt(gross ? net + vat : net)).toBe(typed)
          const key = `${treatment} ${rate}`
          given.vat.set(key, (given.vat.get(key) ?? 0n) + BigInt(vat))
        }
        given.net += BigInt(totals.total_sales_price)
        given.gross += BigInt(totals.total_sales_price_vat)
        left = left.map((line, n) => ({ ...line, price: line.price - off[n]! }))
      }
      expect(left.every(({ price }) => price === 0)).toBe(true)
      expect([given.net, given.gross]).toEqual([invoice.total_sales_price, invoice.total_sales_price_vat].map(BigInt))
      for (const { treatment, rate, vat } of invoice.vat)
        expect(given.vat.get(`${treatment} ${rate}`) ?? 0n).toBe(BigInt(vat))
    }),
    { numRuns: 1000 },
  )
})

test('the rest of a sale is the invoice less its credit notes, and a returned item has no purchase left', () => {
  const sold = fc.record({
    line,
    cost: fc.integer({ min: 0, max: 50_000 }),
    /** The refunded part of the price if the item is back, else null. */
    share: fc.option(fc.constantFrom(0, 0.33, 0.5, 1)),
    /** The part of the price that an allowance gave back before the return. */
    allowed: fc.constantFrom(0, 0, 0.1, 0.5, 1),
  })
  fc.assert(
    fc.property(fc.array(sold, { minLength: 1, maxLength: 20 }), fc.boolean(), (all, gross) => {
      const lines = all.map(({ line: { price, treatment, rate }, cost, share, allowed }) => ({
        ...(treatment === 'margin'
          ? { treatment, rate: 0, margin_rate: 2100 }
          : { treatment, rate, margin_rate: null }),
        ...{ price, cost, allowed_price: Math.floor(price * allowed) },
        returned_price: share === null ? null : Math.floor((price - Math.floor(price * allowed)) * share),
      }))
      const left = leftOf(lines, gross)
      const invoice = saleTotals(lines, gross)
      let open = lines
      let [net, total] = [invoice.total_sales_price, invoice.total_sales_price_vat]
      const credited = (n: number, off: number) => {
        const note = creditTotals(
          open,
          open.map((_, at) => (at === n ? off : null)),
          gross,
        )
        net -= note.total_sales_price
        total -= note.total_sales_price_vat
        open = open.map((one, at) => (at === n ? { ...one, price: one.price - off } : one))
      }
      for (const [n, { allowed_price }] of lines.entries()) credited(n, allowed_price)
      for (const [n, { returned_price }] of lines.entries()) if (returned_price !== null) credited(n, returned_price)
      expect([left.totals.total_sales_price, left.totals.total_sales_price_vat]).toEqual([net, total])
      for (const [n, { cost, margin_rate, returned_price }] of lines.entries()) {
        const kept = left.lines[n]!
        expect([kept.cost, kept.price]).toEqual([returned_price === null ? cost : 0, open[n]!.price])
        expect(kept.margin_vat).toBe(margin_rate === null ? 0 : marginVat(kept.price, kept.cost, margin_rate))
      }
      expect(left.cost).toBe(left.lines.reduce((sum, { cost }) => sum + cost, 0))
    }),
  )
})

test('a price without VAT, and the VAT in a margin, are rounded half up; a loss owes none', () => {
  expect([netOf(121, 2100, true), netOf(121, 2100, false), netOf(3, 10_000, true)]).toEqual([100, 121, 1])
  expect([marginVat(221, 100, 2100), marginVat(100, 100, 2100), marginVat(99, 100, 2100)]).toEqual([21, 0, 0])
})

test('a sum is shared by weight, each cent that is left goes to the largest remainder, and to nobody without weight', () => {
  expect(share(10n, [1n, 1n, 1n])).toEqual([4n, 3n, 3n])
  expect(share(10n, [1n, 2n, 4n])).toEqual([1n, 3n, 6n])
  expect(share(6n, [1n, 1n, 1n, 1n])).toEqual([2n, 2n, 1n, 1n])
  expect(share(5n, [3n, 0n, 4n])).toEqual([2n, 0n, 3n])
  expect([share(10n, [0n, 0n]), share(0n, [1n, 2n]), share(10n, [])]).toEqual([[0n, 0n], [0n, 0n], []])
})

test('a credit note has the VAT of the lines that it names, and lists no other rate', () => {
  const line = (price: number, rate: number) => ({ price, rate, treatment: 'standard' as const })
  const left = [line(1210, 2100), line(605, 2100), line(1090, 900)]
  expect(creditTotals(left, [605, null, null], true)).toEqual({
    lines: [
      { sales_price: 500, sales_price_vat: 605 },
      { sales_price: 0, sales_price_vat: 0 },
      { sales_price: 0, sales_price_vat: 0 },
    ],
    vat: [{ treatment: 'standard', rate: 2100, net: 500, vat: 105 }],
    total_sales_price: 500,
    total_sales_price_vat: 605,
  })
  // A line that is credited with 0 still brings its rate into the totals.
  expect(creditTotals(left, [null, null, 0], false)).toEqual({
    lines: [0, 0, 0].map((sales_price) => ({ sales_price, sales_price_vat: null })),
    vat: [{ treatment: 'standard', rate: 900, net: 0, vat: 0 }],
    total_sales_price: 0,
    total_sales_price_vat: 0,
  })
})

test('a returned margin phone has no purchase any more, an allowance leaves it', () => {
  const phone = { price: 30_000, rate: 0, treatment: 'margin' as const, cost: 10_000, margin_rate: 2100 }
  const lines = [
    { ...phone, allowed_price: 0, returned_price: 25_000 },
    { ...phone, allowed_price: 2000, returned_price: null },
    { ...phone, treatment: 'standard' as const, allowed_price: 0, returned_price: null, margin_rate: null },
  ]
  const left = leftOf(lines, false)
  expect(left.lines).toEqual([
    { price: 5000, net: 5000, cost: 0, margin_vat: 868 },
    { price: 28_000, net: 28_000, cost: 10_000, margin_vat: 3124 },
    { price: 30_000, net: 30_000, cost: 10_000, margin_vat: 0 },
  ])
  expect([left.cost, left.margin_vat, left.totals.total_sales_price]).toEqual([20_000, 3992, 63_000])
})
