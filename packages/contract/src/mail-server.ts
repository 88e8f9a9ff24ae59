import { z } from 'zod'

/** `server`: host and port of the mail server; null if none is set up, and emails are saved as files. */
export const MailServer = z.object({ server: z.string().nullable() })
export type MailServer = z.infer<typeof MailServer>
