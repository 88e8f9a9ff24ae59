import type { CustomerReturnItem } from '@backstock/contract/customer-return.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Column } from '../../ui/table/column.ts'
import { textColumn } from '../../ui/table/columns.tsx'
import { DataTable, type Ticks } from '../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../ui/table/paged-rows.tsx'
import { withRows } from '../../ui/table/with-rows.ts'
import type { WrongPriceKeeper } from '../../ui/table/wrong-prices.ts'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { type Choice, type ChoiceLine, choiceColumns } from './choices.tsx'
import { boughtColumn, itemColumns, soldColumn } from './item-columns.tsx'

export type ReturnLine = Omit<CustomerReturnItem, 'price'> & ChoiceLine

type Props = {
  lines: readonly ReturnLine[]
  dimmed: boolean
  /** The ids of items that have not arrived and are not ticked. */
  left: ReadonlySet<number>
  /** Undefined if nothing can be chosen any more. */
  onLeave: ((left: ReadonlySet<number>) => void) | undefined
  onChoose: (id: number, choice: Partial<Choice>) => void
  prices: WrongPriceKeeper
}

/** The items of a return, 100 on a page. Those that have not arrived can be ticked and changed. */
export function ReturnTable({ lines, dimmed, left, onLeave, onChoose, prices }: Props) {
  const [wanted, setPage] = useState(1)
  const { rows, page, pages } = rowsOf(lines, wanted)
  const latest = useRef(onChoose)
  useEffect(() => {
    latest.current = onChoose
  })
  const anyCredited = lines.some((line) => line.credit_number !== null)
  const isChosen = onLeave !== undefined
  const columns = useMemo(
    (): Column<ReturnLine>[] => [
      ...itemColumns<ReturnLine>(),
      {
        header: 'Status',
        width: 120,
        phone: 'end',
        cell: (line) => <StatusBadge status={line.status} />,
        // The choices need the room. An item that has not come back is sold anyway.
        ...(isChosen && { isDetail: true }),
      },
      soldColumn((line) => ({ id: line.sale_id, invoice_number: line.invoice_number })),
      { ...boughtColumn<ReturnLine>(), isDetail: true },
      ...choiceColumns<ReturnLine>({
        onChoose: isChosen ? (...choice) => latest.current(...choice) : undefined,
        prices,
      }),
      ...(anyCredited ? [textColumn<ReturnLine>('Credit note', (line) => line.credit_number, { isDetail: true })] : []),
    ],
    [anyCredited, isChosen, prices],
  )
  const ticks: Ticks<ReturnLine> | undefined = onLeave && {
    isTicked: (line) => line.editable && !left.has(line.id),
    onTick: (ticked, on) => onLeave(withRows(left, ticked, !on)),
    isFixed: (line) => !line.editable,
  }
  return (
    <>
      <DataTable label="Items of the return" columns={columns} rows={rows} dimmed={dimmed} ticks={ticks} />
      <RowPages page={page} pages={pages} total={lines.length} onPage={setPage} />
    </>
  )
}
