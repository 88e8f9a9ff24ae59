import { OptionalLanguage } from '@backstock/contract/invoice-language-field.ts'
import { PickListInput } from '@backstock/contract/stock.ts'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { whileAwaited } from '../../../http/awaited.ts'
import { IdParams } from '../../../http/crud.ts'
import { fileAnswer } from '../../../http/openapi.ts'
import { BODY } from '../../../http/read-bodies.ts'
import { forbidden } from '../../../http/refusal.ts'
import { actorOf } from '../../../http/session.ts'
import type { App } from '../../../http/typed-routes.ts'
import { renderPaper } from '../../../render/paper/paper.ts'
import { deliveryNoteOf } from './delivery-note.ts'
import { pickListOfBasket, pickListOfDraft, pickListOfSale } from './pick-list.ts'

const LanguageQuery = z.object({ lang: OptionalLanguage.optional() })

/**
 * The routes of delivery notes and pick lists, for the people who pack. They are made on request, have no number, and
 * are not stored. A browser shows them in a tab, from which a person prints them.
 */
export function salePaperRoutes(app: App, db: Database): void {
  const answer = fileAnswer('The PDF, to be shown.', 'application/pdf')
  const shown = (reply: FastifyReply, name: string, pdf: Buffer) =>
    reply.header('content-disposition', `inline; filename="${name}.pdf"`).type('application/pdf').send(pdf)

  app.get('/api/sale/:id/pick-list', { schema: { params: IdParams, ...answer } }, async (request, reply) => {
    const { id } = request.params
    const list = await renderPaper(actorOf(request).id, whileAwaited(reply), () => pickListOfSale(db.read, id))
    return shown(reply, `pick-list-${id}`, list)
  })
  app.get('/api/user/:id/basket/pick-list', { schema: { params: IdParams, ...answer } }, async (request, reply) => {
    const { id } = request.params
    if (actorOf(request).id !== id) throw forbidden('A basket belongs to its user.')
    const list = await renderPaper(id, whileAwaited(reply), () => pickListOfBasket(db.read, id))
    return shown(reply, 'pick-list', list)
  })
  const draft = { schema: { body: PickListInput, ...answer }, bodyLimit: BODY.list }
  app.post('/api/stock/pick-list', draft, async (request, reply) => {
    const { items } = request.body
    const list = await renderPaper(actorOf(request).id, whileAwaited(reply), () => pickListOfDraft(db.read, items))
    return shown(reply, 'pick-list', list)
  })
  const schema = { params: IdParams, querystring: LanguageQuery, ...answer }
  app.get('/api/sale/:id/delivery-note', { schema }, async (request, reply) => {
    const { id } = request.params
    const lang = request.query.lang ?? undefined
    const note = await renderPaper(actorOf(request).id, whileAwaited(reply), () => deliveryNoteOf(db.read, id, lang))
    return shown(reply, `delivery-note-${id}`, note)
  })
}
