/** `AB7` is column 27, counted from 0. */
export function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]*/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return Math.max(0, column - 1)
}

/** A column, counted from 0, as a spreadsheet calls it: `A`, `Z`, `AA`. */
export function lettersOf(n: number): string {
  const last = String.fromCharCode(65 + (n % 26))
  return n < 26 ? last : lettersOf(Math.floor(n / 26) - 1) + last
}
