import type { CapacityUnit } from '@backstock/contract/product-name.ts'

/** The least likeness of two names that are proposed. Names below it share only a letter or two. */
const ALIKE = 0.2

/** A record to compare with. `text` is compared in place of its name, for example the name in English. */
export type Candidate = {
  id: number
  name: string
  text?: string
  make?: string
  model?: string
  capacity?: number | null
  capacity_unit?: CapacityUnit | null
  colour?: string | null
}

/**
 * A record with its likeness, from 0 to 1. `hasAll` means that it contains each word of the name that is looked for;
 * `isWithin`, that this name contains each word of it.
 */
export type NearName = Candidate & { alike: number; hasAll: boolean; isWithin: boolean }

/**
 * The pieces of three letters of each word of a name, as pg_trgm of PostgreSQL makes them. `128GB` is two words. A plus
 * or minus at the end of a word belongs to the word, and is also a piece of its own.
 */
export function piecesOf(name: string): Set<string> {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/(?:\p{L}+|\p{N}+)(?:[+-](?![\p{L}\p{N}]))?/gu) ?? []
  const pieces = new Set<string>()
  for (const word of words) {
    const padded = `  ${word} `
    const sign = word.at(-1)
    if (sign === '+' || sign === '-') pieces.add(sign)
    for (let n = 0; n + 3 <= padded.length; n++) pieces.add(padded.slice(n, n + 3))
  }
  return pieces
}

const isOpposite = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  (one.has('+') && other.has('-')) || (one.has('-') && other.has('+'))

/**
 * Makes a function that finds the names in a block that are most like another name. Callers search a long list in
 * blocks of a thousand.
 */
export function aliker(block: readonly Candidate[]) {
  /** `shared` is the number of pieces that a name shares with the one that is looked for; 0 between two searches. */
  const names = block.map((candidate) => ({ candidate, own: piecesOf(candidate.text ?? candidate.name), shared: 0 }))
  const bearers = new Map<string, typeof names>()
  for (const name of names) {
    for (const piece of name.own) {
      const bearing = bearers.get(piece)
      if (bearing) bearing.push(name)
      else bearers.set(piece, [name])
    }
  }
  return (pieces: ReadonlySet<string>, many: number, { isMeant = likeEnough, isFirst }: Choice = {}): NearName[] => {
    const touched: typeof names = []
    for (const piece of pieces)
      for (const name of bearers.get(piece) ?? []) {
        if (name.shared === 0) touched.push(name)
        name.shared++
      }
    const found: NearName[] = []
    for (const name of touched) {
      const { candidate, own, shared: both } = name
      name.shared = 0
      const alike = both / (pieces.size + own.size - both)
      const near = { ...candidate, alike, hasAll: both === pieces.size, isWithin: both === own.size }
      // `A-` is never proposed for `A+`.
      if (!isOpposite(pieces, own) && isMeant(near)) found.push(near)
    }
    return nearestOf(found, many, isFirst)
  }
}

/**
 * `isMeant`: whether a name may be proposed. `isFirst`: whether it comes before others that have as many of the words.
 */
export type Choice = { isMeant?: (near: NearName) => boolean; isFirst?: ((near: NearName) => boolean) | undefined }

const likeEnough = ({ alike }: NearName) => alike >= ALIKE

/**
 * The best names. First come those with all words, then those for which `isFirst` holds, then the more alike, then the
 * older.
 */
export const nearestOf = (names: readonly NearName[], many: number, isFirst: Choice['isFirst'] = () => false) =>
  names
    .toSorted(
      (a, b) =>
        Number(b.hasAll) - Number(a.hasAll) ||
        Number(isFirst(b)) - Number(isFirst(a)) ||
        b.alike - a.alike ||
        a.id - b.id,
    )
    .slice(0, many)
