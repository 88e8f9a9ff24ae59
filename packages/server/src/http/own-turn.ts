import { setImmediate as nextRound } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits for the next free round of the event loop. Each large piece of work waits for one, so that between two pieces
 * everybody else has a round.
 */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => nextRound())
  return last
}

/**
 * So many characters are some milliseconds' work; a character that expands to a whole sentence counts as that
 * sentence.
 */
const CHARACTERS = 4000

/** The result for each text; texts that are short together share one turn of the event loop. */
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
