import { MAX_COLUMNS } from '@backstock/contract/page-size.ts'
import type { Query } from '../api/client.ts'
import type { Column } from '../ui/table/column.ts'

/** A column as it is offered. */
export type OfferedColumn = { name: string; title: string }

/** For a list whose columns a person may choose: `columns` of the address names them. */
export type ColumnChoice<Row> = {
  /** The list's columns if the address names none. */
  usual: readonly string[]
  /** The column that leads to the record. Nobody can hide it. */
  kept: string
  isKnown: (name: string) => boolean
  /** The additions to the server's query for these columns. */
  query: (names: readonly string[]) => Query
  /** Fetches the code of the columns that are not in `usual`. */
  load: () => Promise<unknown>
  isLoaded: () => boolean
  /** Call it for columns outside of `usual` only after `load`. */
  columns: (names: readonly string[]) => readonly Column<Row>[]
  /** All that there are, in the order in which they are offered. */
  offered: () => Promise<readonly OfferedColumn[]>
}

/** The parts of a choice that decide which columns an address names. */
export type ColumnNames = Pick<ColumnChoice<never>, 'usual' | 'kept' | 'isKnown' | 'query'>

/** The columns that an address names, and always `kept`; the usual ones if it names no known column. */
export function readColumns(text: string | undefined, { usual, kept, isKnown }: ColumnNames): readonly string[] {
  const named = [...new Set(text?.split(','))].filter(isKnown)
  if (named.length === 0) return usual
  return (named.includes(kept) ? named : [kept, ...named]).slice(0, MAX_COLUMNS)
}

export const areUsual = (columns: readonly string[], { usual }: Pick<ColumnNames, 'usual'>) =>
  columns.length === usual.length && columns.every((name, n) => name === usual[n])

/** The column moved to another place, counted among those that are shown. */
export function movedTo(columns: readonly string[], name: string, place: number): string[] {
  const others = columns.filter((one) => one !== name)
  return others.toSpliced(Math.max(0, Math.min(place, others.length)), 0, name)
}
