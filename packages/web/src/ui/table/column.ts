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
   * Place in the two-line row of a phone: the first line ('lead', or 'end' at its right), below (the default), a last
   * line of its own ('field'), or none.
   */
  phone?: 'lead' | 'end' | 'below' | 'field' | 'hidden'
  /** The name of an amount, number or field, on a phone, which shows no heads of columns. */
  phoneLabel?: string
  /** Its cells are buttons: paper leaves it out. */
  isAction?: true
  /** Left out if the table is too narrow for all columns, before it scrolls sideways. */
  isDetail?: true
}
