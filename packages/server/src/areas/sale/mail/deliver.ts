import path from 'node:path'
import { buildMessage, MailAddressError, type OutgoingMail, writeEml } from '../../../documents/mail/mail.ts'
import { sendBySmtp } from '../../../documents/mail/smtp.ts'

/**
 * What became of an attempt: `later` was surely not taken and may go well another time, `failed` never will, `unclear` may
 * have been taken.
 */
export type Outcome = { state: 'sent' } | { state: 'later' | 'failed' | 'unclear'; error: string }

/** Where mails go: to the mail server, else as `.eml` files into the folder `mail` of `dataDir`. */
export type Post = { smtpUrl: string | undefined; dataDir: string }

/** The sender of files where none is set; a mail server would not take it. */
const LOCAL_SENDER = 'backstock@localhost'

/** Hands one mail over. Never rejects. */
export async function handOver(mail: OutgoingMail, { smtpUrl, dataDir }: Post): Promise<Outcome> {
  if (smtpUrl !== undefined && mail.from.address === '')
    return { state: 'failed', error: 'There is no sender address: set the mail sender under Company, then resend.' }
  try {
    const message = await buildMessage({ ...mail, from: { ...mail.from, address: mail.from.address || LOCAL_SENDER } })
    if (smtpUrl === undefined) {
      await writeEml(path.join(dataDir, 'mail'), message.messageId, message.raw)
      return { state: 'sent' }
    }
    const result = await sendBySmtp(smtpUrl, message)
    if (result.outcome === 'sent') return { state: 'sent' }
    if (result.outcome === 'unclear') return { state: 'unclear', error: result.error }
    return { state: result.permanent ? 'failed' : 'later', error: result.error }
  } catch (error) {
    return { state: error instanceof MailAddressError ? 'failed' : 'later', error: (error as Error).message }
  }
}
