import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll } from 'vitest'

/**
 * A mail server for the journeys of a file. It keeps the mails that it accepts, in their order. Open the shop after it,
 * with its environment. It refuses mails to the addresses in `refused`.
 */
export function openMailSink() {
  const mails: Email[] = []
  const refused = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      done(refused.has(address) ? Object.assign(new Error('No such person'), { responseCode: 550 }) : undefined)
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          mails.push(mail)
          done()
        }, done)
      })
    },
  })
  /** The server also needs the address of a sender. */
  const environment: Record<string, string> = { MAIL_FROM: 'sales@phones.test' }
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    environment['SMTP_URL'] = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { mails, refused, environment }
}
