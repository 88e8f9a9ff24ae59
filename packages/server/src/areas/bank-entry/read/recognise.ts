import type { ReadLine } from './bank-line.ts'

// An entry may be in several files, for example in that of a week and in that of its month.

/**
 * The facts by which an entry is recognised in another file: account, day, amount and the bank's reference, or its
 * whole content if it has no reference, or one that other entries may have, too.
 */
export function keyOf(line: ReadLine): string {
  const { account, booked_on, amount, bank_reference, end_to_end, name, iban, remittance, by_content } = line
  const content = [end_to_end, name, iban, remittance]
  const reference = by_content ? [bank_reference, ...content] : [bank_reference, end_to_end]
  return JSON.stringify([account, booked_on, amount, ...(bank_reference === null ? content : reference)])
}

/** Makes a function that numbers equal keys: 1 for the first. */
export function numbering(): (key: string) => number {
  const seen = new Map<string, number>()
  return (key) => {
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return nth
  }
}

/**
 * The entries of several files whose periods may overlap: each as often as it is in the one file that has it most
 * often. `in_several` counts the entries that more than one file has.
 */
export function joined(files: readonly (readonly ReadLine[])[]): { lines: ReadLine[]; in_several: number } {
  const lines: ReadLine[] = []
  const taken = new Map<string, number>()
  const again = new Set<string>()
  for (const file of withReferencesInDoubt(files)) {
    const numberOf = numbering()
    for (const line of file) {
      const key = keyOf(line)
      const nth = numberOf(key)
      if (nth > (taken.get(key) ?? 0)) {
        taken.set(key, nth)
        lines.push(line)
      } else again.add(`${nth} ${key}`)
    }
  }
  return { lines, in_several: again.size }
}

/**
 * The files' lines, with `by_content` for each entry of MT940 whose reference is that of another entry, too. Some banks
 * write the kind of an entry in place of its reference.
 */
function withReferencesInDoubt(files: readonly (readonly ReadLine[])[]): ReadLine[][] {
  const referring = files.flat().filter(({ stored_as, bank_reference }) => stored_as && bank_reference !== null)
  const alike = Map.groupBy(referring, ({ account, bank_reference }) => `${account} ${bank_reference}`)
  const isOfOneEntry = (lines: readonly ReadLine[]) => new Set(lines.map((line) => JSON.stringify(line))).size === 1
  const shared = new Set([...alike.values()].filter((lines) => !isOfOneEntry(lines)).flat())
  return files.map((file) => file.map((line) => (shared.has(line) ? { ...line, by_content: true } : line)))
}
