import { saleTotals } from '@backstock/contract/sale-total.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'

type Line = { price: number; rate: number }
type Sale = { lines: Line[]; includeVat: boolean }

const line = fc.record({
  price: fc.oneof(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 99 })),
  rate: fc.oneof(fc.constantFrom(0, 500, 700, 1900, 2000, 2100, 2300, 10_000), fc.integer({ min: 0, max: 10_000 })),
})
const sale = (maxLength: number): fc.Arbitrary<Sale> =>
  fc.record({ lines: fc.array(line, { minLength: 1, maxLength }), includeVat: fc.boolean() })

/** The VAT and net amount for each rate, calculated as with pencil and paper, in whole numbers of any size. */
function byHand({ lines, includeVat }: Sale): { rate: number; net: bigint; vat: bigint }[] {
  const rates = [...new Set(lines.map(({ rate }) => rate))].toSorted((a, b) => b - a)
  return rates.map((rate) => {
    const sum = lines.filter((one) => one.rate === rate).reduce((total, { price }) => total + BigInt(price), 0n)
    const base = includeVat ? 10_000n + BigInt(rate) : 10_000n
    const exact = sum * BigInt(rate) // in units of 1/base cent
    const vat = exact / base + (2n * (exact % base) >= base ? 1n : 0n)
    return { rate, net: includeVat ? sum - vat : sum, vat }
  })
}

const sum = (numbers: bigint[]) => numbers.reduce((total, one) => total + one, 0n)

function agrees(generated: Sale): void {
  const { lines, includeVat } = generated
  const hand = byHand(generated)
  const totals = saleTotals(
    lines.map((one) => ({ ...one, treatment: 'standard' })),
    includeVat,
  )
  expect(totals.vat.map(({ rate, net, vat }) => ({ rate, net: BigInt(net), vat: BigInt(vat) }))).toEqual(hand)
  expect(BigInt(totals.total_sales_price)).toBe(sum(hand.map(({ net }) => net)))
  expect(BigInt(totals.total_sales_price_vat)).toBe(sum(hand.flatMap(({ net, vat }) => [net, vat])))
  expect(sum(totals.lines.map((one) => BigInt(one.sales_price)))).toBe(BigInt(totals.total_sales_price))
  // Each line's amount differs from its exact share by less than a cent.
  for (const [n, { price, rate }] of lines.entries()) {
    const of = hand.find((one) => one.rate === rate)!
    const gross = includeVat ? of.net + of.vat : of.net
    const off = BigInt(totals.lines[n]!.sales_price) * gross - BigInt(price) * of.net
    expect(gross === 0n || (off < gross && -off < gross)).toBe(true)
  }
}

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

test('D9: no generated sale is a cent off, neither worked out nor stored', async () => {
  fc.assert(fc.property(sale(30), agrees), { numRuns: turns(1000, 10_000) })

  const stored = turns(25, 10_000)
  const vats = new Map<number, number>()
  for (const generated of fc.sample(sale(8), stored)) {
    for (const { rate } of generated.lines)
      if (!vats.has(rate)) {
        const [row] = await t.rows<{ id: number }>(`insert into vat (name, rate) values ($1, $2) returning id`, [
          `Generated ${rate}`,
          rate,
        ])
        vats.set(rate, row!.id)
      }
    const items = await t.items(generated.lines.length)
    await t.rows('update stock set vat_id = v from unnest($1::int[], $2::int[]) as given (i, v) where id = i', [
      items,
      generated.lines.map(({ rate }) => vats.get(rate)),
    ])
    const answer = await t.sell(t.staff, [], {
      stock_items: range(items.length).map((n) => ({ id: items[n], sales_price: generated.lines[n]!.price })),
      includeVat: String(generated.includeVat),
    })
    expect(answer.status).toBe(201)
    const hand = byHand(generated)
    expect(answer.body.data).toMatchObject({
      total_sales_price: Number(sum(hand.map(({ net }) => net))),
      total_sales_price_vat: Number(sum(hand.flatMap(({ net, vat }) => [net, vat]))),
      vat_totals: hand.map(({ rate, net, vat }) => ({ rate: rate / 100, net: Number(net), vat: Number(vat) })),
    })
  }
  reached('D9', `${turns(1000, 10_000)} worked out, ${stored} stored: none off`, 'not a cent off in 10,000')
})
