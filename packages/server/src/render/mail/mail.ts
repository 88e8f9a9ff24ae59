import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { formatMoneyWithCode } from '@backstock/contract/format-in-language.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import { createTransport } from 'nodemailer'
import { first } from '../../lists.ts'
import { html } from '../html.ts'
import { CREDIT_NOTE_TEXTS } from '../invoice/credit-note-texts.ts'
import { INVOICE_TEXTS } from '../invoice/texts.ts'
import { MAIL_TEXTS } from './texts.ts'

/** The facts of a sale that its mail needs. `total_sales_price_vat` is in hundredths of EUR. */
export type MailedSale = {
  id: number
  invoice_number: string | null
  reference_number: string | null
  total_items: number
  total_sales_price_vat: Hundredths
  /** The seller's name. */
  company_name: string
  buyer: { full_name: string }
}

export type MailBody = { subject: string; text: string; html: string }

/**
 * The mail with a sale's invoice. If `carriesInvoice` is false, it confirms the order instead. It has no image and no
 * link.
 */
export function composeInvoiceMail(sale: MailedSale, carriesInvoice: boolean, lang: InvoiceLanguage = 'en'): MailBody {
  const t = MAIL_TEXTS[lang]
  const labels = INVOICE_TEXTS[lang]
  const seller = oneLine(sale.company_name)
  const order = String(sale.id)
  const number = carriesInvoice ? sale.invoice_number : null
  const confirmed = t.orderConfirmed(order)
  return composed(sale, lang, {
    subject: number ? t.invoiceSubject(number, seller) : t.orderSubject(order, seller),
    // The number of an uploaded invoice may only be in its PDF, so the mail does not name it.
    about: number ? t.invoiceAttached(number) : carriesInvoice ? `${confirmed} ${t.alsoAttached}` : confirmed,
    facts: [
      [t.items, String(sale.total_items)],
      [labels.total, formatMoneyWithCode(sale.total_sales_price_vat, 'EUR', lang)],
    ],
    closing: `${t.thanks} ${t.questions}`,
  })
}

type MailedCreditNote = {
  number: string
  credits_number: string | null
  total_gross: Hundredths
  lang: InvoiceLanguage
}

type NewInvoice = Pick<MailedSale, 'invoice_number' | 'total_sales_price_vat'>

/** The mail with a credit note, and perhaps with the invoice that replaces the credited one. */
export function composeCreditNoteMail(
  sale: MailedSale,
  { number, credits_number, total_gross, lang }: MailedCreditNote,
  replacement?: NewInvoice | null,
) {
  const t = MAIL_TEXTS[lang]
  const labels = INVOICE_TEXTS[lang]
  const seller = oneLine(sale.company_name)
  const money = (amount: Hundredths) => formatMoneyWithCode(amount, 'EUR', lang)
  const attached = t.creditNoteAttached(number, credits_number ?? '')
  if (!replacement)
    return composed(sale, lang, {
      subject: t.creditNoteSubject(number, seller),
      about: attached,
      facts: [[labels.sum, money(total_gross)]],
      closing: t.questions,
    })
  const invoice = replacement.invoice_number ?? ''
  const total = money(replacement.total_sales_price_vat)
  return composed(sale, lang, {
    subject: t.correctionSubject(number, invoice, seller),
    about: `${attached} ${t.newInvoiceAttached(invoice, total)}`,
    facts: [
      [`${CREDIT_NOTE_TEXTS[lang].title} ${number}`, money(total_gross)],
      [`${labels.invoice} ${invoice}`, total],
    ],
    closing: t.questions,
  })
}

type Words = { subject: string; about: string; facts: [string, string][]; closing: string }

function composed(sale: MailedSale, lang: InvoiceLanguage, { subject, about, facts, closing }: Words): MailBody {
  const labels = INVOICE_TEXTS[lang]
  const all: [string, string][] = [
    [labels.order, String(sale.id)],
    ...(sale.reference_number ? [[labels.reference, oneLine(sale.reference_number)] as [string, string]] : []),
    ...facts,
  ]
  return writeBody({
    ...{ lang, seller: sale.company_name, name: sale.buyer.full_name },
    ...{ subject, about: [about], facts: all, closing: [closing] },
  })
}

type Body = {
  lang: InvoiceLanguage
  seller: string
  /** The name of the person whom the mail greets. */
  name: string
  subject: string
  /** The paragraphs before and after the facts. */
  about: string[]
  facts: [string, string][]
  closing: string[]
}

/** A mail as plain text and as HTML, with its greeting and its regards. */
export function writeBody({ lang, seller: firm, name, subject, about, facts, closing }: Body): MailBody {
  const t = MAIL_TEXTS[lang]
  const seller = oneLine(firm)
  const greeting = t.greeting(oneLine(name))
  const rows = facts.map(
    ([name, value]) =>
      html`<tr><td style="padding:3px 24px 3px 0;color:#5b6471">${name}</td><td style="padding:3px 0">${value}</td></tr>`,
  )
  const paragraphs = (texts: string[]) => texts.map((text, n) => html`${n === 0 ? '' : '\n'}<p>${text}</p>`)
  return {
    subject,
    text: [
      greeting,
      ...about,
      facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ...closing,
      `${t.regards}\n${seller}\n`,
    ].join('\n\n'),
    html: html`<!doctype html>
<html lang="${lang}"><body style="margin:0;padding:24px;color:#1d2127;font:15px/1.5 'Segoe UI',Helvetica,Arial,sans-serif">
<p>${greeting}</p>
${paragraphs(about)}
<table role="presentation" cellspacing="0" cellpadding="0" style="border-collapse:collapse;font:inherit">${rows}</table>
${paragraphs(closing)}
<p>${t.regards}<br>${seller}</p>
</body></html>
`.markup,
  }
}

/** A text for a header of the mail. Line breaks become spaces, so that it cannot add another header. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

export type MailAddress = { name: string; address: string }

/** A mail as the outbox stores it. `messageId` is the same for all attempts, so that receivers recognise duplicates. */
export type OutgoingMail = {
  messageId: string
  from: MailAddress
  to: MailAddress
  subject: string
  text: string
  html: string | null
  attachments: { name: string; mediaType: string; content: Buffer }[]
}

/** A mail in the form in which it is sent (RFC 5322), with its envelope. */
export type Message = { messageId: string; raw: Buffer; envelope: { from: string; to: string } }

/**
 * The error for a mail without a usable sender or recipient, which no other attempt can mend. Its message names the
 * address.
 */
export class MailAddressError extends Error {}

function checked({ name, address }: MailAddress, role: string): MailAddress {
  if (!/^[^\s@<>(),:;"[\]\\\p{Cc}]+@[^\s@<>(),:;"[\]\\\p{Cc}]+$/u.test(address))
    throw new MailAddressError(`The ${role} of the email has no valid address${address && `: ${oneLine(address)}`}.`)
  return { name: oneLine(name), address }
}

/** Builds the message of a mail. Throws `MailAddressError`. It reads no file and no URL, even if the mail names one. */
export async function buildMessage(mail: OutgoingMail): Promise<Message> {
  const from = checked(mail.from, 'sender')
  const to = checked(mail.to, 'recipient')
  const messageId = `<${mail.messageId.replace(/[^\x21-\x7e]|[<>]/g, '')}>`
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { message, envelope } = await composer.sendMail({
    messageId,
    from,
    to,
    subject: oneLine(mail.subject),
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    attachments: mail.attachments.map(({ name, mediaType, content }) => ({
      filename: oneLine(name),
      contentType: mediaType,
      content,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { messageId, raw: message as Buffer, envelope: { from: envelope.from as string, to: first(envelope.to) } }
}

/**
 * Writes the message into the folder as an `.eml` file, which has its Message-ID as the name. The file appears only
 * when it is complete, and the same message replaces its earlier file. Only this user may read the folder and the file.
 * Returns the file's path.
 */
export async function writeEml(folder: string, messageId: string, raw: Buffer): Promise<string> {
  const name = encodeURIComponent(messageId.replace(/[<>]/g, '')).replaceAll('%40', '@')
  const file = path.join(folder, `${name}.eml`)
  const unfinished = path.join(folder, `.${randomUUID()}.tmp`)
  await makePrivate(folder)
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(raw)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return file
}

/**
 * Makes the folder so that only this user may enter it. A folder of an older version, which others may enter, is
 * closed, with the mails in it.
 */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (((await stat(folder)).mode & 0o777) === 0o700) return
  await chmod(folder, 0o700)
  for (const name of await readdir(folder)) if (name.endsWith('.eml')) await chmod(path.join(folder, name), 0o600)
}
