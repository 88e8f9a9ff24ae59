/** Below it two names have little more in common than a letter or two. */
const ALIKE = 0.2

/** `hasAll`: each word that is looked for stands in it. */
export type NearName = { id: number; name: string; alike: number; hasAll: boolean }

/**
 * A name's words in pieces of three letters, as PostgreSQL's pg_trgm has them; `128GB` is two words. A sign at the end of
 * a word belongs to it, and is a piece of its own.
 */
export function piecesOf(name: string): Set<string> {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/(?:\p{L}+|\p{N}+)(?:[+-](?![\p{L}\p{N}]))?/gu) ?? []
  const pieces = new Set<string>()
  for (const word of words) {
    const padded = `  ${word} `
    const sign = word.at(-1)!
    if (sign === '+' || sign === '-') pieces.add(sign)
    for (let n = 0; n + 3 <= padded.length; n++) pieces.add(padded.slice(n, n + 3))
  }
  return pieces
}

const isOpposite = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  (one.has('+') && other.has('-')) || (one.has('-') && other.has('+'))

/** Finds the most alike of a block of names; a catalogue is gone through in blocks of a thousand. */
export function aliker(block: readonly { id: number; name: string }[]) {
  const all: Set<string>[] = []
  const bearers = new Map<string, number[]>()
  for (const [n, { name }] of block.entries()) {
    const pieces = piecesOf(name)
    all.push(pieces)
    for (const piece of pieces) {
      const bearing = bearers.get(piece)
      if (bearing) bearing.push(n)
      else bearers.set(piece, [n])
    }
  }
  const shared = new Uint16Array(block.length)
  return (pieces: ReadonlySet<string>, many: number): NearName[] => {
    const touched: number[] = []
    for (const piece of pieces)
      for (const n of bearers.get(piece) ?? []) {
        if (shared[n] === 0) touched.push(n)
        shared[n]!++
      }
    const found: NearName[] = []
    for (const n of touched) {
      const both = shared[n]!
      shared[n] = 0
      const own = all[n]!
      const alike = both / (pieces.size + own.size - both)
      // `A-` is never `A+`.
      if (alike >= ALIKE && !isOpposite(pieces, own)) found.push({ ...block[n]!, alike, hasAll: both === pieces.size })
    }
    return nearestOf(found, many)
  }
}

/** Those with all words first, and of them the most alike; of those as much alike the oldest. */
export const nearestOf = (names: readonly NearName[], many: number) =>
  names.toSorted((a, b) => Number(b.hasAll) - Number(a.hasAll) || b.alike - a.alike || a.id - b.id).slice(0, many)
