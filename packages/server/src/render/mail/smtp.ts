import { Readable } from 'node:stream'
import type { NodemailerError } from 'nodemailer/lib/errors'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Message } from './mail.ts'

/**
 * The fate of a message. `refused`: the server surely did not take it. If this is `permanent` (the server answered
 * 5xx, or the message itself is at fault) no other attempt will succeed; else one may. `unclear`: the whole message
 * was sent, but the server's answer never came, so nobody knows whether it was taken.
 */
export type SmtpOutcome =
  | { outcome: 'sent' }
  | { outcome: 'refused'; permanent: boolean; error: string }
  | { outcome: 'unclear'; error: string }

/** `connectMs` holds for the connection and for the greeting, `silenceMs` between two answers, `totalMs` for all. */
export type SmtpTimeouts = { connectMs: number; silenceMs: number; totalMs: number }

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, silenceMs: 60_000, totalMs: 180_000 }

const PIECE = 16 * 1024

/** Sends one message to the server of `smtp://user:password@host:port` (or `smtps:`). Never rejects. */
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
  // Read only once the server has said 354; its end comes just before the closing dot is written (RFC 5321, 4.1.1.4).
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

/** Small pieces: so the end is read only when nearly everything before it has left. */
function* pieces(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += PIECE) yield raw.subarray(at, at + PIECE)
}

function whatHappened(error: NodemailerError, handedOver: boolean): SmtpOutcome {
  const answered = error.responseCode !== undefined && error.responseCode >= 400
  if (handedOver && !answered) return { outcome: 'unclear', error: error.message }
  // A refused login says nothing about the message: someone may set the password right.
  const permanent =
    error.code === 'EAUTH' ? false : (error.permanent ?? ['EENVELOPE', 'EMESSAGE'].includes(error.code ?? ''))
  return { outcome: 'refused', permanent, error: error.message }
}
