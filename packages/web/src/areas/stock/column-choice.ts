import { listedName } from '@backstock/contract/name-in-list.ts'
import type { StockListRow } from '@backstock/contract/stock.ts'
import { furtherName, MORE_COLUMNS } from '@backstock/contract/stock-list-columns.ts'
import type { ColumnChoice } from '../../crud/column-choice.ts'
import type { Column } from '../../ui/table/column.ts'

type MoreColumns = typeof import('./more-columns.tsx')
let more: MoreColumns | undefined
let loading: Promise<MoreColumns> | undefined

/** Loads the further columns. While they load, every call returns the same promise, which React's `use` needs. */
function load(): Promise<MoreColumns> {
  loading ??= import('./more-columns.tsx').then(
    (loaded) => {
      more = loaded
      return loaded
    },
    (error) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** The choice of columns in the stock list. `specified` are the columns that it shows if nobody has chosen any. */
export function stockColumnChoice(specified: Record<string, Column<StockListRow>>): ColumnChoice<StockListRow> {
  return {
    usual: Object.keys(specified),
    kept: 'id',
    isKnown: (name) =>
      Object.hasOwn(specified, name) || MORE_COLUMNS.some((one) => one === name) || furtherName(name) !== undefined,
    query(names) {
      const also = (['category', 'vat', 'age'] as const).filter((name) => names.includes(name))
      const further = names.flatMap((name) => furtherName(name) ?? [])
      // Sorted, so that the query stays the same if columns only change places.
      return {
        also: also.length ? also : undefined,
        further: further.length ? further.toSorted().map(listedName) : undefined,
      }
    },
    load,
    isLoaded: () => more !== undefined,
    columns: (names) => names.flatMap((name) => specified[name] ?? more?.moreColumn(name) ?? []),
    async offered() {
      const { offeredColumns } = await load()
      return offeredColumns(specified)
    },
  }
}
