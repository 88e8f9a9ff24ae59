import { MAX_PAGE_SIZE } from '@backstock/contract/page-size.ts'
import { lastPerson } from '../api/person.ts'

// The browser keeps the number for each person and list, because a desk has room for more rows than a phone.
const keyOf = (area: string) => `rows ${lastPerson()} ${area}`

/** The number of rows per page that the person has chosen for a list; undefined if they have not. */
export function chosenRows(area: string | undefined): number | undefined {
  const rows = area === undefined ? 0 : Number(localStorage.getItem(keyOf(area)))
  return Number.isInteger(rows) && rows >= 1 && rows <= MAX_PAGE_SIZE ? rows : undefined
}

export const chooseRows = (area: string, rows: number) => localStorage.setItem(keyOf(area), String(rows))
