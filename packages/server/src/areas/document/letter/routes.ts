import { writeAnswer } from '@backstock/contract/answer.ts'
import { CustomerAccount, Debtor, DebtorQuery, Letter, LetterInput } from '@backstock/contract/letter.ts'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import type { Database } from '../../../db/connect.ts'
import { done } from '../../../http/answer.ts'
import { whileAwaited } from '../../../http/awaited.ts'
import { type Crud, crud, IdParams } from '../../../http/crud.ts'
import { onceByActor } from '../../../http/idempotency.ts'
import { fileAnswer } from '../../../http/openapi.ts'
import { missing, Refusal } from '../../../http/refusal.ts'
import { actorOf } from '../../../http/session.ts'
import type { App } from '../../../http/typed-routes.ts'
import { sendFile } from '../../../records/file.ts'
import { type LetterPaper, renderPaper } from '../../../render/paper/paper.ts'
import { accountOf, findDebtors } from './open-items.ts'
import { draftLetter, keepLetter, resendLetter } from './write-letter.ts'

const NoInput = z.object({})

/** The open items: a list of customers, and the account of one. Sales, documents and payments change them. */
const openItem = (
  sendsMail: boolean,
): Crud<typeof DebtorQuery, typeof NoInput, typeof Debtor, typeof CustomerAccount> => ({
  area: 'open-item',
  title: 'Customer',
  query: DebtorQuery,
  input: NoInput,
  row: Debtor,
  record: CustomerAccount,
  find: findDebtors,
  one: (db, id) => accountOf(db, id, sendsMail),
})

/**
 * A letter with its PDF, made before the transaction that stores it, so that nobody waits for a lock while it is
 * printed. Returns a refusal instead of throwing it, because a repeated request must get its first answer even if the
 * letter could no longer be made.
 */
async function drawn(
  db: Database,
  customerId: number,
  input: LetterInput,
  print: (paper: LetterPaper) => Promise<Buffer>,
) {
  try {
    const draft = await draftLetter(db.read, customerId, input)
    return { draft, pdf: await print(draft.paper) }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** The routes of open items, and of the letters about them. */
export function letterRoutes(app: App, db: Database, { mailFrom, smtpUrl }: Config): void {
  crud(app, db, openItem(smtpUrl !== undefined))
  const pdf = fileAnswer('The PDF.', 'application/pdf')

  const preview = { params: IdParams, body: LetterInput, ...pdf }
  app.post('/api/open-item/:id/letter/preview', { schema: preview }, async (request, reply) => {
    const { id } = request.params
    const read = async () => ({ ...(await draftLetter(db.read, id, request.body)).paper, isDraft: true as const })
    const shown = await renderPaper(actorOf(request).id, whileAwaited(reply), read)
    return reply.header('content-disposition', 'inline').type('application/pdf').send(shown)
  })

  const order = { params: IdParams, body: LetterInput, response: { 200: writeAnswer(Letter) } }
  app.post('/api/open-item/:id/letter', { schema: order }, async (request, reply) => {
    const actor = actorOf(request)
    const { id } = request.params
    const input = request.body
    const body = JSON.stringify([`open-item/${id}/letter`, input])
    const made = await drawn(db, id, input, (paper) => renderPaper(actor.id, whileAwaited(reply), async () => paper))
    const { answer } = await onceByActor(db, request, body, async (tx) => {
      if (made instanceof Refusal) throw made
      const options = { author: { userId: actor.id }, mailFrom }
      const data = await keepLetter(tx, id, input, made, options)
      const what = input.kind === 'statement' ? 'statement' : 'reminder'
      const message = input.way === 'email' ? `The ${what} is waiting to be sent.` : `The ${what} is ready.`
      return { status: 200, answer: done(message, data) }
    })
    return answer
  })

  app.get('/api/letter/:id/pdf', { schema: { params: IdParams, ...pdf } }, async (request, reply) => {
    const { id } = request.params
    const letter = await db.read.selectFrom('letter').select('file_id').where('id', '=', id).executeTakeFirst()
    if (!letter) throw missing(`Letter #${id}`)
    return sendFile(reply, db.read, letter.file_id)
  })

  const again = { params: IdParams, response: { 200: writeAnswer(Letter) } }
  app.post('/api/letter/:id/send', { schema: again }, async (request) => {
    const actor = actorOf(request)
    const { id } = request.params
    const { answer } = await onceByActor(db, request, `letter/${id}/send`, async (tx) => {
      const data = await resendLetter(tx, id, { author: { userId: actor.id }, mailFrom })
      return { status: 200, answer: done('The email is waiting to be sent.', data) }
    })
    return answer
  })
}
