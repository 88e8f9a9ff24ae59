import type { ReactNode } from 'react'

export type ListRow = { id: number }

export type Column<Row> = {
  header: string
  /** The head shows this in place of the words of `header`. */
  head?: ReactNode
  cell: (row: Row) => ReactNode
  /** The content of the cell on a phone, if it is not that of `cell`. */
  phoneCell?: (row: Row) => ReactNode
  /** The name by which the server sorts this column. Without it people cannot sort by the column. */
  sort?: string
  align?: 'right'
  /** The width in pixels, if the width of the content is known. */
  width?: number
  /**
   * The place in a row on a phone, which has two lines. 'lead' begins the first line, 'end' stands at its right.
   * 'below' (the default) is the second line, 'field' a line of its own below. 'hidden' is not shown.
   */
  phone?: 'lead' | 'end' | 'below' | 'field' | 'hidden'
  /** Stands before the value on a phone, which shows no column headings. For amounts, numbers and fields. */
  phoneLabel?: string
  /** The cells are buttons, so print leaves the column out. */
  isAction?: true
  /** If the table is too narrow for all columns, this one is hidden before the table scrolls sideways. */
  isDetail?: true
}
