import { at } from '@backstock/contract/lists.ts'
import { StockRow } from '@backstock/contract/stock.ts'
import { Vat } from '@backstock/contract/vat.ts'
import { expect, test } from 'vitest'
import { blank } from '../../../testing/blank.ts'
import { drawn } from '../../../testing/drawn.tsx'
import { type DraftCustomer, NO_CUSTOMER } from './customer.tsx'
import { changeDraft, EMPTY_DRAFT } from './lines.ts'
import { DEFAULT_OPTIONS, type DraftOptions } from './options.tsx'
import { type DraftFigures, useDraftFigures } from './use-figures.ts'

const type = (id: number, name: string, rate: number) => blank(Vat, { id, name, rate, treatment: 'standard' })
const VATS = [type(1, 'Standard', 19), type(2, 'Reduced', 9.5)]
const item = (id: number, said: Partial<StockRow> = {}) =>
  blank(StockRow, { id, status: 'In Stock', vat_type_id: 1, sales_price: 10_000, cost: 6_000, ...said })

type How = { items: StockRow[]; customer?: DraftCustomer; options?: Partial<DraftOptions> }

/** The figures of a new sale, and the keys of what its screen reads. */
async function figuresOf({ items, customer = NO_CUSTOMER, options = {} }: How) {
  const source = { items, facts: undefined, vats: VATS, batch: null, fromBatch: null, handed: [] }
  const draft = changeDraft(EMPTY_DRAFT, { type: 'items', items })
  const found: DraftFigures[] = []
  function Part() {
    found.push(useDraftFigures(source, { draft, customer, options: { ...DEFAULT_OPTIONS, ...options } }))
    return null
  }
  const asked: (readonly unknown[])[] = []
  await drawn(<Part />, {
    read: (key) => {
      asked.push(key)
      return undefined
    },
  })
  return { figures: at(found, found.length - 1), asked }
}

test('a sheet is made from 21 items on that can be sold, unless the person says otherwise', async () => {
  const all = Array.from({ length: 21 }, (_, n) => item(n + 1))
  const excel = async (items: StockRow[], create_excel: boolean | null = null) =>
    (await figuresOf({ items, options: { create_excel } })).figures.excel
  expect([await excel(all), await excel(all.slice(1))]).toEqual([true, false])
  expect(await excel([item(21, { status: 'Sold' }), ...all.slice(1)])).toBe(false)
  expect([await excel(all, false), await excel(all.slice(20), true)]).toEqual([false, true])
})

test('items that cannot be sold count in nothing', async () => {
  const { figures } = await figuresOf({ items: [item(1), item(2, { status: 'Sold' }), item(3)] })
  expect(figures.selling.map(({ id }) => id)).toEqual([1, 3])
  expect(figures.totals()).toMatchObject({ items: 2, purchase: 12_000, net: 20_000, gross: 23_800 })
  expect(figures.figures).toEqual(figures.totals())
})

test('the server is asked what the invoice lacks: by the buyer, the reference and the kinds of VAT', async () => {
  const items = [
    item(1),
    item(2),
    item(3, { vat_type_id: 2 }),
    item(4, { vat_type_id: null }),
    item(5, { vat_type_id: 2, status: 'Sold' }),
  ]
  const lines = [
    { vat_treatment: 'none', vat_rate: 0, vat_name: null },
    { vat_treatment: 'standard', vat_rate: 19, vat_name: 'Standard' },
    { vat_treatment: 'standard', vat_rate: 9.5, vat_name: 'Reduced' },
  ]
  const askedOf = async (how: Omit<How, 'items'>) => {
    const { asked } = await figuresOf({ items, ...how })
    return asked.filter(([, what]) => what === 'invoice-lacks').map(([, , body]) => body)
  }
  const typed = {
    ...NO_CUSTOMER.typed,
    ...{ customer_last_name: 'Kern', customer_vat_number: ' ', customer_email: 'a@b.test', customer_phone: '1' },
  }
  const options = { reference_number: 'PO 5' }
  expect(await askedOf({ customer: { isNew: false, id: 7, typed }, options })).toEqual([
    { customer_id: 7, reference_number: 'PO 5', lines },
  ])
  expect(await askedOf({ customer: { isNew: true, id: 7, typed } })).toEqual([
    { customer_last_name: 'Kern', reference_number: '', lines },
  ])
})
