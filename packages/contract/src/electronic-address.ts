import { isLeitwegId } from './leitweg-id.ts'
import { compactVatNumber } from './vat-territory.ts'

const digitsOf = (id: string) => [...id].map(Number)
const weighed = (digits: readonly number[], weights: (place: number) => number) =>
  digits.reduce((sum, digit, n) => sum + digit * weights(n), 0)

/** The check digit of GS1: counted from the right, every second digit weighs 3. */
const isGln = (id: string) => weighed(digitsOf(id).toReversed(), (n) => (n % 2 === 0 ? 1 : 3)) % 10 === 0
const isBelgian = (id: string) => 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8))
const isSwedish = (id: string) =>
  weighed(
    digitsOf(id).map((digit, n) => (n % 2 === 0 ? Math.floor(digit / 5) + ((digit * 2) % 10) : digit)),
    () => 1,
  ) %
    10 ===
  0
const isNorwegian = (id: string) => weighed(digitsOf(id), (n) => [3, 2, 7, 6, 5, 4, 3, 2, 1][n] ?? 0) % 11 === 0

type Kind = {
  name: string
  /** The form of the identifier once the signs between its parts are gone. */
  form: RegExp
  /** The message about an identifier that has another form. */
  says: string
  isRight?: (id: string) => boolean
  stored?: (id: string) => string
}

const justDigits = (id: string) => id.replaceAll(/\D/g, '')
const digits = (name: string, many: number, isRight?: Kind['isRight']): Kind => ({
  name,
  form: new RegExp(`^\\d{${many}}$`),
  says: `Must have ${many} digits.`,
  stored: justDigits,
  ...(isRight && { isRight }),
})
const vat = (name: string, letters: string): Kind => ({
  name: `VAT number, ${name}`,
  form: new RegExp(`^${letters}[A-Z\\d+*]{2,13}$`),
  says: `Must begin with ${letters}.`,
  stored: compactVatNumber,
})

/**
 * The kinds of electronic addresses (codes of the list EAS) under which traders and authorities receive e-invoices, in
 * the order in which forms offer them.
 */
export const ADDRESS_KINDS = {
  '0106': digits('KvK number, Netherlands', 8),
  '0190': digits('OIN, Dutch authorities', 20),
  '0204': {
    name: 'Leitweg-ID, German authorities',
    form: /^[A-Za-z\d-]+$/,
    says: 'A Leitweg-ID has parts with hyphens and two check digits, such as 04011000-1234512345-06.',
    isRight: isLeitwegId,
  },
  '0208': digits('Enterprise number, Belgium', 10, isBelgian),
  '0088': digits('GLN', 13, isGln),
  EM: { name: 'Email', form: /^[^@\s]+@(?:[^@.\s]+\.)+[^@.\s]+$/, says: 'Must be an email address.' },
  '0002': digits('SIREN, France', 9),
  '0009': digits('SIRET, France', 14),
  '0225': { name: 'Electronic address, France', form: /^\d{9}(?:_\S+)?$/, says: 'Must begin with the SIREN.' },
  '0007': digits('Organisation number, Sweden', 10, isSwedish),
  '0184': digits('CVR number, Denmark', 8),
  '0192': digits('Organisation number, Norway', 9, isNorwegian),
  '0191': digits('Registry code, Estonia', 8),
  '0196': digits('Kennitala, Iceland', 10),
  '0200': { ...digits('Company code, Lithuania', 9), form: /^\d{7}(?:\d\d)?$/, says: 'Must have 7 or 9 digits.' },
  '0211': vat('Italy', 'IT'),
  '0213': vat('Finland', 'FI'),
  '0216': { ...digits('OVT code, Finland', 12), form: /^0037\d{8,13}$/, says: 'Must begin with 0037.' },
  '0218': digits('Registration number, Latvia', 11),
  '9914': vat('Austria', 'AT'),
  '9925': vat('Belgium', 'BE'),
  '9926': vat('Bulgaria', 'BG'),
  '9934': vat('Croatia', 'HR'),
  '9928': vat('Cyprus', 'CY'),
  '9929': vat('Czechia', 'CZ'),
  '9931': vat('Estonia', 'EE'),
  '9957': vat('France', 'FR'),
  '9930': vat('Germany', 'DE'),
  '9910': vat('Hungary', 'HU'),
  '9935': vat('Ireland', 'IE'),
  '9939': vat('Latvia', 'LV'),
  '9937': vat('Lithuania', 'LT'),
  '9938': vat('Luxembourg', 'LU'),
  '9943': vat('Malta', 'MT'),
  '9944': vat('Netherlands', 'NL'),
  '9945': vat('Poland', 'PL'),
  '9946': vat('Portugal', 'PT'),
  '9947': vat('Romania', 'RO'),
  '9950': vat('Slovakia', 'SK'),
  '9949': vat('Slovenia', 'SI'),
  '9920': vat('Spain', 'ES'),
  '9927': vat('Switzerland', 'CHE'),
  '9932': vat('United Kingdom', 'GB'),
} as const satisfies Record<string, Kind>

const kindOf = (scheme: string): Kind | undefined => (ADDRESS_KINDS as Readonly<Record<string, Kind>>)[scheme]

export type ElectronicAddress = { scheme: string; id: string }

/**
 * The parts of an electronic address in the notation of Peppol, such as `0106:12345678`. A text without a kind has an
 * empty one.
 */
export function addressParts(text: string): ElectronicAddress {
  const [, scheme = '', id = ''] = /^([A-Z\d]{2,4}):(.*)$/s.exec(text.trim()) ?? ['', '', text.trim()]
  return { scheme, id: id.trim() }
}

/** An electronic address as the server stores it: without the signs that people write between its parts. */
export function storedAddress(text: string): string {
  const { scheme, id } = addressParts(text)
  if (scheme === '') return id
  return `${scheme}:${kindOf(scheme)?.stored?.(id) ?? id}`
}

/** Why a stored text is no electronic address, as a sentence; null if it is one. */
export function addressProblem(stored: string): string | null {
  const { scheme, id } = addressParts(stored)
  const kind = kindOf(scheme)
  if (scheme === '') return 'Choose the kind of this address.'
  if (!kind) return `${scheme} is not a kind of address that Backstock knows.`
  if (!kind.form.test(id)) return kind.says
  return kind.isRight?.(id) === false ? 'Its check digits do not match.' : null
}

/** The kinds of numbers in the registers of companies, by the letters of their country. */
const REGISTERS: Readonly<Record<string, readonly (keyof typeof ADDRESS_KINDS)[]>> = {
  NL: ['0106', '0190'],
  BE: ['0208'],
  DK: ['0184'],
  NO: ['0192'],
  SE: ['0007'],
}

/**
 * A company's registration as a number with its kind: `KvK 12345678` of a Dutch company is the number 12345678 of kind
 * 0106. Undefined if the country's register has no such numbers, or if the text has none.
 */
export function registeredNumber(registration: string | null, country: string): ElectronicAddress | undefined {
  const id = justDigits(registration ?? '')
  const scheme = REGISTERS[country]?.find((one) => addressProblem(`${one}:${id}`) === null)
  return scheme && { scheme, id }
}
