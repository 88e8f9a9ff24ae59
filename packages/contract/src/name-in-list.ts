import { textProblem } from './plain-text.ts'

/** A name as part of a comma-separated list. Commas in the name are encoded. */
export const listedName = (name: string) => encodeURIComponent(name)

/**
 * The name in a part that `listedName` has made; undefined if the part is not encoded correctly, or if the name cannot
 * be stored.
 */
export function nameInList(part: string): string | undefined {
  try {
    const name = decodeURIComponent(part)
    return textProblem(name) === null ? name : undefined
  } catch {
    return undefined
  }
}
