import path from 'node:path'
import { buildMessage, MailAddressError, type OutgoingMail, writeEml } from '../../../render/mail/mail.ts'
import { sendBySmtp } from '../../../render/mail/smtp.ts'

/**
 * The outcome of an attempt to send a mail. `sent`: a mail server accepted it, or it was saved as the file `savedAs`.
 * `later`: it was not accepted, and another attempt may succeed. `failed`: no attempt can succeed. `unclear`: the mail
 * server may have accepted it.
 */
export type Outcome =
  | { state: 'sent'; savedAs: string | null }
  | { state: 'later' | 'failed' | 'unclear'; error: string }

/** The destination of mails: the mail server, or, if there is none, `.eml` files in the folder `mail` of `dataDir`. */
export type Destination = { smtpUrl: string | undefined; dataDir: string }

/** The sender in `.eml` files if the shop has set none. A mail server would not accept it. */
const LOCAL_SENDER = 'backstock@localhost'

/** Makes one attempt to send a mail. The promise never rejects. */
export async function attemptDelivery(mail: OutgoingMail, { smtpUrl, dataDir }: Destination): Promise<Outcome> {
  if (smtpUrl !== undefined && mail.from.address === '')
    return { state: 'failed', error: 'There is no sender address: set the mail sender under Company, then resend.' }
  try {
    const message = await buildMessage({ ...mail, from: { ...mail.from, address: mail.from.address || LOCAL_SENDER } })
    if (smtpUrl === undefined) {
      const file = await writeEml(path.join(dataDir, 'mail'), message.messageId, message.raw)
      return { state: 'sent', savedAs: path.basename(file) }
    }
    const result = await sendBySmtp(smtpUrl, message)
    if (result.outcome === 'sent') return { state: 'sent', savedAs: null }
    if (result.outcome === 'unclear') return { state: 'unclear', error: result.error }
    return { state: result.permanent ? 'failed' : 'later', error: result.error }
  } catch (error) {
    return { state: error instanceof MailAddressError ? 'failed' : 'later', error: (error as Error).message }
  }
}
