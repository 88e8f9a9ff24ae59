import type { ReturnLookUpRow } from '@backstock/contract/customer-return.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../ui/table/paged-rows.tsx'
import { withRows } from '../../ui/table/with-rows.ts'
import type { WrongPriceKeeper } from '../../ui/table/wrong-prices.ts'
import { type Choice, type ChoiceLine, choiceColumns } from './choices.tsx'
import { boughtColumn, itemColumns, soldColumn } from './item-columns.tsx'

/** `locked` is the reason why the item cannot come back in this return. */
export type FoundLine = ReturnLookUpRow & ChoiceLine

type Props = {
  /** Undefined while the lines are looked up. */
  rows: readonly FoundLine[] | undefined
  dimmed: boolean
  /** The ids of items that may come back but are not ticked. */
  left: ReadonlySet<number>
  onLeave: (left: ReadonlySet<number>) => void
  onChoose: (id: number, choice: Partial<Choice>) => void
  prices: WrongPriceKeeper
}

const lockedReason = (row: FoundLine) => row.locked

/** The items of the pasted lines, 100 on a page, with their sale, their supplier, and the choices for them. */
export function FoundTable({ rows, dimmed, left, onLeave, onChoose, prices }: Props) {
  const [wanted, setPage] = useState(1)
  const shown = rowsOf(rows ?? [], wanted)
  const latest = useRef(onChoose)
  useEffect(() => {
    latest.current = onChoose
  })
  const columns = useMemo(
    (): Column<FoundLine>[] => [
      ...itemColumns<FoundLine>(),
      soldColumn((row) => row.sale && { ...row.sale, at: row.sale.dispatched_on ?? row.sale.sold_at }),
      { ...boughtColumn<FoundLine>(), isDetail: true },
      ...choiceColumns<FoundLine>({ onChoose: (...choice) => latest.current(...choice), prices }),
    ],
    [prices],
  )
  return (
    <>
      <DataTable
        label="Items found"
        columns={columns}
        rows={rows && shown.rows}
        dimmed={dimmed}
        lockedReason={lockedReason}
        ticks={{
          isTicked: (row) => row.editable && !left.has(row.id),
          onTick: (ticked, on) => onLeave(withRows(left, ticked, !on)),
          isFixed: (row) => !row.editable,
        }}
      />
      <RowPages page={shown.page} pages={shown.pages} total={rows?.length ?? 0} onPage={setPage} />
    </>
  )
}
