import { z } from 'zod'
import { addressProblem, storedAddress } from './electronic-address.ts'
import { identifierOfLine, typedIdentifier } from './identifier-cell.ts'
import { compactIdentifier, eidProblem, hexadecimalMeid, imeiProblem, meidProblem } from './imei.ts'
import { CURRENCY, MAX_PRICE } from './money.ts'
import { storedBic, storedIban, storedVatNumber } from './party-numbers.ts'
import { plainIdentifier, plainName, plainNotes, textProblem } from './plain-text.ts'
import { EMAIL_MAX } from './role.ts'
import { MAX_ITEMS } from './stock-status.ts'
import { isCalendarDate } from './time.ts'
import { MAX_RATE } from './vat-rate.ts'

/** The largest id that the database can store. */
export const MAX_ID = 2_147_483_647

const numeric = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/**
 * An option for a rule on a whole body. With it, Zod checks the rule even if single fields are wrong, so that the
 * answer has all errors at once.
 */
export const ALSO_WHEN_WRONG = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

/** A record's id, as a number or as its digits in a text, which forms and selects send. */
export const Id = z.preprocess(
  numeric,
  z
    .int({ error: ({ input }) => (isBlank(input) ? 'This field is required.' : 'Must be the id of a record.') })
    .min(1, 'Must be the id of a record.')
    .max(MAX_ID, 'This record does not exist. Choose another.'),
)

/** The id of a record that may be left open: null, '' and 0 clear it. */
export const OptionalId = z.preprocess((value) => (value === '' || value === 0 ? null : value), Id.nullable())

/** A list of at most `most` items. A longer one is refused before any item is checked. */
export const listOf = <Item extends z.ZodType>(items: z.ZodArray<Item>, most: number, tooMany: string) =>
  z.preprocess(
    (value, context) => {
      if (!Array.isArray(value) || value.length <= most) return value
      context.addIssue({ code: 'custom', message: tooMany })
      return z.NEVER
    },
    items.max(most, tooMany),
  )

/** A list of ids, as a JSON list or as comma-separated text; at most 5,000 if no other limit is given. */
export const itemIds = (tooMany = `At most ${MAX_ITEMS} items at once.`, most = MAX_ITEMS) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
        : value,
    listOf(
      z.array(Id, { error: ({ input }) => (isBlank(input) ? 'This field is required.' : 'Must be a list of ids.') }),
      most,
      tooMany,
    ),
  )

/** Refuses a normalised text that cannot be stored; the message names the character. */
const storable = z.check<string>(({ value, issues }) => {
  const message = textProblem(value)
  if (message) issues.push({ code: 'custom', message, input: value })
})

/** Text of at most `max` characters that must not be empty once it is normalised by `plain`. */
const required = (plain: (text: string) => string, max: number) =>
  z
    .string({ error: 'This field is required.' })
    .overwrite(plain)
    .min(1, 'This field is required.')
    .max(max, `At most ${max} characters.`)
    .check(storable)

/** Text or null; text that is empty once it is normalised by `plain` becomes null. */
const optional = (plain: (text: string) => string, max: number) =>
  z
    .string({ error: 'Must be text.' })
    .overwrite(plain)
    .max(max, `At most ${max} characters.`)
    .check(storable)
    .transform((text) => text || null)
    .nullable()

/** A name, or other text of one line, that must not be empty. */
export const requiredText = (max = 255) => required(plainName, max)

/** An email address or another key that must not be empty. */
export const requiredIdentifier = (max = 255) => required(plainIdentifier, max)

/** Text of one line, or null; empty text becomes null. */
export const optionalText = (max = 255) => optional(plainName, max)

/** A VAT number, or null; stored without the signs that people write between its parts. */
export const optionalVatNumber = () => optional((text) => storedVatNumber(plainName(text)), 255)

/** A VAT number that must not be empty, stored in the same form. */
export const requiredVatNumber = () => required((text) => storedVatNumber(plainName(text)), 255)

/** An IBAN, or null; stored without the signs that people write between its parts. */
export const optionalIban = () => optional((text) => storedIban(plainName(text)), 42)

/** A BIC, or null; stored without the signs that people write between its parts. */
export const optionalBic = () => optional((text) => storedBic(plainName(text)), 11)

/** An address for e-invoices in the notation of Peppol, such as `0106:12345678`, or null. */
export const optionalElectronicAddress = () =>
  optional((text) => storedAddress(plainName(text)), 100).superRefine((stored, context) => {
    const problem = stored === null ? null : addressProblem(stored)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** A serial number or another key that identifies a record, or null. */
export const optionalIdentifier = (max = 255) => optional(plainIdentifier, max)

/** A serial number that a person types or pastes, or null. The signs that a spreadsheet puts around it are removed. */
export const optionalSerial = (max = 255) => optional(typedIdentifier, max)

/** The longest notes, in characters. */
export const MAX_NOTES = 10_000

/** Notes: up to 10,000 characters, line breaks kept. */
export const notes = () => optional(plainNotes, MAX_NOTES)

/** Notes that must not be empty. */
export const requiredNotes = () => required(plainNotes, MAX_NOTES)

const emailPattern = /^[^\s@<>(),;:"\\[\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i

/** An email address that is safe in a mail header. */
export const Email = requiredIdentifier(EMAIL_MAX).regex(emailPattern, 'Must be an email address.')

/** A yes or no: `true`, `false`, `1` or `0`, as JSON or text. */
export const Flag = z.preprocess(
  (value) =>
    value === 1 || value === '1' || value === 'true'
      ? true
      : value === 0 || value === '0' || value === 'false'
        ? false
        : value,
  z.boolean({ error: 'Must be true or false.' }),
)

/** A whole number or null. Digits in a text are taken too, because forms send them; '' clears the field. */
export const optionalCount = (min: number, max: number) =>
  z.preprocess(
    (value) => (value === '' ? null : typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z
      .int({ error: 'Must be a whole number.' })
      .min(min, min === 0 ? 'Must not be negative.' : `Must be ${min} or more.`)
      .max(max, `At most ${max.toLocaleString('en')}.`)
      .nullable(),
  )

/** The same for a number that must not be empty. */
export const requiredCount = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z
      .int({ error: ({ input }) => (isBlank(input) ? 'This field is required.' : 'Must be a whole number.') })
      .min(min, `Must be ${min} or more.`)
      .max(max, `At most ${max.toLocaleString('en')}.`),
  )

/** A price in hundredths, 0 to 100,000,000. */
export const Price = z.preprocess(
  numeric,
  z
    .int({ error: ({ input }) => (isBlank(input) ? 'This field is required.' : 'Must be a whole number of cents.') })
    .min(0, 'Must not be negative.')
    .max(MAX_PRICE, 'At most 1,000,000.00.'),
)
export const OptionalPrice = z.preprocess((value) => (value === '' ? null : value), Price.nullable())

/** A sum of money in an answer, in hundredths. It may be negative, as a loss is. */
export const Amount = z.int()

/**
 * A VAT rate in percent, from 0 to 100 with at most two decimals, as clients send it. The server keeps hundredths of a
 * percent.
 */
export const RatePercent = z.preprocess(
  (value) => numeric(typeof value === 'string' ? value.replace(',', '.') : value),
  z
    .number({ error: ({ input }) => (isBlank(input) ? 'This field is required.' : 'Must be a number from 0 to 100.') })
    .min(0, 'Must be from 0 to 100.')
    .max(MAX_RATE / 100, 'Must be from 0 to 100.')
    .refine((rate) => Math.abs(rate * 100 - Math.round(rate * 100)) < 1e-9, 'At most two decimals.'),
)

/** `yyyy-mm-dd`, a day of the calendar. */
export const DateOnly = z
  .string({ error: 'Must be a date.' })
  .trim()
  .refine(isCalendarDate, 'Must be a real date as yyyy-mm-dd.')
export const OptionalDate = z.preprocess((value) => (value === '' ? null : value), DateOnly.nullable())

export const Currency = z.literal(CURRENCY, { error: 'Only EUR is supported.' })

/** A device's number. Spaces, dashes and other parts of a pasted line are removed; null and '' clear the field. */
const deviceNumber = (
  problemOf: (compact: string) => string | null,
  tooLong: string,
  mend = (compact: string) => compact,
) =>
  z
    .string({ error: 'Must be text.' })
    .max(64, tooLong)
    .transform((text) => mend(compactIdentifier(identifierOfLine(text))) || null)
    .superRefine((compact, context) => {
      const problem = compact === null ? null : problemOf(compact)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .transform((compact) => compact?.toUpperCase() ?? null)
    .nullable()

export const Imei = deviceNumber(imeiProblem, 'An IMEI has 14 to 16 digits.')
export const Meid = deviceNumber(meidProblem, 'An MEID has 14 digits, of which some may be A to F.', hexadecimalMeid)
export const Eid = deviceNumber(eidProblem, 'An EID has 32 digits.')

/** A point in time in an answer: ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.string()

/**
 * The `updated_at` that the record had when the client loaded it. If the record has changed since, the edit is a 409.
 */
export const LoadedAt = z.iso
  .datetime({ offset: true, error: 'Must be the time the record was loaded with.' })
  .optional()
