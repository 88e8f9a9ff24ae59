import { InvoiceLacks, InvoiceLacksInput } from '@backstock/contract/invoice-lacks.ts'
import type { Lacks } from '@backstock/contract/lacks.ts'
import { z } from 'zod'
import type { Database, Db } from '../../db/connect.ts'
import { SUCCESS } from '../../http/answer.ts'
import type { App } from '../../http/typed-routes.ts'
import { buyerOf } from '../customer.ts'
import {
  type InvoicedBuyer,
  invoiceLacks,
  invoicingSeller,
  profileLacks,
  xmlLacks,
} from '../document/invoice-contents.ts'

/** The facts that the invoice of a sale in the making would lack now. */
async function lacksOf(
  db: Db,
  { customer_id, lines, reference_number, ...typed }: InvoiceLacksInput,
): Promise<InvoiceLacks> {
  const buyer = customer_id ? await buyerOf(db, customer_id) : Object.keys(typed).length ? buyerTyped(typed) : undefined
  const seller = await invoicingSeller(db)
  const [invoice, xml] = [invoiceLacks(seller, buyer ?? NOBODY), xmlLacks(seller, buyer ?? NOBODY, lines)]
  const besides = (side: keyof Lacks) =>
    xml[side].filter((text) => !invoice[side].some((already) => text.startsWith(already)))
  const all = { invoice, xml: { seller: besides('seller'), buyer: besides('buyer'), items: xml.items } }
  const asked = buyer ? profileLacks(seller, buyer, lines, reference_number ?? null) : null
  const profile = asked && { ...asked, seller: asked.seller.filter((text) => !invoice.seller.includes(text)) }
  // As long as there is no customer, nothing about the buyer is reported as missing.
  return { ...(buyer ? all : { invoice: { ...all.invoice, buyer: [] }, xml: { ...all.xml, buyer: [] } }), profile }
}

const NOBODY: InvoicedBuyer = {
  full_name: '',
  company_name: null,
  vat_number: null,
  billing_address: null,
  delivery_address: null,
}

/** A customer as typed so far. Required fields count as filled, because there is no sale without them. */
function buyerTyped(typed: Omit<InvoiceLacksInput, 'customer_id' | 'lines' | 'reference_number'>): InvoicedBuyer {
  const address = {
    address_1: typed.customer_address1 ?? '-',
    address_2: typed.customer_address2 ?? null,
    city: typed.customer_city ?? '-',
    state: typed.customer_state ?? null,
    postal_code: typed.customer_postal_code ?? '-',
    country_code: typed.customer_country_code ?? '-',
  }
  return {
    full_name: [typed.customer_first_name, typed.customer_last_name].join(' '),
    company_name: typed.customer_company_name ?? null,
    vat_number: typed.customer_vat_number ?? null,
    billing_address: address,
    delivery_address: address,
  }
}

/** The route `POST sale/invoice-lacks`. It changes nothing. */
export function invoiceLacksRoute(app: App, db: Database): void {
  const answer = z.object({ success: z.literal(true), data: InvoiceLacks })
  app.post(
    '/api/sale/invoice-lacks',
    { schema: { body: InvoiceLacksInput, response: { 200: answer } } },
    async (request) => ({ ...SUCCESS, data: await lacksOf(db.read, request.body) }),
  )
}
