import type { Category } from './catalogue-data.ts'

/** A product of the catalogue. `price` is that of a grade A device, in hundredths. */
export type CatalogueProduct = {
  id: number
  make: string
  model: string
  category: Category
  gigabytes: number
  colour: string
  price: number
}

/** The records that exist before the trade begins. `people` are the ids of users, the administrator first. */
export type Shop = {
  now: Date
  people: number[]
  suppliers: { id: number; name: string }[]
  products: CatalogueProduct[]
  customers: number[]
  partners: { id: number; customerId: number }[]
  vat: { id: number; name: string }[]
}
