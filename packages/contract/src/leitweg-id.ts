/**
 * The form of a Leitweg-ID, the address of a German authority: the state or the federation and the office, a part that
 * the office has chosen, and two check digits.
 */
const LEITWEG_ID = /^(?:0[1-9]|1[0-6]|99)(?:\d|\d{3}|\d{6,7}|\d{10})?(?:-[A-Z\d]{1,30})?-\d{2}$/i

const asDigits = (sign: string) => (/\d/.test(sign) ? sign : String(sign.toUpperCase().charCodeAt(0) - 55))

/** Whether a text has the form of a Leitweg-ID. Its check digits may be wrong. */
export const isLikeLeitwegId = (text: string): boolean => LEITWEG_ID.test(text)

/** Whether a text is a Leitweg-ID with the right check digits (ISO 7064, modulo 97-10). */
export const isLeitwegId = (text: string): boolean =>
  isLikeLeitwegId(text) && BigInt(text.replaceAll('-', '').replaceAll(/./g, asDigits)) % 97n === 1n

/** Why a buyer's reference looks like a wrong Leitweg-ID, as a sentence; null if it does not. */
export const leitwegIdProblem = (text: string | null): string | null =>
  text !== null && isLikeLeitwegId(text) && !isLeitwegId(text)
    ? `${text} does not look like a valid Leitweg-ID: its check digits do not match.`
    : null
