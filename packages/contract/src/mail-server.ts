import { z } from 'zod'

/**
 * `server` is the host and port of the mail server. Null means that none is set up, and that the server saves emails as
 * files.
 */
export const MailServer = z.object({ server: z.string().nullable() })
export type MailServer = z.infer<typeof MailServer>
