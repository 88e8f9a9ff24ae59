import { formatAmount, formatRate } from '@backstock/contract/format-in-language.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { TableCell } from 'pdfmake/interfaces.js'
import { at } from '../../lists.ts'
import { type InvoiceLine, isEarlier } from './data.ts'
import { GAP, GREY, INNER, small, type Words } from './look.ts'
import { netSum, priceSum, type Row, taxedSum } from './rows.ts'
import type { InvoiceTexts } from './texts.ts'
import { isAllMargin, reasonAtLine, reasonsOf } from './treatment-words.ts'

export type LineColumn = {
  heading: string
  width: number
  right?: true
  cell: (row: Row) => TableCell
  /** The sum that a row adds to this column's total. Only columns with a total have it. */
  adds?: (row: Pick<Row, 'devices'>) => Hundredths
}

const figure = (text: string): TableCell => ({ text, alignment: 'right' })

/** The columns of the lines. The last ones have totals. */
export function columnsOf(words: Words): LineColumn[] {
  const { t, lang, data } = words
  const allMargin = isAllMargin(data)
  // If all lines have the same reason for no VAT, the reason is printed with the totals. Otherwise each line has its
  // own reason, only in the invoice's language.
  const ownReasons = reasonsOf(data, lang).length > 1 || data.vat_totals.length > 1
  const reasonIn = (line: InvoiceLine) => (ownReasons ? reasonAtLine(line, lang) : undefined)
  const vatColumn: LineColumn = {
    heading: t.vat,
    width: 32,
    right: true,
    cell: ({ line }) => figure(line.treatment === 'margin' ? '–' : formatRate(line.vat_rate, lang)),
  }
  const columns: LineColumn[] = [
    {
      heading: t.position,
      width: 22,
      // If a cell has an id, pdfmake notes its page (see lines.ts).
      cell: ({ position: n }) => ({ text: String(n), color: GREY, ...(!isEarlier(data) && { id: `line ${n}` }) }),
    },
    { heading: t.description, width: 0, cell: ({ line }) => described(line, reasonIn(line), t) },
    ...(data.group_lines ? [] : [{ heading: t.identifier, width: 98, cell: ({ line }: Row) => identifiers(line, t) }]),
    { heading: t.quantity, width: 30, right: true, cell: ({ devices }) => figure(String(devices.length)) },
    ...(allMargin ? [] : [vatColumn]),
    ...(data.group_lines ? groupedAmounts(words) : amounts(words)),
  ]
  at(columns, 1).width = INNER - GAP * (columns.length - 1) - columns.reduce((sum, { width }) => sum + width, 0)
  return columns
}

/** Whether the gross prices, as typed, are printed beside the net ones. */
export const showsGross = ({ data }: Words) => data.prices_include_vat && !isAllMargin(data)

const isMargin = ({ treatment }: Pick<InvoiceLine, 'treatment'>) => treatment === 'margin'

/**
 * The heading of the column of net prices. If the invoice has margin lines too, the heading names both, because a
 * margin price contains VAT. If gross prices are printed, margin prices are only in that column.
 */
function netHeading(words: Words, netPrice: string): { heading: string; width: number } {
  const { t, data } = words
  if (isAllMargin(data)) return { heading: t.marginPrice, width: MARGIN_WIDTH }
  if (showsGross(words) || !data.lines.some(isMargin)) return { heading: netPrice, width: 58 }
  return { heading: `${netPrice} / ${t.marginPrice}`, width: MARGIN_WIDTH }
}
/** The width of the longest word in the heading of margin prices, in points. */
const MARGIN_WIDTH = 88

/** The net sum of a row. If gross prices are printed, margin lines have no net sum. */
const netOf = (words: Words) => (showsGross(words) ? taxedSum : netSum)
const netCell = (words: Words, row: Row, amount: Hundredths) =>
  figure(showsGross(words) && isMargin(row.line) ? '–' : formatAmount(amount, words.lang))

function amounts(words: Words): LineColumn[] {
  const { t, lang } = words
  const adds = netOf(words)
  const net: LineColumn = {
    ...netHeading(words, t.netPrice),
    right: true,
    cell: (row) => netCell(words, row, adds(row)),
    adds,
  }
  const gross: LineColumn = {
    heading: t.grossPrice,
    width: 58,
    right: true,
    cell: (row) => figure(formatAmount(priceSum(row), lang)),
    adds: priceSum,
  }
  return showsGross(words) ? [net, gross] : [net]
}

function groupedAmounts(words: Words): LineColumn[] {
  const { t, lang, data } = words
  const isGross = showsGross(words)
  const each: LineColumn = {
    ...(isGross ? { heading: t.grossPrice, width: 58 } : netHeading(words, t.netPrice)),
    right: true,
    cell: ({ line }) => figure(formatAmount(line.price, lang)),
  }
  const sum = (heading: string, adds: typeof netSum, cell: (row: Row) => TableCell): LineColumn => ({
    ...{ heading, width: 66, right: true, cell, adds },
  })
  const net = netOf(words)
  // A sum of net and margin prices is neither net nor gross.
  const hasMargin = !isGross && data.lines.some(isMargin)
  return [
    each,
    sum(hasMargin ? t.sum : t.netSum, net, (row) => netCell(words, row, net(row))),
    ...(isGross ? [sum(t.grossSum, priceSum, (row) => figure(formatAmount(priceSum(row), lang)))] : []),
  ]
}

function described({ description, grade }: InvoiceLine, reason: string | undefined, t: InvoiceTexts): TableCell {
  const text = grade === undefined ? description : `${description}, ${t.grade} ${grade}`
  if (!reason) return { text }
  return { stack: [{ text }, { text: reason, ...small }] }
}

function identifiers({ imei, serial_number: serial }: InvoiceLine, t: InvoiceTexts): TableCell {
  if (imei && serial) return { stack: [{ text: imei }, { text: `${t.serial} ${serial}`, ...small }] }
  return { text: imei ?? serial ?? '' }
}

/** The IMEIs and serial numbers of several devices, split into rows of the table of which each fits on a page. */
export function identifierRows(devices: readonly InvoiceLine[], t: InvoiceTexts): string[] {
  const said = devices.flatMap(({ imei, serial_number: serial }) =>
    imei && serial ? `${imei} ${t.serial} ${serial}` : (imei ?? serial ?? []),
  )
  return Array.from({ length: Math.ceil(said.length / IN_A_ROW) }, (_, n) =>
    said
      .slice(n * IN_A_ROW, (n + 1) * IN_A_ROW)
      .map((one) => one.replaceAll(' ', NO_BREAK))
      .join('   '),
  )
}
const IN_A_ROW = 5
const NO_BREAK = '\u00a0'
