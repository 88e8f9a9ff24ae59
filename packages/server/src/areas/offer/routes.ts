import { Offer, OfferFileQuery, OfferQuery } from '@backstock/contract/offer.ts'
import { offerLines } from '@backstock/contract/offer-lines.ts'
import { OFFER_WORDS } from '@backstock/contract/offer-words.ts'
import type {} from '@fastify/compress'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { SUCCESS } from '../../http/answer.ts'
import { whileAwaited } from '../../http/awaited.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { places } from '../../http/places.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { contentDisposition } from '../../records/file.ts'
import { renderPaper } from '../../render/paper/paper.ts'
import { orTooLong } from '../../render/workers/too-long.ts'
import { senderOf } from '../company.ts'
import { offered } from './groups.ts'
import { offerWorkbook } from './workbook.ts'

/** The most requests that wait, in all and for each person. Each one holds its lines in memory. */
const MAX_AT_ONCE = { all: 20, each: 5 }
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * The routes of offers: `GET offer` answers the offer as data, `offer/xlsx` and `offer/pdf` as files. The server stores
 * nothing.
 */
export function offerRoutes(app: App, db: Database): void {
  const answer = z.object({ success: z.literal(true), data: Offer })
  app.get('/api/offer', { schema: { querystring: OfferQuery, response: { 200: answer } } }, async (request) => {
    const found = await offered(db.read, request.query, actorOf(request).id)
    const { sender, today } = await senderOf(db.read)
    return { ...SUCCESS, data: { seller: sender.name, date: today, ...found } }
  })

  const made = async (request: FastifyRequest, query: OfferFileQuery) => {
    const { lang, prices = true, unpriced = true, percent, ...source } = query
    const terms = { lang, prices, unpriced, percent }
    const { groups } = await offered(db.read, source, actorOf(request).id)
    return { lines: offerLines(groups, terms), terms, ...(await senderOf(db.read)) }
  }
  const attached = (
    reply: FastifyReply,
    { lang, date }: { lang: OfferFileQuery['lang']; date: string },
    ending: string,
  ) => reply.header('content-disposition', contentDisposition(`${OFFER_WORDS[lang].offer} ${date}.${ending}`))

  const schema = (what: string, mediaType: string) => ({
    schema: { querystring: OfferFileQuery, ...fileAnswer(what, mediaType) },
    compress: false as const,
  })
  const waiting = places('offers', MAX_AT_ONCE)
  app.get('/api/offer/xlsx', schema('The offer as a sheet.', XLSX), async (request, reply) => {
    const unwanted = whileAwaited(reply)
    const { file, date } = await waiting(actorOf(request).id, async () => {
      const { lines, terms, sender, today } = await made(request, request.query)
      const named = { seller: sender.name, date: today }
      return { file: await orTooLong(offerWorkbook(named, lines, terms, unwanted)), date: today }
    })
    return attached(reply, { lang: request.query.lang, date }, 'xlsx').type(XLSX).send(file)
  })
  app.get('/api/offer/pdf', schema('The offer as a PDF.', 'application/pdf'), async (request, reply) => {
    const { lang } = request.query
    let date = ''
    const file = await renderPaper(actorOf(request).id, whileAwaited(reply), async () => {
      const { lines, terms, sender, today } = await made(request, request.query)
      date = today
      return { kind: 'offer', sender, lang, date, prices: terms.prices, lines }
    })
    return attached(reply, { lang, date }, 'pdf').type('application/pdf').send(file)
  })
}
