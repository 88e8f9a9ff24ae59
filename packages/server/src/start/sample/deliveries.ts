import { toCurrencyUnits } from '@backstock/contract/money.ts'
import { createStock } from '../../areas/stock/create.ts'
import type { Database, Tx } from '../../db/connect.ts'
import { at, first } from '../../lists.ts'
import { daysAgo, type Happening } from './backdate.ts'
import { type Device, deviceMaker } from './devices.ts'
import { runImport } from './run-import.ts'
import { type Random, seededRandom } from './seeded-random.ts'
import type { Shop } from './shop.ts'

type Row = Record<string, string>
const COLUMNS = [
  ...['backstock_id', 'imei', 'serial_number', 'status', 'make', 'model', 'capacity', 'capacity_unit', 'colour'],
  ...['category', 'supplier', 'purchase_price', 'purchase_date', 'sales_price', 'vat', 'network_locked'],
  ...['engineer_notes', 'grading_cosmetic', 'grading_functional', 'grading_battery', 'Box', 'Lot'],
  ...['grade', 'functional', 'battery_health', 'imei2', 'location'],
]

type Delivery = { days: number; supplier: number; by: number; items: number; status?: string; broken?: Broken[] }
/** A function that returns a faulty copy of the delivery's first row. */
type Broken = (row: Row) => Row

const wrongCheckDigit: Broken = (row) => ({ ...row, imei: '356938035643808', serial_number: '' })
const shortened: Broken = (row) => ({ ...row, imei: '3.56938E+14', serial_number: '' })
const alreadyThere: Broken = (row) => row
const unknownSupplier: Broken = (row) => ({
  ...row,
  imei: '',
  serial_number: 'QX71TT2208',
  supplier: 'Kringlop Telecom',
})
const withoutPrice: Broken = (row) => ({ ...row, imei: '', serial_number: 'QX72TT2209', purchase_price: 'n/a' })

const DELIVERIES: Delivery[] = [
  { days: 152, supplier: 0, by: 1, items: 50 },
  { days: 129, supplier: 1, by: 2, items: 45, broken: [wrongCheckDigit, alreadyThere] },
  { days: 108, supplier: 2, by: 1, items: 45 },
  { days: 86, supplier: 3, by: 3, items: 50, broken: [unknownSupplier] },
  { days: 63, supplier: 4, by: 1, items: 45 },
  { days: 41, supplier: 5, by: 2, items: 40, broken: [shortened, shortened, withoutPrice, alreadyThere] },
  { days: 19, supplier: 1, by: 3, items: 45 },
  { days: 3, supplier: 0, by: 1, items: 40, status: 'Inbound' },
]
/** The items that a partner pushed, and those that a person typed in: how many days ago, and how many. */
const PUSHED = { days: 26, items: 24 }
const BY_HAND = { days: 53, items: 16 }
/** The supplier of the items that were typed in is Polish. */
const IN_ZLOTY = { purchase_currency: 'PLN', fx_rate: 4.2475 }

/** The events by which the 400 items came in. */
export function deliveries(db: Database, tx: Tx, shop: Shop): Happening[] {
  const random = seededRandom(400)
  const nextDevice = deviceMaker(shop, random)
  const listed = (delivery: Omit<Delivery, 'by'>): Row[] => {
    const supplier = at(shop.suppliers, delivery.supplier).name
    const date = daysAgo(shop.now, delivery.days + 1, 12)
    const rows = Array.from({ length: delivery.items }, (_, n) =>
      rowOf(nextDevice(), { supplier, date, status: delivery.status ?? 'In Stock', number: delivery.days * 100 + n }),
    )
    const broken = (delivery.broken ?? []).map((spoil, n) => ({
      ...spoil(first(rows)),
      backstock_id: `BS-${delivery.days}9${n}`,
    }))
    return [...rows, ...broken].map((row) => thinned(row, random))
  }
  return [
    ...DELIVERIES.map((delivery): Happening => {
      const fileName = `delivery-${daysAgo(shop.now, delivery.days, 12).toISOString().slice(0, 10)}.csv`
      const file = { fileName, columns: COLUMNS, rows: listed(delivery) }
      return {
        at: daysAgo(shop.now, delivery.days, 7, random.whole(0, 59)),
        happen: () => runImport(db, tx, file, { userId: at(shop.people, delivery.by) }),
      }
    }),
    pushed(db, tx, shop, listed({ ...PUSHED, supplier: 2 })),
    byHand(tx, shop, Array.from({ length: BY_HAND.items }, nextDevice)),
  ]
}

function rowOf(
  device: Device,
  { supplier, date, status, number }: { supplier: string; date: Date; status: string; number: number },
): Row {
  const { product } = device
  return {
    backstock_id: `BS-${number}`,
    imei: device.imei ?? '',
    serial_number: device.serialNumber ?? '',
    status,
    make: product.make,
    model: product.model,
    capacity: product.gigabytes ? String(product.gigabytes) : '',
    capacity_unit: product.gigabytes ? 'GB' : '',
    colour: product.colour,
    category: product.category,
    supplier,
    purchase_price: toCurrencyUnits(device.purchasePrice),
    purchase_date: date.toISOString().slice(0, 10),
    sales_price: toCurrencyUnits(device.salesPrice),
    vat: device.vat?.name ?? '',
    network_locked: device.networkLocked ? 'yes' : '',
    engineer_notes: device.notes ?? '',
    grading_cosmetic: device.grade,
    grading_functional: device.functional,
    grading_battery: device.battery ?? '',
    Box: device.box,
    Lot: `L${date.toISOString().slice(2, 7).replace('-', '')}`,
    grade: device.grade,
    functional: device.functional === 'Pass' ? 'working' : 'minor faults',
    battery_health: device.battery ?? '',
    imei2: device.imei2 ?? '',
    location: status === 'Inbound' ? '' : `Shelf ${'ABCD'[number % 4]}${1 + (number % 12)}`,
  }
}

/** A row without its grading, for some devices: they come ungraded, and nobody has graded them since. */
function thinned(row: Row, random: Random): Row {
  if (!random.chance(15)) return row
  const ungraded = ['grading_cosmetic', 'grading_functional', 'grading_battery', 'Box', 'grade', 'functional']
  return Object.fromEntries(Object.entries(row).filter(([column]) => !ungraded.includes(column)))
}

function pushed(db: Database, tx: Tx, shop: Shop, rows: Row[]): Happening {
  const file = { fileName: '', columns: COLUMNS, rows }
  return {
    at: daysAgo(shop.now, PUSHED.days, 3, 12),
    happen: () => runImport(db, tx, file, { userId: first(shop.people), partnerId: at(shop.partners, 1).id }),
  }
}

function byHand(tx: Tx, shop: Shop, devices: Device[]): Happening {
  const admin = { id: first(shop.people) }
  return {
    at: daysAgo(shop.now, BY_HAND.days, 8, 40),
    async happen() {
      for (const [n, device] of devices.entries()) {
        const input = {
          actual_product_id: device.product.id,
          // Now and then, another product is in the box than was ordered.
          expected_product_id: n % 5 === 4 ? at(devices, n - 1).product.id : device.product.id,
          supplier_id: at(shop.suppliers, 4).id,
          vat_type_id: device.vat?.id ?? null,
          status: 'In Stock' as const,
          imei: device.imei,
          serial_number: device.serialNumber,
          engineer_notes: device.notes,
          ...IN_ZLOTY,
          // The price is rounded to tens of zloty.
          purchase_price: Math.round((device.purchasePrice * IN_ZLOTY.fx_rate) / 1000) * 1000,
          purchase_date: daysAgo(shop.now, BY_HAND.days + 2, 12)
            .toISOString()
            .slice(0, 10),
          sales_price: device.salesPrice,
        }
        await createStock(tx, input, admin)
      }
    },
  }
}
