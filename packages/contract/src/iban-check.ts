import { ValidationErrorsIBAN, validateIBAN } from 'ibantools'
import { compactBankNumber } from './bank-number.ts'

const { NoIBANCountry, WrongBBANLength, WrongBBANFormat, ChecksumNotNumber } = ValidationErrorsIBAN

/** Why a text does not look like an IBAN, as a sentence that begins with `called`; null if nothing is wrong. */
export function ibanProblem(iban: string | null, called = 'This'): string | null {
  const compact = compactBankNumber(iban ?? '')
  if (compact === '') return null
  const { errorCodes } = validateIBAN(compact)
  if (errorCodes.length === 0) return null
  const is = (...errors: ValidationErrorsIBAN[]) => errors.some((error) => errorCodes.includes(error))
  const why = is(NoIBANCountry)
    ? 'it does not start with the code of a country that uses IBANs'
    : is(WrongBBANLength, WrongBBANFormat, ChecksumNotNumber)
      ? 'IBANs of this country have a different format'
      : 'its check digits do not match'
  return `${called} does not look like a valid IBAN: ${why}.`
}
