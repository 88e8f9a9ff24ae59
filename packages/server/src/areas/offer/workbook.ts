import { formatDate } from '@backstock/contract/format-in-language.ts'
import { devicesIn, type OfferLine, type OfferTerms } from '@backstock/contract/offer-lines.ts'
import { conditions } from '@backstock/contract/offer-text.ts'
import { OFFER_WORDS } from '@backstock/contract/offer-words.ts'
import { type BookCell, type BookColumn, renderWorkbook, slice } from '../../render/sheet/workbook.ts'

type Named = { seller: string; date: string }

/**
 * The offer as a spreadsheet, with a row for each line. Prices are numbers; if one line has a range, they take two
 * columns.
 */
export function offerWorkbook(
  { seller, date }: Named,
  lines: readonly OfferLine[],
  terms: OfferTerms,
  unwanted: AbortSignal,
): Promise<Buffer> {
  const { lang, prices } = terms
  const words = OFFER_WORDS[lang]
  const isRange = lines.some(({ lowest, highest }) => lowest !== highest)
  const price = (heading: string): BookColumn => ({ heading, width: 16, kind: 'money' })
  const isOnRequest = prices && lines.some(({ unpriced }) => unpriced > 0)
  const columns: BookColumn[] = [
    { heading: words.product, width: 44 },
    { heading: words.grade, width: 12 },
    { heading: words.quantity, width: 10, kind: 'number' },
    ...(prices
      ? isRange
        ? [price(`${words.price}, ${words.from}`), price(`${words.price}, ${words.to}`)]
        : [price(words.price)]
      : []),
    ...(isOnRequest ? [{ heading: words.onRequest, width: 20, kind: 'number' as const }] : []),
  ]
  const row = ({ product, grade, quantity, lowest, highest, unpriced }: OfferLine): BookCell[] => [
    ...[product, grade, quantity],
    ...(prices ? (isRange ? [lowest, highest] : [lowest]) : []),
    ...(isOnRequest ? [unpriced || null] : []),
  ]
  const foot: BookCell[][] = [
    [words.devices, null, devicesIn(lines)],
    [],
    [conditions(terms)],
    [[seller, formatDate(date, lang)].filter(Boolean).join(', ')],
  ]
  return renderWorkbook([{ name: words.offer, columns, slices: [slice(lines.map(row)), slice(foot)] }], unwanted)
}
