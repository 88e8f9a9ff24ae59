import { Readable } from 'node:stream'
import type { NodemailerError } from 'nodemailer/lib/errors'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Message } from './mail.ts'

/**
 * The outcome of sending a message. `refused`: the server surely did not accept it. If `permanent` is true (the server
 * answered 5xx, or the message itself is wrong), no other attempt will succeed; otherwise one may. `unclear`: the whole
 * message was sent, but no answer came, so nobody knows whether the server accepted it.
 */
export type SmtpOutcome =
  | { outcome: 'sent' }
  | { outcome: 'refused'; permanent: boolean; error: string }
  | { outcome: 'unclear'; error: string }

/**
 * Time limits in ms: `connectMs` for the connection and the greeting, `silenceMs` between two answers, `totalMs` for
 * everything.
 */
export type SmtpTimeouts = { connectMs: number; silenceMs: number; totalMs: number }

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, silenceMs: 60_000, totalMs: 180_000 }

const PIECE = 16 * 1024

/** Sends a message to the server at `smtp://user:password@host:port` (or `smtps:`). The promise never rejects. */
export async function sendBySmtp(smtpUrl: string, message: Message, timeouts = TIMEOUTS): Promise<SmtpOutcome> {
  const { auth, ...server } = parseConnectionUrl(smtpUrl)
  const connection = new SmtpConnection({
    ...server,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    socketCloseTimeout: 0,
  })
  // The content is read only after the server has answered 354. Its end is read just before the closing dot is written
  // (RFC 5321, 4.1.1.4).
  let handedOver = false
  const content = Readable.from(pieces(message.raw), { objectMode: false }).once('end', () => {
    handedOver = true
  })
  let deadline: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve())
      const send = () => connection.send({ from: message.envelope.from, to: [message.envelope.to] }, content, done)
      connection.on('error', reject)
      connection.once('end', () => reject(new Error('The mail server closed the connection.')))
      deadline = setTimeout(() => reject(new Error('The mail server took too long.')), timeouts.totalMs)
      connection.connect((error) => {
        if (error) reject(error)
        else if (auth && connection.allowsAuth)
          connection.login({ user: auth.user, credentials: auth }, (failed) => (failed ? reject(failed) : send()))
        else send()
      })
    })
    return { outcome: 'sent' }
  } catch (error) {
    return whatHappened(error as NodemailerError, handedOver)
  } finally {
    clearTimeout(deadline)
    content.destroy()
    connection.close()
  }
}

/** The message in small pieces, so that its end is read only when nearly all of it has been sent. */
function* pieces(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += PIECE) yield raw.subarray(at, at + PIECE)
}

function whatHappened(error: NodemailerError, handedOver: boolean): SmtpOutcome {
  const answered = error.responseCode !== undefined && error.responseCode >= 400
  if (handedOver && !answered) return { outcome: 'unclear', error: error.message }
  // A refused login does not depend on the message: somebody may correct the password.
  const permanent =
    error.code === 'EAUTH' ? false : (error.permanent ?? ['EENVELOPE', 'EMESSAGE'].includes(error.code ?? ''))
  return { outcome: 'refused', permanent, error: error.message }
}
