import { compactBankNumber } from '@backstock/contract/bank-number.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import { MAX_PAYMENT } from '@backstock/contract/payment-state.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'

/** A bank's file that cannot be read, with the sentence to show. */
export class BadBankFile extends Error {}

/** A month of a busy shop has some thousand. */
export const MAX_LINES = 20_000
/** Text of a transfer has 140 characters in SEPA; collective entries have more. */
const MAX_REMITTANCE = 1000
const MAX_NAME = 255
const MAX_REFERENCE = 100

/** An entry as its bank wrote it. `amount` is below 0 if money went out. */
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

/** `not_booked`: how many entries the bank has only announced. */
export type BankLines = { lines: BankLine[]; not_booked: number }

type Written = { [Field in keyof BankLine]?: BankLine[Field] | undefined }

/** Banks write these in place of a reference that nobody gave. */
const NO_REFERENCE = /^(?:NOTPROVIDED|NOT PROVIDED|NONREF|NOREF|KEINE REFERENZ)$/i

/** Text from outside: cut, then made plain, without control characters. */
function plain(text: string | null | undefined, most: number): string {
  const visible = plainName(
    (text ?? '')
      .slice(0, most * 2)
      .toWellFormed()
      .replace(/\p{Cc}/gu, ' '),
  )
  return visible.length <= most ? visible : `${visible.slice(0, most - 1).toWellFormed()}…`
}

function reference(text: string | null | undefined): string | null {
  const read = plain(text, MAX_REFERENCE)
  return read === '' || NO_REFERENCE.test(read) ? null : read
}

/** Whether this has the form of an IBAN. */
export const isIban = (text: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)

function ibanOf(text: string | null | undefined): string | null {
  const compact = compactBankNumber((text ?? '').slice(0, 60))
  return isIban(compact) ? compact : null
}

/** An entry with bounded, plain texts. Throws `BadBankFile` if its day or its amount is missing or makes no sense. */
export function bankLine(written: Written): BankLine {
  const { account, booked_on, amount, is_reversal = false } = written
  if (booked_on === undefined || !isCalendarDate(booked_on))
    throw new BadBankFile('An entry of this file has no day on which it was booked.')
  if (amount === undefined || !Number.isSafeInteger(amount) || Math.abs(amount) > MAX_PAYMENT)
    throw new BadBankFile(`An entry of ${booked_on} in this file has no amount that can be read.`)
  const named = compactBankNumber((account ?? '').slice(0, 100)).slice(0, 50)
  if (named === '') throw new BadBankFile('A statement in this file does not say of which account it is.')
  return {
    account: named,
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

/** Throws `BadBankFile` for another currency than the company's. */
export function refuseCurrency(currency: string, account: string | undefined): void {
  if (currency === CURRENCY) return
  const which = account ? `account ${account.slice(0, 50)}` : 'an account'
  throw new BadBankFile(
    `This file has amounts of ${which} in ${currency.slice(0, 10) || 'no currency'}; sales are in ${CURRENCY}.`,
  )
}

/** Hundredths of `1234.5` or `1234,50`, without a sign. Further digits may be zeros alone. Undefined if it is no amount. */
export function amountOf(text: string): number | undefined {
  const parts = /^(\d{1,13})(?:[.,](\d{0,2})0{0,5})?$/.exec(text.trim())
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : undefined
}

/** Throws `BadBankFile` if there are more entries than one file may have. */
export function refuseTooMany(lines: number): void {
  if (lines > MAX_LINES)
    throw new BadBankFile(
      `A bank file may have at most ${MAX_LINES.toLocaleString('en')} entries. Take a shorter period.`,
    )
}
