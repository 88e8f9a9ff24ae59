import type { Hundredths } from '@backstock/contract/money.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import writeXlsx, { type Cell, type CellObject } from 'write-excel-file/node'
import { zip } from '../../lists.ts'
import { answerWith } from '../workers/thread.ts'
import { heading, money, text } from './cells.ts'
import type { SheetData, SheetLine } from './sheet.ts'

type SheetColumn = { heading: string; width: number; figure?: true; cell: (line: SheetLine, gross: Hundredths) => Cell }

const COLUMNS: SheetColumn[] = [
  { heading: 'No.', width: 7, figure: true, cell: (line) => ({ value: line.position, type: Number }) },
  { heading: 'Product', width: 44, cell: (line) => text(line.product) },
  { heading: 'IMEI', width: 19, cell: (line) => text(line.imei) },
  { heading: 'Serial number', width: 22, cell: (line) => text(line.serial_number) },
  { heading: 'Make', width: 14, cell: (line) => text(line.make) },
  { heading: 'Model', width: 26, cell: (line) => text(line.model) },
  { heading: 'Capacity', width: 11, cell: (line) => text(line.capacity) },
  { heading: 'Colour', width: 16, cell: (line) => text(line.colour) },
  { heading: 'Grade', width: 9, cell: (line) => text(line.grade) },
  { heading: 'Net price (EUR)', width: 16, figure: true, cell: (line) => money(line.net) },
  {
    heading: 'VAT rate',
    width: 10,
    figure: true,
    cell: (line) => ({ value: line.vat_rate / 10_000, type: Number, format: '0.00%' }),
  },
  { heading: 'Gross price (EUR)', width: 18, figure: true, cell: (_line, gross) => money(gross) },
]

/**
 * The gross price of each line. If prices exclude VAT, the VAT is computed on the sum of all lines of a rate so far,
 * and rounded. The VAT of a line is the amount by which this VAT grows with the line. So the lines add up to the sale's
 * total, which is rounded once for each rate.
 */
function grossOf({ lines, prices_include_vat }: SheetData): Hundredths[] {
  if (prices_include_vat) return lines.map((line) => line.price)
  const sums = new Map<RateHundredths, { net: bigint; vat: bigint }>()
  return lines.map((line) => {
    const before = sums.get(line.vat_rate) ?? { net: 0n, vat: 0n }
    const net = before.net + BigInt(line.net)
    const vat = (net * BigInt(line.vat_rate) * 2n + 10_000n) / 20_000n
    sums.set(line.vat_rate, { net, vat })
    return line.net + Number(vat - before.vat)
  })
}

answerWith((data: SheetData): Promise<Uint8Array> => {
  const gross = grossOf(data)
  const totals: Record<string, Cell> = {
    Product: { value: 'Total', type: String },
    'Net price (EUR)': money(data.total_net),
    'Gross price (EUR)': money(data.total_gross),
  }
  const header = COLUMNS.map((column) => heading(column.heading, column.figure ?? false))
  const total = COLUMNS.map(
    ({ heading }): Cell => ({
      ...(totals[heading] as CellObject | undefined),
      fontWeight: 'bold',
      topBorderStyle: 'thin',
    }),
  )
  return writeXlsx(
    [header, ...zip(data.lines, gross).map(([line, sum]) => COLUMNS.map(({ cell }) => cell(line, sum))), total],
    {
      sheet: `Sale ${data.sale_id}`,
      columns: COLUMNS.map(({ width }) => ({ width })),
      stickyRowsCount: 1,
    },
  ).toBuffer()
})
