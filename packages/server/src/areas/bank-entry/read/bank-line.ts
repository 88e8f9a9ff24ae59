import { compactBankNumber } from '@backstock/contract/bank-number.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import { MAX_PAYMENT } from '@backstock/contract/payment-state.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'

/** The error for a bank's file that cannot be read. Its message is a sentence for the person. */
export class BadBankFile extends Error {}

/** The most entries of a file. A month of a busy shop has some thousand. */
export const MAX_LINES = 20_000
/**
 * The most characters that are kept. The text of a SEPA transfer has 140 characters; that of a collective entry has
 * more.
 */
const MAX_REMITTANCE = 1000
const MAX_NAME = 255
const MAX_REFERENCE = 100

/** An entry as the bank wrote it. `amount` is in hundredths, below 0 if money went out. */
export type BankLine = {
  account: string
  booked_on: string
  amount: number
  is_reversal: boolean
  name: string | null
  iban: string | null
  end_to_end: string | null
  bank_reference: string | null
  remittance: string
}

/**
 * An entry of a file. `reference` is only in entries of MT940 with a bank's reference: it may be `shared` with other
 * entries, as a word for the kind of entry is. `former` is the entry as version 1.0.0 read it, if that is another
 * reading: the database may have it so. If the reading of entries changes again, the reading of today becomes a former
 * one too.
 */
export type ReadLine = BankLine & { reference?: 'own' | 'shared'; former?: BankLine }

/** The entries of a statement. `not_booked` counts those that the bank has announced and not booked yet. */
export type BankLines = { lines: ReadLine[]; not_booked: number }

/** The entries of a bank's file. `in_several` of them are in more than one statement of a ZIP. */
export type BankFileLines = BankLines & { in_several: number }

type Written = { [Field in keyof BankLine]?: BankLine[Field] | undefined }

/** Words that banks write if the payer gave no reference. */
const NO_REFERENCE = /^(?:NOTPROVIDED|NOT PROVIDED|NONREF|NOREF|KEINE REFERENZ)$/i

/** A copy of a text. A part of a text keeps the whole text in memory, here that of a whole file, and a copy does not. */
const copied = (text: string) => Buffer.from(text).toString()

/** A text of the file: cut to a length, then normalised, without control characters. */
function plain(text: string | null | undefined, most: number): string {
  const visible = plainName(
    (text ?? '')
      .slice(0, most * 2)
      .toWellFormed()
      .replace(/\p{Cc}/gu, ' '),
  )
  return copied(visible.length <= most ? visible : `${visible.slice(0, most - 1).toWellFormed()}…`)
}

function reference(text: string | null | undefined): string | null {
  const read = plain(text, MAX_REFERENCE)
  return read === '' || NO_REFERENCE.test(read) ? null : read
}

/** Whether a text has the form of an IBAN. */
export const isIban = (text: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)

function ibanOf(text: string | null | undefined): string | null {
  const compact = compactBankNumber((text ?? '').slice(0, 60))
  return isIban(compact) ? copied(compact) : null
}

/** An entry with cut, normalised texts. Throws `BadBankFile` if its day or its amount is missing or impossible. */
export function bankLine(written: Written): BankLine {
  const { account, booked_on, amount, is_reversal = false } = written
  if (booked_on === undefined || !isCalendarDate(booked_on))
    throw new BadBankFile('An entry in this file has no booking date.')
  if (amount === undefined || !Number.isSafeInteger(amount) || Math.abs(amount) > MAX_PAYMENT)
    throw new BadBankFile(`An entry of ${booked_on} in this file has no amount that can be read.`)
  const named = compactBankNumber((account ?? '').slice(0, 100)).slice(0, 50)
  if (named === '') throw new BadBankFile('A statement in this file does not name its account.')
  return {
    account: copied(named),
    booked_on,
    amount,
    is_reversal,
    name: plain(written.name, MAX_NAME) || null,
    iban: ibanOf(written.iban),
    end_to_end: reference(written.end_to_end),
    bank_reference: reference(written.bank_reference),
    remittance: plain(written.remittance, MAX_REMITTANCE),
  }
}

/** Throws `BadBankFile` if an account has another currency than the company. */
export function refuseCurrency(currency: string, account: string | undefined): void {
  if (currency === CURRENCY) return
  const which = account ? `account ${account.slice(0, 50)}` : 'an account'
  const how = currency === '' ? 'without a currency' : `in ${currency.slice(0, 10)}`
  throw new BadBankFile(`This file has amounts of ${which} ${how}; sales are in ${CURRENCY}.`)
}

/**
 * The hundredths of an amount such as `1234.5` or `1234,50`, which has no sign. Decimals after the second must be
 * zeros. Undefined if the text is no amount.
 */
export function amountOf(text: string): number | undefined {
  const parts = /^(\d{1,13})(?:[.,](\d{0,2})0{0,5})?$/.exec(text.trim())
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : undefined
}

/** Throws `BadBankFile` if there are more entries than one file may have. */
export function refuseTooMany(lines: number): void {
  if (lines > MAX_LINES)
    throw new BadBankFile(
      `A bank file may have at most ${MAX_LINES.toLocaleString('en')} entries. Download a shorter period.`,
    )
}
