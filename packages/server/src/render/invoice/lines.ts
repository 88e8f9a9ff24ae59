import type { Content, TableCell } from 'pdfmake/interfaces.js'
import type { InvoiceLine } from './data.ts'
import { formatAmount, formatRate } from './format.ts'
import { GAP, GREY, HAIRLINE, INK, INNER, plain, small, type Words } from './look.ts'
import type { InvoiceTexts } from './texts.ts'
import { isAllMargin, reasonOf, reasonsOf } from './treatment-words.ts'

type LineColumn = { heading: string; width: number; right?: true; cell: (line: InvoiceLine) => TableCell }

const figure = (text: string): TableCell => ({ text, alignment: 'right' })

function columnsOf({ t, lang, data }: Words): LineColumn[] {
  const allMargin = isAllMargin(data)
  const gross = data.prices_include_vat && !allMargin
  // One reason for all lines stands with the totals; else each line bears its own.
  const ownReasons = reasonsOf(data, lang).length > 1 || data.vat_totals.length > 1
  const reasonIn = (line: InvoiceLine) => (ownReasons ? reasonOf(line, lang, data) : undefined)
  const vatColumn: LineColumn = {
    heading: t.vat,
    width: 32,
    right: true,
    cell: (line) => figure(line.treatment === 'margin' ? '–' : formatRate(line.vat_rate, lang)),
  }
  const columns: LineColumn[] = [
    { heading: t.position, width: 22, cell: (line) => ({ text: String(line.position), color: GREY }) },
    { heading: t.description, width: 0, cell: (line) => described(line, reasonIn(line)) },
    { heading: t.identifier, width: 98, cell: (line) => identifiers(line, t) },
    { heading: t.quantity, width: 30, right: true, cell: () => figure('1') },
    ...(allMargin ? [] : [vatColumn]),
    {
      heading: allMargin ? t.price : t.netPrice,
      width: 58,
      right: true,
      cell: (line) => figure(formatAmount(line.net, lang)),
    },
  ]
  if (gross)
    columns.push({
      heading: t.grossPrice,
      width: 58,
      right: true,
      cell: (line) => figure(formatAmount(line.price, lang)),
    })
  columns[1]!.width = INNER - GAP * (columns.length - 1) - columns.reduce((sum, { width }) => sum + width, 0)
  return columns
}

function described({ description }: InvoiceLine, reason: string | undefined): TableCell {
  if (!reason) return { text: description }
  return { stack: [{ text: description }, { text: reason, ...small }] }
}

function identifiers({ imei, serial_number: serial }: InvoiceLine, t: InvoiceTexts): TableCell {
  if (imei && serial) return { stack: [{ text: imei }, { text: `${t.serial} ${serial}`, ...small }] }
  return { text: imei ?? serial ?? '' }
}

/** The table of the devices; its heading repeats on every page and no row is torn. */
export function lines(words: Words): Content {
  const columns = columnsOf(words)
  return {
    fontSize: 8.5,
    layout: {
      ...plain(4),
      hLineWidth: (row) => (row === 0 ? 0 : 0.5),
      hLineColor: (row) => (row === 1 ? INK : HAIRLINE),
    },
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: columns.map(({ width }) => width),
      body: [
        columns.map(
          ({ heading, right }): TableCell => ({
            text: heading,
            bold: true,
            fontSize: 7.5,
            color: GREY,
            verticalAlignment: 'bottom',
            alignment: right ? 'right' : 'left',
          }),
        ),
        ...words.data.lines.map((line) => columns.map(({ cell }) => cell(line))),
      ],
    },
  }
}
