// The words of a row that adds up others, in English, German, French, Dutch, Spanish, Italian and Polish, without
// accents.
const SUMS = [
  'total, totals, subtotal, subtotals, sub total, grand total, sum, sums, sum total, total general, total sum',
  'summe, summen, gesamt, gesamtsumme, zwischensumme, endsumme, teilsumme, insgesamt',
  'totaux, total general, sous total, somme, somme totale, montant total',
  'totaal, subtotaal, sub totaal, eindtotaal, algemeen totaal, totalen, som',
  'totales, suma, sumas, suma total, sumatorio',
  'totale, totali, totale generale, subtotale, sub totale, somma',
  'razem, suma, suma czesciowa, suma koncowa, ogolem, lacznie, w sumie',
].flatMap((line) => line.split(', '))
const SIGN = 'Σ'

const wordsOf = (cell: string) =>
  cell
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
const WHOLE = new Set(SUMS)
/** The most characters of a cell that can have one of the words in `SUMS`. */
const LONGEST = 60

/** Whether a cell is one of the words for a total, perhaps with figures beside it: `Total: 12 (990.00)`. */
export function isSum(cell: string): boolean {
  return cell.length <= LONGEST && (cell.trim() === SIGN || WHOLE.has(wordsOf(cell)))
}

/** Whether a cell begins or ends with a word for a total, as `Samsung Total` or `Summe Apple`. */
export function saysSum(cell: string): boolean {
  if (cell.length > LONGEST) return false
  if (isSum(cell)) return true
  const words = wordsOf(cell)
  return SUMS.some((sum) => words.startsWith(`${sum} `) || words.endsWith(` ${sum}`))
}

/** The message for a row that adds up others. */
export const sumMessage = (cell: string) => `This row says '${cell}': it adds up other rows and is not an item.`
