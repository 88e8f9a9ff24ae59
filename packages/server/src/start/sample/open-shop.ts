import { languageOfCountry } from '@backstock/contract/invoice-language.ts'
import { category } from '../../areas/category.ts'
import { colour } from '../../areas/colour.ts'
import { createCustomer } from '../../areas/customer.ts'
import { make } from '../../areas/make.ts'
import { product } from '../../areas/product.ts'
import { supplier } from '../../areas/supplier.ts'
import { createUser, generatePassword } from '../../areas/user/user.ts'
import { vat } from '../../areas/vat.ts'
import type { Tx } from '../../db/connect.ts'
import type { Actor } from '../../http/session.ts'
import { at, getFrom } from '../../lists.ts'
import { CATEGORIES, MODELS, VAT_RATES } from './catalogue-data.ts'
import { COMPANY, CUSTOMERS, DIALLING_CODES, PARTNERS, SELF_BILLED, STAFF, SUPPLIERS, TERMS } from './people-data.ts'
import type { CatalogueProduct, Shop } from './shop.ts'

/** Makes the seller's profile, staff, lists, products, customers and partners. */
export async function openShop(tx: Tx, admin: Actor, now: Date): Promise<Shop> {
  await tx.updateTable('company').set(COMPANY).execute()
  const people = [admin.id]
  for (const person of STAFF)
    people.push(
      await createUser(tx, { ...person, role: 'ROLE_USER', password: generatePassword() }, { userId: admin.id }),
    )
  const vatRates: Shop['vat'] = []
  for (const rate of VAT_RATES) vatRates.push({ ...(await vat.create(tx, rate, admin)), name: rate.name })
  const suppliers: Shop['suppliers'] = []
  for (const row of SUPPLIERS) {
    const [name, first_name, last_name, email_address, phone_number, country_code, vat_number, bought] = row
    const who = { company_name: name, first_name, last_name, email_address, phone_number }
    const receipt_kind = name === SELF_BILLED ? ('self_billed' as const) : null
    const input = { ...who, country_code, vat_number, default_purchase_treatment: bought, receipt_kind }
    suppliers.push({ ...(await supplier.create(tx, input, admin)), name })
  }
  const customers = await addCustomers(tx, admin)
  return {
    now,
    people,
    suppliers,
    vat: vatRates,
    products: await addProducts(tx, admin),
    customers,
    partners: await addPartners(tx, customers),
  }
}

async function addProducts(tx: Tx, admin: Actor): Promise<CatalogueProduct[]> {
  const idByName = async (names: Iterable<string>, create: (name: string) => Promise<{ id: number }>) => {
    const ids = new Map<string, number>()
    for (const name of new Set(names)) ids.set(name, (await create(name)).id)
    return ids
  }
  const makes = await idByName(
    MODELS.map(([name]) => name),
    (name) => make.create(tx, { name, logo_image: null }, admin),
  )
  const colours = await idByName(
    MODELS.flatMap(([, , , , variants]) => variants.map(([, name]) => name)),
    (name) => colour.create(tx, { name }, admin),
  )
  const categories = await idByName(CATEGORIES, (name) =>
    category.create(tx, { name, is_reverse_charge_good: name !== 'Smartwatches' }, admin),
  )

  const products: CatalogueProduct[] = []
  for (const [makeName, model, categoryName, euros, variants] of MODELS)
    for (const [gigabytes, colourName] of variants) {
      const { id } = await product.create(
        tx,
        {
          make_id: getFrom(makes, makeName),
          category_id: getFrom(categories, categoryName),
          colour_id: getFrom(colours, colourName),
          model,
          capacity: gigabytes || null,
          capacity_unit: gigabytes ? 'GB' : null,
        },
        admin,
      )
      products.push({
        id,
        make: makeName,
        model,
        category: categoryName,
        gigabytes,
        colour: colourName,
        price: euros * 100,
      })
    }
  return products
}

async function addCustomers(tx: Tx, admin: Actor): Promise<number[]> {
  const ids: number[] = []
  for (const [n, row] of CUSTOMERS.entries()) {
    const [first_name, last_name, company_name, vat_number, address_1, postal_code, city, country_code, email] = row
    const address = { address_1, address_2: null, city, state: null, postal_code, country_code }
    // Every fourth customer has its goods delivered to another address.
    const delivery = n % 4 === 1 ? { ...address, address_2: 'Warehouse, dock 2' } : address
    const phone = `+${DIALLING_CODES[country_code]} 555 01${n + 10}`
    const lang = languageOfCountry(country_code) ?? null
    const fields = { first_name, last_name, email, phone, company_name, vat_number, lang, ...TERMS[n] }
    ids.push(
      await createCustomer(
        tx,
        { ...fields, billing_address: address, delivery_address: delivery },
        { userId: admin.id },
      ),
    )
  }
  return ids
}

async function addPartners(tx: Tx, customers: readonly number[]): Promise<Shop['partners']> {
  const partners: Shop['partners'] = []
  for (const { name, customer } of PARTNERS) {
    const customerId = at(customers, customer)
    const { id } = await tx
      .insertInto('partner')
      .values({ name, customer_id: customerId })
      .returning('id')
      .executeTakeFirstOrThrow()
    partners.push({ id, customerId })
  }
  return partners
}
