type Piece = { megabytes: number; begin: () => Promise<void> }

/**
 * Does pieces of work for people, each person's one at a time and all of them in turns: who has many waits for their own. Together
 * they take at most so much memory; a smaller piece may go ahead of one that does not fit yet.
 */
export function fairTurns(megabytes: number) {
  /** What waits, for each person; whoever was served last stands last. */
  const line = new Map<number, Piece[]>()
  const working = new Set<number>()
  let free = megabytes

  const next = () => {
    for (const [person, pieces] of line) {
      if (working.has(person) || pieces[0]!.megabytes > free) continue
      const piece = pieces.shift()!
      if (pieces.length === 0) line.delete(person)
      working.add(person)
      free -= piece.megabytes
      void piece.begin().finally(() => {
        working.delete(person)
        free += piece.megabytes
        // Behind those who have come meanwhile.
        const rest = line.get(person)
        line.delete(person)
        if (rest) line.set(person, rest)
        next()
      })
    }
  }

  /** Takes the result, or what was thrown, from `work`. */
  return <Result>(person: number, needed: number, work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const begin = () => work().then(resolve, reject)
      const pieces = line.get(person)
      if (pieces) pieces.push({ megabytes: needed, begin })
      else line.set(person, [{ megabytes: needed, begin }])
      next()
    })
}
