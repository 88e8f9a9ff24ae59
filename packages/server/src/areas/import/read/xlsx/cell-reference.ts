/** The column of a cell, counted from 0: `AB7` is in column 27. */
export function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]*/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return Math.max(0, column - 1)
}

/** The letters of a column, counted from 0, in a spreadsheet: `A`, `Z`, `AA`. */
export function lettersOf(n: number): string {
  const last = String.fromCharCode(65 + (n % 26))
  return n < 26 ? last : lettersOf(Math.floor(n / 26) - 1) + last
}
