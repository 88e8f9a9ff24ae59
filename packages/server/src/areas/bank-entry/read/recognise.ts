import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BankLine, ReadLine } from './bank-line.ts'

// An entry may be in several files, for example in that of a week and in that of its month.

/**
 * The facts by which an entry is recognised in another file: account, day, amount and the bank's reference, or its
 * whole content if it has no reference of its own.
 */
export function keyOf(line: ReadLine): string {
  const { account, booked_on, amount, bank_reference, end_to_end, name, iban, remittance, reference } = line
  const content = [end_to_end, name, iban, remittance]
  const referring = reference === 'shared' ? [bank_reference, ...content] : [bank_reference, end_to_end]
  return JSON.stringify([account, booked_on, amount, ...(bank_reference === null ? content : referring)])
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
 * The contents with which the database may have an entry under another fingerprint: as version 1.0.0 read it, and as
 * today, because another file may have told whether its reference is its own.
 */
export function otherwiseStored({ reference, former, ...line }: ReadLine): BankLine[] {
  if (former) return [former, line]
  return reference ? [line] : []
}

/**
 * The entries of several files whose periods may overlap: each as often as it is in the one file that has it most
 * often. `in_several` counts the entries that more than one file has.
 */
export function joined(files: readonly (readonly ReadLine[])[]): { lines: ReadLine[]; in_several: number } {
  const lines: ReadLine[] = []
  const taken = new Map<string, number>()
  const again = new Set<string>()
  for (const file of withSharedReferences(files)) {
    const numberOf = numbering()
    for (const line of file) {
      // A key is as long as the text of its entry, and the hash saves memory.
      const key = hash('sha256', keyOf(line))
      const nth = numberOf(key)
      if (nth > (taken.get(key) ?? 0)) {
        taken.set(key, nth)
        lines.push(line)
      } else again.add(`${nth} ${key}`)
    }
  }
  return { lines, in_several: again.size }
}

/** The files' lines, with the references that different entries have as `shared`. */
function withSharedReferences(files: readonly (readonly ReadLine[])[]): ReadLine[][] {
  const referring = files.flat().filter(({ reference }) => reference === 'own')
  const alike = Map.groupBy(referring, ({ account, bank_reference }) => `${account} ${bank_reference}`)
  const shared = new Set([...alike.values()].filter((lines) => !areEqual(lines)).flat())
  return files.map((file) => file.map((line) => (shared.has(line) ? { ...line, reference: 'shared' as const } : line)))
}

const areEqual = ([first, ...others]: readonly ReadLine[]) => others.every((line) => isDeepStrictEqual(line, first))
