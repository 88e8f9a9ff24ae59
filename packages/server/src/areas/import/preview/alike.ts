/** Below it two names have little more in common than a letter or two. */
const ALIKE = 0.2

export type NearName = { id: number; name: string; alike: number }

/** A name's words in pieces of three letters, as PostgreSQL's pg_trgm has them; `128GB` is two words. */
export function piecesOf(name: string): Set<string> {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/\p{L}+|\p{N}+/gu) ?? []
  const pieces = new Set<string>()
  for (const word of words) {
    const padded = `  ${word} `
    for (let n = 0; n + 3 <= padded.length; n++) pieces.add(padded.slice(n, n + 3))
  }
  return pieces
}

/** Finds the most alike of a block of names; a catalogue is gone through in blocks of a thousand. */
export function aliker(block: readonly { id: number; name: string }[]) {
  const sizes: number[] = []
  const bearers = new Map<string, number[]>()
  for (const [n, { name }] of block.entries()) {
    const pieces = piecesOf(name)
    sizes.push(pieces.size)
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
      const alike = both / (pieces.size + sizes[n]! - both)
      if (alike >= ALIKE) found.push({ ...block[n]!, alike })
    }
    return nearestOf(found, many)
  }
}

/** The most alike first; of those as much alike the oldest. */
export const nearestOf = (names: readonly NearName[], many: number) =>
  names.toSorted((a, b) => b.alike - a.alike || a.id - b.id).slice(0, many)
