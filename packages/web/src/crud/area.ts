import type { User } from '@backstock/contract/user.ts'
import type { UseFormReturnType } from '@mantine/form'
import type { ComponentType, ReactNode } from 'react'
import type { Me } from '../api/session.ts'
import type { Column, ListRow } from '../ui/table/column.ts'
import type { ColumnChoice, ColumnNames } from './column-choice.ts'

export type RecordRow = ListRow & { updated_at: string }

export type Filter = {
  /** The filter's name in the address and in the query. */
  name: string
  label: string
  /** The values to choose from; several may be chosen. A filter with one option is drawn as a switch. */
  options: { value: string; label: string }[]
  /** The chosen values if the address does not name the filter. An empty `name=` in the address means all. */
  default?: string[]
  /**
   * If this filter hides all hits of a search, the list offers the hidden hits under this name: '3 in other statuses'.
   */
  hiding?: string
  /**
   * Only with `hiding`: the route that counts the hidden hits while other hits are visible, as far as that is quick;
   * 'find' is the list's own route. Without it the list offers hidden hits only if no hit is visible.
   */
  hidden?: string
  /**
   * Only without `options`, for a filter that links set: the text of a value on the chip that clears the filter. Null
   * if the value is not valid.
   */
  chip?: (value: string) => string | null
  /** Only without `options`: the values are ids of records of this area. Needs `isMore`. */
  of?: string
  /** Only without `options`: the value is a day (yyyy-mm-dd), the first or last of a period. */
  isDay?: boolean
  /** Only without `options`: the value is a price in hundredths, the lowest or highest of a range. Needs `isMore`. */
  isAmount?: boolean
  /** Only one of the `options` can be chosen. Needs `isMore`. */
  isOne?: boolean
  /** The filter is under 'More filters' and not in the bar. The bar shows a chip for each chosen value. */
  isMore?: boolean
}

/**
 * The list page of an area. Define `columns` outside of components: if the array is a new one, all rows are drawn
 * again.
 */
export type ListArea<Row extends ListRow> = {
  /** The name of the area in addresses and API calls, for example 'colour'. */
  area: string
  title: string
  columns: readonly Column<Row>[]
  /** Set if people can choose columns. `columns` are then those that the list shows at first. */
  choice?: ColumnChoice<Row>
  filters?: readonly Filter[]
  /** The order of the rows if the address has none; 'id_desc' if left out. */
  defaultOrder?: string
  /** Whether this person gets an 'Add new' button; if left out, everybody does. */
  mayCreate?: (me: Me) => boolean
  /**
   * The content of an empty list. `text` says what belongs in it. `steps` are links to begin with; 'Add new' if left
   * out. `Also` stands between the two.
   */
  empty?: { text: string; steps?: readonly { text: string; to: string }[]; Also?: ComponentType }
  /** Whether this person may delete this row now. Without it the list has no delete column. */
  mayDelete?: (row: Row, me: Me) => boolean
  /** Whether the server is still at work on a part of this row. Meanwhile the list is read again and again. */
  isUnderWay?: (row: Row) => boolean
}

/** The parts of an area that decide which rows an address shows. */
export type ListRead = Pick<ListArea<ListRow>, 'area' | 'filters' | 'defaultOrder'> & {
  choice?: ColumnNames & { load?: () => Promise<unknown> }
}

export type RecordFormOf<Values> = UseFormReturnType<Values>

/** The record pages of an area, to create and to edit a record. */
export type RecordArea<Row extends RecordRow, Values extends object> = {
  area: string
  /** The title of the list, to which the breadcrumbs lead. */
  title: string
  /** The initial values of the form; `row` is null for a new record. */
  values: (row: Row | null, me: User) => Values
  /**
   * The inputs. Mark required ones with `withAsterisk` and not with `required`, so that the server's messages are shown
   * and not the browser's.
   */
  fields: (form: RecordFormOf<Values>, context: { row: Row | null; me: User }) => ReactNode
  /** Makes the request's body of the values; if left out, the values are the body. The form adds `updated_at`. */
  input?: (values: Values, row: Row | null) => object
  /**
   * Asks the person before an existing record is saved. If it returns false, nothing is saved and the form keeps its
   * text.
   */
  ask?: (values: Values, row: Row) => Promise<boolean>
  mayCreate?: (me: Me) => boolean
  mayEdit?: (row: Row, me: User) => boolean
  /** Drawn below the form of an existing record. */
  below?: (row: Row) => ReactNode
  /** The API path for saving, if it is not `{area}/create` or `{area}/{id}/edit`. The draft has its name from it, too. */
  save?: string
  /** If a new record is made of other records, their ids: a draft that was begun for others does not come back. */
  about?: string
  /** Fields that the browser must not keep in a draft, such as a password. */
  secrets?: readonly (keyof Values)[]
  /** Reads the record, if `{area}/find` cannot. */
  read?: () => Promise<Row>
  /** Other areas whose data is out of date after a save. */
  alsoChanges?: readonly string[]
}

export type Area<Row extends RecordRow, Values extends object> = ListArea<Row> & RecordArea<Row, Values>
