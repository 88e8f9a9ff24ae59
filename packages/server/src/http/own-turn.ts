import { setImmediate as nextRound } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits for the next free round of the event loop. If each large piece of work waits for its own round, other requests
 * get a round between two pieces.
 */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => nextRound())
  return last
}

/**
 * The number of characters that are processed at a time, which takes some milliseconds. A character that expands to a
 * sentence counts as that sentence.
 */
const CHARACTERS = 4000

/** The result of `make` for each text. Short texts share one round of the event loop. */
export async function mapTexts<Made>(
  texts: readonly string[],
  make: (text: string, place: number) => Made,
): Promise<Made[]> {
  const made: Made[] = []
  let characters = 0
  for (const [n, text] of texts.entries()) {
    characters += text.length
    if (characters > CHARACTERS) {
      await ownTurn()
      characters = text.length
    }
    made.push(make(text, n))
  }
  return made
}
