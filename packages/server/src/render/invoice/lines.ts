import { formatAmount } from '@backstock/contract/format-in-language.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { Column, Content, TableCell } from 'pdfmake/interfaces.js'
import { first, zip } from '../../lists.ts'
import { breaking } from './breaking.ts'
import { columnsOf, identifierRows, type LineColumn } from './columns.ts'
import { isEarlier } from './data.ts'
import { GAP, HAIRLINE, headingCell, INK, INNER, PAGE, plain, small, type Words } from './look.ts'
import { type Row, rowsOf } from './rows.ts'

/** A cell of the table. After layout it knows its place; only for a cell with an `id` that is the final page. */
type Placed = TableCell & { positions?: { pageNumber: number }[] }

export type Lines = {
  /** The heading repeats on every page and no row is torn. */
  table: Content
  rows: number
  /** The sums of all lines up to the end of a page as a row, if lines follow on the next. Call it after layout. */
  carried: (page: number, name: string) => Content | undefined
}

/** The table of the devices. */
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
  /** The rows of the table that begin a line, below their heading. */
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
 * The sums carried from page to page. pdfmake notes each cell's page, and makes headers and footers last, when
 * these are known.
 */
function carriedRow({ lang }: Words, columns: LineColumn[], rows: Row[], printed: Placed[][]): Lines['carried'] {
  // They are the last columns.
  const adding = columns.flatMap(({ width, adds }) => (adds ? [{ width, adds }] : []))
  const left = first(columns).width + GAP
  const nameWidth = INNER - left - adding.reduce((sum, { width }) => sum + width + GAP, 0)
  let ends: Hundredths[][] | undefined
  /** By page, the sums of the columns at its end: of the pages after which there are lines. */
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
