import {
  MAX_PUSH,
  PartnerImportAnswer,
  PartnerImportQuery,
  PartnerOrderAnswer,
  PartnerOrderInput,
  PartnerOrderPlaced,
  PartnerOrderQuery,
  PartnerOrders,
  PartnerProductQuery,
  PartnerProducts,
  PartnerStock,
  PartnerStockQuery,
  PushAccepted,
  PushInput,
} from '@backstock/contract/partner-api.ts'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/connect.ts'
import { done, SUCCESS } from '../../http/answer.ts'
import { IdParams } from '../../http/crud.ts'
import { once } from '../../http/idempotency.ts'
import { checkInSlices } from '../../http/parse-in-slices.ts'
import { BODY } from '../../http/read-bodies.ts'
import { missing } from '../../http/refusal.ts'
import type { App } from '../../http/typed-routes.ts'
import { authenticatePartners, partnerOf } from './authenticate.ts'
import { describePartnerApi } from './description.ts'
import { findOrders, orderOf, placeOrder } from './order.ts'
import { importOf, stagePush } from './push.ts'
import { findAvailable, findProducts } from './stock.ts'

const MAX_PUSH_BYTES = 16 * 1024 * 1024

const config = { access: 'partner' } as const
const IdempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      '1 to 255 visible ASCII characters of your choice. Within 24 hours, a request with the same key is carried out only once, and gets the same answer.',
    ),
})

/** The routes under `/api/partner/v1`. They are for partners' programs, which send a key instead of a session. */
export function partnerApiRoutes(app: App, db: Database, settings: Config): void {
  const plugin = async (api: App) => {
    await describePartnerApi(api, settings)
    authenticatePartners(api, db)
    stockRoutes(api, db)
    orderRoutes(api, db, settings)
    pushRoutes(api, db)
  }
  void app.register(plugin, { prefix: '/api/partner/v1' })
}

function stockRoutes(api: App, db: Database): void {
  const stock = {
    summary: 'What is for sale',
    description:
      'Items in stock by id, page after page: follow `next` until it is null. If items are sold meanwhile, you still see every remaining item exactly once. An item is one device, so you see its IMEI or serial number.',
    querystring: PartnerStockQuery,
    response: { 200: PartnerStock },
  }
  api.get('/stock', { schema: stock, config }, async (request) => {
    const slice = await findAvailable(db.read, request.query)
    return { ...SUCCESS, ...slice }
  })

  const products = {
    summary: 'Products',
    description: 'The catalogue by id, page after page.',
    querystring: PartnerProductQuery,
    response: { 200: PartnerProducts },
  }
  api.get('/products', { schema: products, config }, async (request) => {
    const slice = await findProducts(db.read, request.query)
    return { ...SUCCESS, ...slice }
  })
}

function orderRoutes(api: App, db: Database, { mailFrom }: Config): void {
  const place = {
    summary: 'Order items',
    description:
      'All of the items or none, at their own sales prices. 409 if an item is no longer available, or has another price than the one that you sent; 422 if it has no price. `data.items` then lists the ids of those items. The invoice is sent to the customer that the trader has chosen for you.',
    headers: IdempotencyHeader,
    body: PartnerOrderInput,
    response: { 201: PartnerOrderPlaced },
  }
  api.post('/orders', { schema: place, config, bodyLimit: BODY.list }, async (request, reply) => {
    const partnerId = partnerOf(request)
    const input = request.body
    const owner = `partner:${partnerId}`
    const body = `orders ${JSON.stringify(input)}`
    const { answer } = await once(db, request, owner, body, async (tx) => {
      const id = await placeOrder(tx, partnerId, input, mailFrom)
      const order = PartnerOrderAnswer.shape.data.parse(await orderOf(tx, partnerId, id))
      return { status: 201, answer: done(`Order #${id} placed.`, order) }
    })
    reply.code(201)
    return answer
  })

  const list = {
    summary: 'Your orders',
    description: 'Newest first, page after page.',
    querystring: PartnerOrderQuery,
    response: { 200: PartnerOrders },
  }
  api.get('/orders', { schema: list, config }, async (request) => {
    const query = request.query
    const slice = await findOrders(db.read, partnerOf(request), query)
    return { ...SUCCESS, ...slice }
  })

  const one = {
    summary: 'One of your orders',
    description: 'With its items, totals, invoice number and tracking number.',
    params: IdParams,
    response: { 200: PartnerOrderAnswer },
  }
  api.get('/orders/:id', { schema: one, config }, async (request) => {
    const id = request.params.id
    const data = await orderOf(db.read, partnerOf(request), id)
    if (!data) throw missing(`Order #${id}`)
    return { ...SUCCESS, data }
  })
}

function pushRoutes(api: App, db: Database): void {
  const push = {
    summary: 'Send items',
    description:
      'Brings up to 10,000 items of yours into stock, changes them, or takes them out; a call has 16 MB at most. An item that you have sent before is found by backstock_id, IMEI or serial number; others are new. Types and sizes are checked at once: one mistake refuses the whole call. Everything else is checked item by item while the import runs: a bad item fails alone. You can change and take out only items that you have sent yourself. If you take out an item that is ordered already, its order has the status Requires Attention until the trader has dealt with it.',
    headers: IdempotencyHeader,
    body: PushInput,
    response: { 202: PushAccepted },
  }
  const validatorCompiler = checkInSlices('items', MAX_PUSH) as never
  api.post('/stock', { schema: push, config, bodyLimit: MAX_PUSH_BYTES, validatorCompiler }, async (request, reply) => {
    const partnerId = partnerOf(request)
    const { items } = request.body
    const body = `stock ${JSON.stringify(items)}`
    const { answer } = await once(db, request, `partner:${partnerId}`, body, async (tx) => {
      const import_id = await stagePush(tx, partnerId, items, api.pace)
      return { status: 202, answer: done(`Import #${import_id} has started.`, { import_id }) }
    })
    reply.code(202)
    return answer
  })

  const progress = {
    summary: 'How far a push is',
    description: 'Ask once a second until progress is 100. `after` and `limit` page through the rows that failed.',
    params: IdParams,
    querystring: PartnerImportQuery,
    response: { 200: PartnerImportAnswer },
  }
  api.get('/imports/:id', { schema: progress, config }, async (request) => {
    const id = request.params.id
    const query = request.query
    const found = await importOf(db.read, partnerOf(request), id, query)
    if (!found) throw missing(`Import #${id}`)
    return { ...SUCCESS, ...found }
  })
}
