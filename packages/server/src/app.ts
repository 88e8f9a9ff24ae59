import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import serveStatic from '@fastify/static'
import Fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import helmet from 'helmet'
import { accountingRoutes } from './areas/accounting/routes.ts'
import { authRoutes } from './areas/auth.ts'
import { bankEntryRoutes } from './areas/bank-entry/routes.ts'
import { basketItems, basketRoutes } from './areas/basket.ts'
import { batchRoutes } from './areas/batch/routes.ts'
import { category } from './areas/category.ts'
import { colour } from './areas/colour.ts'
import { companyRoutes } from './areas/company.ts'
import { customerArea } from './areas/customer.ts'
import { dashboardRoutes } from './areas/dashboard/routes.ts'
import { deliveryCheckRoutes } from './areas/delivery-check/routes.ts'
import { letterRoutes } from './areas/document/letter/routes.ts'
import { mailServerRoutes } from './areas/document/mail/mail-server.ts'
import { documentRoutes } from './areas/document/routes.ts'
import { furtherColumnRoutes } from './areas/further-column.ts'
import { takeOverRoutes } from './areas/further-take-over.ts'
import { grade } from './areas/grade.ts'
import { importRoutes } from './areas/import/routes.ts'
import { labelRoutes } from './areas/label.ts'
import { make } from './areas/make.ts'
import { offerRoutes } from './areas/offer/routes.ts'
import { partnerRoutes } from './areas/partner.ts'
import { partnerApiRoutes } from './areas/partner-api/routes.ts'
import { product } from './areas/product.ts'
import { purchaseReceiptRoutes } from './areas/purchase-receipt/routes.ts'
import { returnRoutes } from './areas/return/routes.ts'
import { reverseChargeRule } from './areas/reverse-charge-rule.ts'
import { salePaperRoutes } from './areas/sale/papers/routes.ts'
import { salesOf } from './areas/sale/queries.ts'
import { saleRoutes } from './areas/sale/routes.ts'
import { bulkRoutes } from './areas/stock/bulk/routes.ts'
import { stockRoutes } from './areas/stock/routes.ts'
import { supplier } from './areas/supplier.ts'
import { supplierClaimRoutes } from './areas/supplier-claim/routes.ts'
import { avatarRoutes } from './areas/user/avatar.ts'
import { userArea } from './areas/user/user.ts'
import { vat } from './areas/vat.ts'
import { vatCheckRoutes } from './areas/vat-check/routes.ts'
import { view } from './areas/view.ts'
import type { Config } from './config.ts'
import type { Database } from './db/connect.ts'
import { isMigrated } from './db/migrate.ts'
import { newServer } from './http/connections.ts'
import { crud } from './http/crud.ts'
import { answerErrors, answerMalformed } from './http/errors.ts'
import { isPartAFile } from './http/form-parts.ts'
import { metrics } from './http/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { keepPace } from './http/pace.ts'
import { BODY, readBodies } from './http/read-bodies.ts'
import { guardRequests, isApi } from './http/session.ts'
import { type App, typedRoutes } from './http/typed-routes.ts'
import { VERSION } from './http/version.ts'
import { logRoutes } from './records/log/routes.ts'
import { jobFigures } from './worker/figures.ts'

/** The folder of the built screens. */
const screens = path.join(import.meta.dirname, '../../web/dist')

/** Builds the server with all its routes. The caller makes it listen. */
export async function buildApp(config: Config, db: Database): Promise<App> {
  const app = Fastify({
    logger: { level: config.logLevel, serializers: { err: describeError } },
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: BODY.record,
    exposeHeadRoutes: false,
    serverFactory: (handle) => newServer(handle),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: answerMalformed,
    forceCloseConnections: 'idle',
    // While the server stops, it still answers requests on open connections instead of refusing them with 503.
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>()
  typedRoutes(app)
  answerErrors(app)
  await protect(app, config)
  readBodies(app)
  await describeApi(app)
  guardRequests(app, db, { https: isHttps(config) })
  keepPace(app)

  health(app, db)
  metrics(app, db)
  app.showFigures(jobFigures)
  const userParts = { basketItems, gravatar: config.gravatar, hasConnector: config.eInvoiceFolder !== undefined }
  authRoutes(app, db, userParts)
  crud(app, db, userArea(userParts))
  avatarRoutes(app, db)
  companyRoutes(app, db)
  crud(app, db, make)
  crud(app, db, colour)
  crud(app, db, grade)
  crud(app, db, category)
  crud(app, db, vat)
  crud(app, db, reverseChargeRule)
  crud(app, db, supplier)
  crud(app, db, customerArea({ salesOf }))
  vatCheckRoutes(app, db, config)
  crud(app, db, product)
  stockRoutes(app, db)
  bulkRoutes(app, db)
  labelRoutes(app, db)
  importRoutes(app, db)
  deliveryCheckRoutes(app, db)
  furtherColumnRoutes(app, db)
  takeOverRoutes(app, db)
  basketRoutes(app, db)
  crud(app, db, view)
  batchRoutes(app, db)
  documentRoutes(app, db, config)
  letterRoutes(app, db, config)
  mailServerRoutes(app, db, config)
  supplierClaimRoutes(app, db)
  purchaseReceiptRoutes(app, db)
  saleRoutes(app, db, config)
  salePaperRoutes(app, db)
  offerRoutes(app, db)
  returnRoutes(app, db, config)
  partnerRoutes(app, db)
  partnerApiRoutes(app, db, config)
  logRoutes(app, db)
  accountingRoutes(app, db)
  bankEntryRoutes(app, db)
  dashboardRoutes(app, db, config)
  await serveScreens(app)
  return app
}

/**
 * An error as the log has it. An error of `pg` holds its whole connection with everything that was sent through it, so
 * only these fields are logged.
 */
function describeError(error: Error & { code?: string }) {
  const { name, message, code, stack } = error
  return { type: name, message, ...(code && { code }), stack: stack ?? '' }
}

const isHttps = (config: Config) => config.publicUrl?.startsWith('https:') ?? false

/** Sets up headers, compression, cookies and uploads. */
async function protect(app: App, config: Config): Promise<void> {
  const https = isHttps(config)
  const secure = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        // The reader of codes from a camera is WebAssembly that this server sends.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        workerSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...(config.gravatar ? ['https://www.gravatar.com'] : [])],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        // On plain HTTP, this directive would send the browser to a port that does not speak TLS.
        upgradeInsecureRequests: https ? [] : null,
      },
    },
    strictTransportSecurity: https,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onRequest', (request, reply, next) => {
    reply.raw.setHeader('permissions-policy', 'camera=(self), microphone=(), geolocation=()')
    secure(request.raw, reply.raw, next as () => void)
  })
  await app.register(compress, { encodings: ['gzip'], threshold: 1024, zlibOptions: { level: 4 } })
  await app.register(cookie)
  await app.register(multipart, {
    isPartAFile,
    limits: { fileSize: 200 * 1024 * 1024, files: 2, fields: 100, fieldSize: 64 * 1024 },
  })
  app.addHook('onSend', async (request, reply) => {
    if (isApi(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

/**
 * `/healthz` answers as long as the process lives, with its version. `/readyz` says whether the server can serve
 * requests: it asks the database, at most once a second.
 */
function health(app: App, db: Database): void {
  app.get('/healthz', { exposeHeadRoute: true }, async () => ({ status: 'ok', version: VERSION }))
  let asked = Number.NEGATIVE_INFINITY
  let ready: Promise<boolean> = Promise.resolve(false)
  const ask = async () => {
    const tooLate = new Promise<boolean>((resolve) => setTimeout(resolve, 1500, false).unref())
    const answer = isMigrated((text) => {
      // The query has a time limit, so that a database that hangs cannot fill the pool with such queries. It uses the
      // pool for reading, because the one for writing may be full of requests that wait for a lock on the same item.
      const question = { text, query_timeout: 1500 }
      return db.readers.query(question)
    })
    return Promise.race([answer.catch(() => false), tooLate])
  }
  app.get('/readyz', { exposeHeadRoute: true }, async (_request, reply) => {
    if (performance.now() - asked >= 1000) {
      asked = performance.now()
      ready = ask()
    }
    if (await ready) return { status: 'ready' }
    return reply.code(503).header('retry-after', 2).send({ status: 'not ready' })
  })
}

/** Answers every path outside the API with the single-page application. */
async function serveScreens(app: App): Promise<void> {
  if (!existsSync(screens)) return
  await app.register(serveStatic, {
    root: screens,
    // One route for all files. A route for each of the few hundred files took a fifth of the time that the start takes.
    serve: false,
    // The build has already compressed the files.
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      const hashed = file.includes(`${path.sep}assets${path.sep}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const files = new Set(builtFiles())
  const page = path.join(screens, 'index.html')
  // The page's hash tells two builds apart, also if their files have the same size and time. It is weak, because the
  // compressed forms of the page share it.
  const tag = files.has('/index.html')
    ? `"${createHash('sha256').update(readFileSync(page)).digest('base64url')}"`
    : null
  app.get('/*', { config: { access: 'public' }, exposeHeadRoute: true }, async (request, reply) => {
    const [name = ''] = request.url.split('?')
    if (files.has(name) && name !== '/index.html') return reply.sendFile(name)
    if (/^\/(api|assets)(\/|$)/.test(request.url)) return reply.callNotFound()
    if (tag === null) return reply.sendFile('index.html')
    reply.header('etag', `W/${tag}`)
    if (request.headers['if-none-match']?.includes(tag))
      return reply.code(304).headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' }).send()
    return reply.sendFile('index.html', { etag: false, lastModified: false })
  })
}

/** The addresses of the built files. A compressed file counts as the plain file that it belongs to. */
function builtFiles(): string[] {
  return readdirSync(screens, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map(({ parentPath, name }) => `/${path.relative(screens, path.join(parentPath, name)).replaceAll(path.sep, '/')}`)
}
