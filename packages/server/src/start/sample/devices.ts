import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { first } from '../../lists.ts'
import type { Random } from './seeded-random.ts'
import type { CatalogueProduct, Shop } from './shop.ts'

/** A device in a supplier's list. Prices are in hundredths. */
export type Device = {
  product: CatalogueProduct
  imei: string | null
  imei2: string | null
  serialNumber: string | null
  purchasePrice: number
  salesPrice: number
  vat: { id: number; name: string } | null
  networkLocked: boolean
  notes: string | null
  grade: string
  /** Whether the device works, in the supplier's words. */
  functional: string
  battery: string | null
  box: string
}

const GRADES = [
  { grade: 'A', percent: 100 },
  { grade: 'A', percent: 100 },
  { grade: 'B', percent: 88 },
  { grade: 'B', percent: 86 },
  { grade: 'C', percent: 74 },
]
const NOTES = [
  'Screen replaced with an original part.',
  'Light scratches on the frame.',
  'Battery below 85 %, sold as such.',
  'Camera glass has a hairline crack.',
  'Face recognition does not work.',
  'Back cover replaced.',
]
const SERIAL_LETTERS = 'CDFGHJKLMNPQRTVWXY'

/** Makes a function that makes devices of the catalogue. No two have the same IMEI or serial number. */
export function deviceMaker({ products, vat }: Pick<Shop, 'products' | 'vat'>, random: Random): () => Device {
  const taken = new Set<string>()
  const unique = (make: () => string): string => {
    const made = make()
    if (taken.has(made)) return unique(make)
    taken.add(made)
    return made
  }
  return () => {
    const product = random.pick(products)
    const typeCode = `35${300_000 + products.indexOf(product) * 1237}`
    const isPhone = product.category === 'Smartphones'
    const imei = isPhone ? unique(() => withCheckDigit(`${typeCode}${random.whole(100_000, 999_999)}`)) : null
    const hasSerial = !isPhone || random.chance(30)
    const { grade, percent } = random.pick(GRADES)
    const euros = Math.round((product.price / 100) * (percent / 100) * (random.whole(96, 104) / 100))
    return {
      product,
      imei,
      imei2: imei && hasTwo(imei) ? secondImei(imei) : null,
      serialNumber: hasSerial ? unique(() => serialNumber(random)) : null,
      salesPrice: euros * 100,
      purchasePrice: Math.round((euros * random.whole(62, 80)) / 50) * 50,
      vat: random.chance(10) ? null : first(vat),
      networkLocked: isPhone && random.chance(5),
      notes: random.chance(15) ? random.pick(NOTES) : null,
      grade,
      functional: grade === 'C' && random.chance(40) ? 'Minor fault' : 'Pass',
      battery: product.category === 'Laptops' ? null : `${random.whole(79, 100)}%`,
      box: random.pick(['Generic', 'Original', 'None']),
    }
  }
}

/** Whether a phone takes two SIM cards. Half of them do. */
const hasTwo = (imei: string) => Number(imei[13]) % 2 === 0
/** The second IMEI of a phone. Its TAC differs from that of every first IMEI, so no other phone has it. */
const secondImei = (imei: string) => withCheckDigit(`35${300_000 + Number(imei.slice(2, 8))}${imei.slice(8, 14)}`)
const withCheckDigit = (first14: string) => first14 + luhnCheckDigit(first14)

function serialNumber(random: Random): string {
  const letter = () => SERIAL_LETTERS[random.whole(0, SERIAL_LETTERS.length - 1)]
  return `${letter()}${letter()}${random.whole(10, 99)}${letter()}${letter()}${random.whole(1000, 9999)}`
}
