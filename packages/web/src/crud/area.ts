import type { User } from '@backstock/contract/user.ts'
import type { UseFormReturnType } from '@mantine/form'
import type { ComponentType, ReactNode } from 'react'
import type { Me } from '../api/session.ts'
import type { Column, ListRow } from '../ui/table/column.ts'
import type { ColumnChoice, ColumnNames } from './column-choice.ts'

export type RecordRow = ListRow & { updated_at: string }

export type Filter = {
  /** Its name in the address and in the query. */
  name: string
  label: string
  /** Several may be chosen; a filter with one option is drawn as a switch. */
  options: { value: string; label: string }[]
  /** The values if the address does not name the filter; an empty `name=` in the address means all. */
  default?: string[]
  /**
   * When this filter hides everything that a search finds, the hidden hits are offered under this name: '3 in other
   * statuses'.
   */
  hiding?: string
  /**
   * For a filter with `hiding`: the route that counts the hits that it hides beside those that it shows, as far as
   * this is quick; 'find' is the list's own. Without it, hidden hits are offered only if there are no others.
   */
  hidden?: string
  /**
   * For a filter without `options`, which only links set: the name of a value on the chip that clears it; null for a
   * value that makes no sense.
   */
  chip?: (value: string) => string | null
  /** For a filter without `options`: the area whose records' ids it takes. One of `isMore`. */
  of?: string
  /** For a filter without `options`, which takes a day as yyyy-mm-dd: an end of a period. */
  isDay?: boolean
  /** For a filter without `options`, which takes a price in hundredths: an end of a range. One of `isMore`. */
  isAmount?: boolean
  /** Only one of its `options` may be chosen. One of `isMore`. */
  isOne?: boolean
  /** The filter is under 'More filters', not in the bar. The bar shows a chip for each chosen value. */
  isMore?: boolean
}

/**
 * The area's description for its list page. Keep `columns` outside of components: rows are drawn anew when it
 * changes.
 */
export type ListArea<Row extends ListRow> = {
  /** The resource's name in addresses and API calls: 'colour'. */
  area: string
  title: string
  columns: readonly Column<Row>[]
  /** If columns can be chosen: the choice. `columns` are then those that the list has at first. */
  choice?: ColumnChoice<Row>
  filters?: readonly Filter[]
  /** 'id_desc' if left out. */
  defaultOrder?: string
  /** Whether there is an 'Add new' button; if left out, everyone has it. */
  mayCreate?: (me: Me) => boolean
  /**
   * An empty list's text says what belongs in it. The first steps are 'Add new' if none are given. `Also` is shown
   * between the two.
   */
  empty?: { text: string; steps?: readonly { text: string; to: string }[]; Also?: ComponentType }
  /** Whether this row may be deleted now. Without it there is no delete column. */
  mayDelete?: (row: Row, me: Me) => boolean
}

/** The parts of an area that decide which rows an address asks for. */
export type ListRead = Pick<ListArea<ListRow>, 'area' | 'filters' | 'defaultOrder'> & {
  choice?: ColumnNames & { load?: () => Promise<unknown> }
}

export type RecordFormOf<Values> = UseFormReturnType<Values>

/** The area's description for its record pages (create and edit). */
export type RecordArea<Row extends RecordRow, Values extends object> = {
  area: string
  /** The list's title; breadcrumbs lead there. */
  title: string
  /** The form's first values; `row` is null on create. */
  values: (row: Row | null, me: User) => Values
  /** The inputs. Mark required ones `withAsterisk`, not `required`: the server's messages are the ones shown. */
  fields: (form: RecordFormOf<Values>, context: { row: Row | null; me: User }) => ReactNode
  /** The request's body; the values themselves if left out. `updated_at` is added. */
  input?: (values: Values, row: Row | null) => object
  /** Asks the person before an existing record is saved. On no, nothing is saved and the form keeps its text. */
  ask?: (values: Values, row: Row) => Promise<boolean>
  mayCreate?: (me: Me) => boolean
  mayEdit?: (row: Row, me: User) => boolean
  /** Shown below the form of an existing record. */
  below?: (row: Row) => ReactNode
  /** The save's route, if it is not `{area}/create` or `{area}/{id}/edit`. */
  save?: string
  /** How the record is read again, if not by `{area}/find`. */
  read?: () => Promise<Row>
  /** Other areas whose reads a save puts out of date. */
  alsoChanges?: readonly string[]
}

export type Area<Row extends RecordRow, Values extends object> = ListArea<Row> & RecordArea<Row, Values>
