import { textProblem } from './plain-text.ts'

/** A name as it stands in a comma-separated list: without a comma of its own. */
export const listedName = (name: string) => encodeURIComponent(name)

/** The name that a part of such a list stands for; undefined if it stands for none. */
export function nameInList(part: string): string | undefined {
  try {
    const name = decodeURIComponent(part)
    return textProblem(name) === null ? name : undefined
  } catch {
    return undefined
  }
}
