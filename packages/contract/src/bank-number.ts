/**
 * An IBAN or a BIC without the blanks and signs that people write between its parts, and without invisible
 * characters, in capitals.
 */
export const compactBankNumber = (number: string) =>
  number.replaceAll(/[\s\p{Cf}\p{Default_Ignorable_Code_Point}.,:;_\-/‐-―−]/gu, '').toUpperCase()
