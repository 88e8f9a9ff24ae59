import { formatAmount } from '@backstock/contract/format-in-language.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { Column, Content, TableCell } from 'pdfmake/interfaces.js'
import { first, zip } from '../../lists.ts'
import { breaking } from './breaking.ts'
import { columnsOf, identifierRows, type LineColumn } from './columns.ts'
import { isEarlier } from './data.ts'
import { GAP, HAIRLINE, headingCell, INK, INNER, PAGE, plain, small, type Words } from './look.ts'
import { type Row, rowsOf } from './rows.ts'

/** A cell of the table. After layout it has its positions; only those of a cell with an `id` are final. */
type Placed = TableCell & { positions?: { pageNumber: number }[] }

export type Lines = {
  /** The table. Its heading is repeated on every page, and no row is split. */
  table: Content
  rows: number
  /**
   * A row with the sums of all lines up to the end of a page; undefined if no lines follow on the next page. Call it
   * after layout.
   */
  carried: (page: number, name: string) => Content | undefined
}

/** The table of the lines. */
export function lines(words: Words): Lines {
  const columns = columnsOf(words)
  const rows = rowsOf(words.data)
  const printed = rows.map((row) => columns.map(({ cell, width }): Placed => breaking(cell(row), width)))
  const below = (row: Row): TableCell[][] =>
    words.data.group_lines
      ? identifierRows(row.devices, words.t).map((text) => [
          '',
          breaking({ text, ...small, colSpan: columns.length - 1 }, INNER - GAP - first(columns).width),
          ...columns.slice(2).map(() => ''),
        ])
      : []
  const body: TableCell[][] = [columns.map(({ heading, right }) => headingCell(heading, right))]
  /** The indexes of the table's rows that begin a line. Row 0 is the heading. */
  const begins = new Set([1])
  for (const [row, cells] of zip(rows, printed)) {
    begins.add(body.length)
    body.push(cells, ...below(row))
  }
  const isLineEnd = (row: number) => begins.has(row) || row === body.length
  return {
    table: {
      fontSize: 8.5,
      layout: {
        ...plain(4),
        hLineWidth: (row) => (row > 0 && isLineEnd(row) ? 0.5 : 0),
        hLineColor: (row) => (row === 1 ? INK : HAIRLINE),
        paddingTop: (row) => (row === 0 || begins.has(row) ? 4 : 2),
        paddingBottom: (row) => (row === 0 || isLineEnd(row + 1) ? 4 : 0),
      },
      table: { headerRows: 1, dontBreakRows: true, widths: columns.map(({ width }) => width), body },
    },
    rows: rows.length,
    carried: isEarlier(words.data) ? () => undefined : carriedRow(words, columns, rows, printed),
  }
}

/**
 * The row with the sums that are carried from page to page. pdfmake makes headers and footers last, when it knows the
 * page of each cell.
 */
function carriedRow({ lang }: Words, columns: LineColumn[], rows: Row[], printed: Placed[][]): Lines['carried'] {
  // The columns with a sum, which are the last ones.
  const adding = columns.flatMap(({ width, adds }) => (adds ? [{ width, adds }] : []))
  const left = first(columns).width + GAP
  const nameWidth = INNER - left - adding.reduce((sum, { width }) => sum + width + GAP, 0)
  let ends: Hundredths[][] | undefined
  /** The sums of the columns at the end of each page that is followed by more lines. */
  const summedUp = () => {
    const byPage: Hundredths[][] = []
    let sums = adding.map(() => 0)
    for (const [row, cells] of zip(rows, printed)) {
      const page = first(cells).positions?.[0]?.pageNumber ?? 1
      while (byPage.length < page) byPage.push(sums)
      sums = zip(sums, adding).map(([sum, { adds }]) => sum + adds(row))
    }
    return byPage
  }
  return (page, name) => {
    ends ??= summedUp()
    const amounts = ends[page]
    if (!amounts) return undefined
    return {
      margin: [PAGE.left + left, 0, PAGE.right, 0],
      fontSize: 8,
      bold: true,
      columnGap: GAP,
      columns: [
        { text: name, width: nameWidth },
        ...zip(adding, amounts).map(
          ([{ width }, amount]): Column => ({
            ...{ text: formatAmount(amount, lang), width },
            ...{ alignment: 'right', noWrap: true },
          }),
        ),
      ],
    }
  }
}
