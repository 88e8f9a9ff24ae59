import { textProblem } from './plain-text.ts'

/** A name as part of a comma-separated list. Commas in the name are encoded. */
export const listedName = (name: string) => encodeURIComponent(name)

/** The name that such a part stands for; undefined if the part is no encoded name. */
export function nameInList(part: string): string | undefined {
  try {
    const name = decodeURIComponent(part)
    return textProblem(name) === null ? name : undefined
  } catch {
    return undefined
  }
}
