import { z } from 'zod'
import { NO_CURRENCY, NO_FX_RATE, PURCHASE_CURRENCIES, parseFxRate } from './purchase-currency.ts'

/** The currency in which an item was bought. */
export const PurchaseCurrency = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toUpperCase() : value),
  z.string({ error: NO_CURRENCY }).refine((code) => Object.hasOwn(PURCHASE_CURRENCIES, code), NO_CURRENCY),
)

/** The number of units of the purchase currency for one EUR, as a number or text; null and '' for prices in EUR. */
export const FxRate = z.preprocess(
  (value) => (value === '' ? null : typeof value === 'string' || typeof value === 'number' ? rateOf(value) : value),
  z.number({ error: NO_FX_RATE }).nullable(),
)

const rateOf = (value: string | number) => parseFxRate(typeof value === 'number' ? plain(value) : value) ?? Number.NaN
/** A number as text. It never has an exponent, because no rate in range needs one. */
const plain = (value: number) => (Number.isFinite(value) ? value.toString() : '')
