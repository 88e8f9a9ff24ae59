import type { Tape } from './answers.ts'
import type { Client } from './app.ts'

/** A function that asks for lists, and writes down for each only the ids of its rows and its length, or its refusal. */
export const listIds = (tape: Tape, reader: Client) => async (url: string) => {
  const { status, body } = await reader.get(url)
  const told = status === 200 ? `${body.data.map(({ id }: { id: number }) => id).join(' ')} of ${body.total}` : ''
  tape.line(`GET ${url}: ${told || `${status} ${body.message}`}`)
}
