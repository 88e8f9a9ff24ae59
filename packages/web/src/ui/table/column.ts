import type { ReactNode } from 'react'

export type ListRow = { id: number }

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** The server's name of the column; without it the column cannot be sorted by. */
  sort?: string
  align?: 'right'
  /** In pixels, for columns whose content has a known width. */
  width?: number
  /**
   * Place in the two-line row of a phone: the first line ('lead', or 'end' at its right), below (the default), or
   * none.
   */
  phone?: 'lead' | 'end' | 'below' | 'hidden'
  /** What an amount or number below is called on a phone, where nobody sees the head of its column. */
  phoneLabel?: string
  /** Holds what is pressed, and is left out on paper. */
  isAction?: true
  /** Left out where the table is too narrow for all columns, before it scrolls sideways. */
  isDetail?: true
}
