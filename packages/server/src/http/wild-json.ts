import { Refusal } from './refusal.ts'

/** Limits above anything that a screen or program sends: a push has at most 10,000 items with some 40 fields each. */
const MOST = { depth: 32, names: 1000, values: 400_000 }

const code = (character: string) => character.charCodeAt(0)
const QUOTE = code('"')
const BACKSLASH = code('\\')
const COMMA = code(',')
const COLON = code(':')
const OPEN_OBJECT = code('{')
const CLOSE_OBJECT = code('}')
const OPEN_LIST = code('[')
const CLOSE_LIST = code(']')

/**
 * Refuses JSON that would take long to parse, before it is parsed: if it is nested too deep (400), has too many names
 * in one object, or too many values in all (413). It does not check whether the text is valid JSON.
 */
export function refuseWildJson(json: Uint8Array): void {
  let depth = 0
  let values = 0
  const names = new Uint32Array(MOST.depth + 1)
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfText(json, at)
        break
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (++depth > MOST.depth) throw new Refusal(400, `JSON may be nested ${MOST.depth} levels deep at most.`)
        names[depth] = 0
        values++
        break
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (depth > 0) depth--
        break
      case COLON: {
        const ofThisObject = (names[depth] ?? 0) + 1
        if (ofThisObject > MOST.names) throw tooMany(MOST.names, 'fields in one object')
        names[depth] = ofThisObject
        break
      }
      case COMMA:
        if (++values > MOST.values) throw tooMany(MOST.values, 'values')
    }
  }
}

const tooMany = (most: number, what: string) =>
  new Refusal(413, `JSON may have ${most.toLocaleString('en')} ${what} at most.`)

function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
