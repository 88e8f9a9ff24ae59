import { CURRENCY, type Hundredths } from './money.ts'

/** The currencies in which items may be bought, by their ISO 4217 codes, with English names. */
export const PURCHASE_CURRENCIES: Readonly<Record<string, string>> = {
  EUR: 'Euro',
  GBP: 'Pound sterling',
  USD: 'US dollar',
  CHF: 'Swiss franc',
  PLN: 'Polish zloty',
  CZK: 'Czech koruna',
  HUF: 'Hungarian forint',
  RON: 'Romanian leu',
  SEK: 'Swedish krona',
  DKK: 'Danish krone',
  NOK: 'Norwegian krone',
  ISK: 'Icelandic krona',
  ALL: 'Albanian lek',
  BAM: 'Bosnian mark',
  MKD: 'Macedonian denar',
  RSD: 'Serbian dinar',
  MDL: 'Moldovan leu',
  UAH: 'Ukrainian hryvnia',
  TRY: 'Turkish lira',
  GEL: 'Georgian lari',
  AED: 'UAE dirham',
  AUD: 'Australian dollar',
  BHD: 'Bahraini dinar',
  BRL: 'Brazilian real',
  CAD: 'Canadian dollar',
  CLP: 'Chilean peso',
  CNY: 'Chinese yuan',
  COP: 'Colombian peso',
  EGP: 'Egyptian pound',
  GHS: 'Ghanaian cedi',
  HKD: 'Hong Kong dollar',
  IDR: 'Indonesian rupiah',
  ILS: 'Israeli shekel',
  INR: 'Indian rupee',
  JPY: 'Japanese yen',
  KES: 'Kenyan shilling',
  KRW: 'South Korean won',
  KWD: 'Kuwaiti dinar',
  MAD: 'Moroccan dirham',
  MXN: 'Mexican peso',
  MYR: 'Malaysian ringgit',
  NGN: 'Nigerian naira',
  NZD: 'New Zealand dollar',
  OMR: 'Omani rial',
  PHP: 'Philippine peso',
  PKR: 'Pakistani rupee',
  QAR: 'Qatari riyal',
  SAR: 'Saudi riyal',
  SGD: 'Singapore dollar',
  THB: 'Thai baht',
  TND: 'Tunisian dinar',
  TWD: 'Taiwan dollar',
  VND: 'Vietnamese dong',
  ZAR: 'South African rand',
}

export const NO_CURRENCY = 'Must be the code of a currency, such as USD.'
export const MIN_FX_RATE = 0.05
export const MAX_FX_RATE = 1_000_000
/** Rates have six decimals, so a rate times a million is a whole number. */
const MILLION = 1_000_000

/** The rate in a text with a point or a comma; null if the text is no rate. */
export function parseFxRate(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(plain)) return null
  const rate = Number(plain)
  return rate >= MIN_FX_RATE && rate <= MAX_FX_RATE ? rate : null
}
export const NO_FX_RATE = 'Must be an exchange rate such as 4.25: from 0.05 to 1,000,000, with at most six decimals.'

/**
 * The EUR value of a price, at a rate in units of the price's currency for one EUR. Half a cent is rounded up, as in
 * the database.
 */
export function costOf(price: Hundredths, rate: number | null): Hundredths {
  if (rate === null) return price
  const millionths = BigInt(Math.round(rate * MILLION))
  return Number((2n * BigInt(price) * BigInt(MILLION) + millionths) / (2n * millionths))
}

/** The message for a price in this currency if the rate is missing. */
export const needsRate = (currency: string) => `This field is required: how many ${currency} one ${CURRENCY} was.`
/** The same message for prices in several currencies. */
export const NEEDS_RATES = needsRate('units of each currency')
const RATE_MESSAGES: ReadonlySet<string> = new Set([NEEDS_RATES, ...Object.keys(PURCHASE_CURRENCIES).map(needsRate)])
/** Whether a message means that the rate of a price is missing. */
export const isRateMissing = (message: string) => RATE_MESSAGES.has(message)

/** Why a rate does not go with a price's currency, as the sentence to show; null if it does. */
export function fxRateProblem(currency: string, rate: number | null): string | null {
  if (currency === CURRENCY)
    return rate === null ? null : `A price in ${CURRENCY} needs no exchange rate: leave it empty.`
  return rate === null ? needsRate(currency) : null
}
