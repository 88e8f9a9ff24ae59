import { textProblem } from './plain-text.ts'

/** A name for a comma-separated list: without a comma of its own. */
export const listedName = (name: string) => encodeURIComponent(name)

/** The name that a part of such a list means; undefined if it means none. */
export function nameInList(part: string): string | undefined {
  try {
    const name = decodeURIComponent(part)
    return textProblem(name) === null ? name : undefined
  } catch {
    return undefined
  }
}
