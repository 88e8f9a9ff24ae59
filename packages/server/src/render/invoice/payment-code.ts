import { compactBankNumber } from '@backstock/contract/bank-number.ts'
import { toCurrencyUnits } from '@backstock/contract/money.ts'
import { type InvoiceData, openAmount } from './data.ts'

/** The least and the highest sum that the standard allows: 0.01 and 999,999,999.99, in hundredths. */
const [LEAST, MOST] = [1, 99_999_999_999]
const LONGEST_NAME = 70
const LONGEST_REFERENCE = 140

/**
 * The text of a QR code (error correction level M) with which a banking app fills in a transfer, by EPC069-12, version
 * 002. Undefined if there is no account, or if no transfer can have the open sum.
 */
export function paymentCode(data: InvoiceData): string | undefined {
  const { seller, currency, number } = data
  const open = openAmount(data)
  const iban = compactBankNumber(seller.bank.iban ?? '')
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban) || currency !== 'EUR') return undefined
  if (open < LEAST || open > MOST) return undefined
  const bic = compactBankNumber(seller.bank.bic ?? '')
  const oneLine = (text: string, length: number) =>
    text
      .replaceAll(/[\s\ufffd]+/g, ' ')
      .trim()
      .slice(0, length)
      .trim()
  return [
    ...['BCD', '002', '1', 'SCT'],
    /^[A-Z]{6}[A-Z\d]{2}([A-Z\d]{3})?$/.test(bic) ? bic : '',
    oneLine(seller.name, LONGEST_NAME),
    iban,
    `${currency}${toCurrencyUnits(open)}`,
    ...['', ''],
    oneLine(number, LONGEST_REFERENCE),
  ].join('\n')
}
