import { MAX_COLUMNS } from '@backstock/contract/page-size.ts'
import type { Query } from '../api/client.ts'
import type { Column } from '../ui/table/column.ts'

/** A column that people can choose. */
export type OfferedColumn = { name: string; title: string }

/** The choice of columns of a list. `columns` in the address names the chosen ones. */
export type ColumnChoice<Row> = {
  /** The columns that the list shows if the address names none. */
  usual: readonly string[]
  /** The column that links to the record. It cannot be hidden. */
  kept: string
  isKnown: (name: string) => boolean
  /** The parameters of the query that make the server send these columns. */
  query: (names: readonly string[]) => Query
  /** Loads the code of the columns that are not in `usual`. */
  load: () => Promise<unknown>
  isLoaded: () => boolean
  /** The columns with these names. Call `load` before if a name is not in `usual`. */
  columns: (names: readonly string[]) => readonly Column<Row>[]
  /** All columns, in the order in which they are offered. */
  offered: () => Promise<readonly OfferedColumn[]>
}

/** The parts of a choice that are enough to read the columns in an address. */
export type ColumnNames = Pick<ColumnChoice<never>, 'usual' | 'kept' | 'isKnown' | 'query'>

/** The columns that an address names, and `kept` in any case. The usual ones if the address names no known column. */
export function readColumns(text: string | undefined, { usual, kept, isKnown }: ColumnNames): readonly string[] {
  const named = [...new Set(text?.split(','))].filter(isKnown)
  if (named.length === 0) return usual
  return (named.includes(kept) ? named : [kept, ...named]).slice(0, MAX_COLUMNS)
}

export const areUsual = (columns: readonly string[], { usual }: Pick<ColumnNames, 'usual'>) =>
  columns.length === usual.length && columns.every((name, n) => name === usual[n])

/** The columns after one was moved. `place` counts from 0 among the columns that are shown. */
export function movedTo(columns: readonly string[], name: string, place: number): string[] {
  const others = columns.filter((one) => one !== name)
  return others.toSpliced(Math.max(0, Math.min(place, others.length)), 0, name)
}
