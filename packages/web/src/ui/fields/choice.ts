/** A row of any area, with the field that holds its name in that area. */
export type Choice = {
  id: number
  display_name?: string
  company_name?: string | null
  full_name?: string
  name?: string
}

export const choiceLabel = (row: Choice) =>
  row.display_name || row.company_name || row.full_name || row.name || `#${row.id}`
