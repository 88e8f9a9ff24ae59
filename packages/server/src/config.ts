import path from 'node:path'
import { Email } from '@backstock/contract/fields.ts'
import { plainIdentifier } from '@backstock/contract/plain-text.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '@backstock/contract/role.ts'
import { z } from 'zod'

const off = (text: string | undefined): text is undefined | '' => text === undefined || text === ''

const flag = (name: string, normally: boolean) =>
  z
    .string()
    .optional()
    .transform((text, context) => {
      if (off(text)) return normally
      if (/^(1|true|yes|on)$/i.test(text)) return true
      if (/^(0|false|no|off)$/i.test(text)) return false
      context.addIssue({ code: 'custom', message: `${name} must be 1 or 0` })
      return z.NEVER
    })

const optional = z
  .string()
  .optional()
  .transform((text) => (off(text) ? undefined : text))

const url = (name: string, protocols: string[]) =>
  optional.refine(
    (text) =>
      text === undefined ||
      serversOf(text).every((one) => URL.canParse(one) && protocols.includes(new URL(one).protocol)),
    `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  )

const Environment = z.object({
  PORT: optional.transform((text = '3000', context) => {
    if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text)
    context.addIssue({ code: 'custom', message: 'PORT must be a number from 0 to 65535' })
    return z.NEVER
  }),
  HOST: optional.transform((text = '127.0.0.1') => text),
  DATA_DIR: optional,
  DATABASE_URL: url('DATABASE_URL', ['postgres:', 'postgresql:']).refine(
    (text) => text === undefined || !hasTornPassword(text),
    'DATABASE_URL has an @ where none belongs: in a password write / as %2F, ? as %3F, # as %23 and % as %25',
  ),
  PUBLIC_URL: url('PUBLIC_URL', ['http:', 'https:']),
  ADMIN_EMAIL: optional
    .transform((text) => text && plainIdentifier(text))
    .refine((text) => text === undefined || /^[^\s@]+@\S+$/.test(text), 'ADMIN_EMAIL must be an email address'),
  ADMIN_PASSWORD: optional.refine(
    (text) => text === undefined || (text.length >= PASSWORD_MIN && text.length <= PASSWORD_MAX),
    `ADMIN_PASSWORD must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
  ),
  SAMPLE_DATA: flag('SAMPLE_DATA', true),
  SMTP_URL: url('SMTP_URL', ['smtp:', 'smtps:']),
  MAIL_FROM: optional.refine(
    (text) => text === undefined || Email.safeParse(text).success,
    'MAIL_FROM must be an email address alone, such as sales@shop.example',
  ),
  E_INVOICE_FOLDER: optional.refine(
    (text) => text === undefined || path.isAbsolute(text),
    'E_INVOICE_FOLDER must be the absolute path of a folder',
  ),
  GRAVATAR: flag('GRAVATAR', false),
  LOG_LEVEL: optional
    .transform((text = 'warn') => text)
    .pipe(
      z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
        error: 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
      }),
    ),
  VIES: flag('VIES', false),
  VIES_URL: url('VIES_URL', ['http:', 'https:']).transform(
    (text = 'https://ec.europa.eu/taxation_customs/vies/rest-api') => text.replace(/\/$/, ''),
  ),
  TRUST_PROXY: flag('TRUST_PROXY', false),
})

export type Config = {
  port: number
  host: string
  /** The folder for the embedded database and for mails. If it is undefined, the start computes it. */
  dataDir: string | undefined
  databaseUrl: string | undefined
  publicUrl: string | undefined
  adminEmail: string | undefined
  adminPassword: string | undefined
  sampleData: boolean
  smtpUrl: string | undefined
  mailFrom: string | undefined
  /** The folder from which a connector takes e-invoices. */
  eInvoiceFolder: string | undefined
  gravatar: boolean
  /** Whether the server may ask VIES about VAT numbers, and the address of its REST interface. */
  vies: boolean
  viesUrl: string
  logLevel: string
  trustProxy: boolean
}

/**
 * The addresses of the single servers in DATABASE_URL. It may name several servers of one database, in the form of
 * libpq: `postgresql://user:password@a,b:5433/backstock`.
 */
export function serversOf(databaseUrl: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/s.exec(databaseUrl) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [databaseUrl]
}

/**
 * Whether a slash, a question mark or a hash in the password ends the address too early. The text before it would then
 * count as the host, the text after it as the database, and error messages would show both.
 */
function hasTornPassword(databaseUrl: string): boolean {
  const [, path = '', query = '', hash = ''] = /^[a-z]+:\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(databaseUrl) ?? []
  return [path, hash, ...query.split('&').map((part) => part.replace(/=.*/s, ''))].some((part) => part.includes('@'))
}

/** The error for a wrong environment variable. Its message is one line with the variable's name and its fault. */
export class ConfigError extends Error {}

/** Reads the settings from the environment. Call it once. Throws `ConfigError`. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => issue.message).join('; '))
  const env = parsed.data
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR && path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    publicUrl: env.PUBLIC_URL?.replace(/\/$/, ''),
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    sampleData: env.SAMPLE_DATA,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    eInvoiceFolder: env.E_INVOICE_FOLDER,
    gravatar: env.GRAVATAR,
    vies: env.VIES,
    viesUrl: env.VIES_URL,
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
  }
}
