import { MAX_PAGE_SIZE } from '@backstock/contract/page-size.ts'
import { lastPerson } from '../api/person.ts'

// Kept in the browser, per person and list: a screen at the desk has room for other numbers than a phone.
const keyOf = (area: string) => `rows ${lastPerson()} ${area}`

/** How many rows the person wants on a page of a list; undefined as long as nothing was chosen. */
export function chosenRows(area: string | undefined): number | undefined {
  const rows = area === undefined ? 0 : Number(localStorage.getItem(keyOf(area)))
  return Number.isInteger(rows) && rows >= 1 && rows <= MAX_PAGE_SIZE ? rows : undefined
}

export const chooseRows = (area: string, rows: number) => localStorage.setItem(keyOf(area), String(rows))
