/** An IBAN or a BIC without the blanks and signs that people write between its parts, in capitals. */
export const compactBankNumber = (number: string) => number.replaceAll(/[\s.,:;_\-/‐-―−]/g, '').toUpperCase()
