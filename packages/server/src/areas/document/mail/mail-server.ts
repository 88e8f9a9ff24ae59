import { randomUUID } from 'node:crypto'
import { type WriteAnswer, writeAnswer } from '@backstock/contract/answer.ts'
import { MailServer } from '@backstock/contract/mail-server.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import type { Database, Db } from '../../../db/connect.ts'
import { done, SUCCESS } from '../../../http/answer.ts'
import { conflict } from '../../../http/refusal.ts'
import { actorOf } from '../../../http/session.ts'
import type { App } from '../../../http/typed-routes.ts'
import { buildMessage, MailAddressError } from '../../../render/mail/mail.ts'
import { sendBySmtp } from '../../../render/mail/smtp.ts'

/** The time limits for a test mail, for which a person waits. Mails in the outbox have longer limits. */
const PATIENCE = { connectMs: 5000, silenceMs: 10_000, totalMs: 15_000 }

/** The host and port of the mail server, without its user and password. */
function mailServer({ smtpUrl }: Config): MailServer {
  if (smtpUrl === undefined) return { server: null }
  const { protocol, hostname, port } = new URL(smtpUrl)
  return { server: `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}` }
}

/**
 * Sends a test mail to the person who asks for it, and stores nothing about it. Throws 409 with the reason if no mail
 * server is set up, no sender is known, or the server does not accept the mail.
 */
async function sendTest(db: Db, { smtpUrl, mailFrom }: Config, userId: number): Promise<string> {
  if (smtpUrl === undefined) throw conflict('No mail server is set up: emails are saved as files on the server.')
  const { name, address, email } = await db
    .selectFrom('company')
    .innerJoin('app_user', (join) => join.on('app_user.id', '=', userId))
    .select(['company.name', 'app_user.email', sql<string | null>`coalesce(mail_from, company.email)`.as('address')])
    .executeTakeFirstOrThrow()
  const from = mailFrom ?? address
  if (!from) throw conflict('There is no sender address: set the mail sender, save, then try again.')
  const text = `This is a test email from Backstock, which sends the emails of ${name}. If you can read it, Backstock can send emails.\n`
  const message = await buildMessage({
    ...{ messageId: `<${randomUUID()}@${from.split('@')[1] ?? 'backstock.localhost'}>`, subject: 'Test email', text },
    ...{ from: { name, address: from }, to: { name: '', address: email }, html: null, attachments: [] },
  }).catch((error: unknown) => {
    throw error instanceof MailAddressError ? conflict(error.message) : error
  })
  const result = await sendBySmtp(smtpUrl, message, PATIENCE)
  if (result.outcome !== 'sent') throw conflict(`The test email was not sent: ${result.error}`)
  return email
}

/** The routes `GET company/mail` and `POST company/mail/test`, for administrators. */
export function mailServerRoutes(app: App, db: Database, config: Config): void {
  const answer = z.object({ success: z.literal(true), data: MailServer })
  const access = { config: { access: 'admin' as const } }
  app.get('/api/company/mail', { schema: { response: { 200: answer } }, ...access }, async () => ({
    ...SUCCESS,
    data: mailServer(config),
  }))
  const tested = { schema: { response: { 200: writeAnswer(MailServer) } }, ...access }
  app.post('/api/company/mail/test', tested, async (request): Promise<WriteAnswer<MailServer>> => {
    const email = await sendTest(db.read, config, actorOf(request).id)
    return done(`The mail server accepted a test email to ${email}.`, mailServer(config))
  })
}
