import { plainName, textProblem } from './plain-text.ts'

export const MAX_ADDRESS = 2000

/** The parameters of a list's address that a view does not keep: the page, its size, and the view itself. */
const NOT_OF_A_VIEW = ['page', 'per_page', 'view']

function decoded(part: string): string {
  const text = part.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+').replaceAll('%2C', ',')

/** The parameters of a list's address. If a name appears twice, its last value counts. */
function parts(text: string): [string, string][] {
  const query = text.replace(/^[^?]*\?/, '')
  const all = query
    .split('&')
    .filter(Boolean)
    .map((part): [string, string] => {
      const [name = '', ...value] = part.split('=')
      return [decoded(name), decoded(value.join('='))]
    })
  return [...new Map(all)]
}

/**
 * The canonical address of a view: sorted by name, each name once, without the parameters of `NOT_OF_A_VIEW`. `text` is
 * the whole address, or its part after the question mark.
 */
export function canonicalAddress(text: string): string {
  return parts(text)
    .filter(([name]) => !NOT_OF_A_VIEW.includes(name))
    .map(([name, value]) => `${encoded(name)}=${encoded(plainName(value))}`)
    .sort()
    .join('&')
}

/** Why a text cannot be the address of a view, as a sentence; null if it can. */
export function addressProblem(text: string): string | null {
  for (const [name, value] of parts(text)) {
    if (!/^[a-z][a-z_]{0,49}$/.test(name)) return 'Must be the address of a list.'
    const problem = textProblem(value) ?? (/[\t\n\r]/.test(value) ? 'Must be text of one line.' : null)
    if (problem) return problem
  }
  return canonicalAddress(text).length > MAX_ADDRESS ? `At most ${MAX_ADDRESS.toLocaleString('en')} characters.` : null
}

/** The parameters of an address as names and values, in the form in which a router gives them. */
export const readAddress = (address: string): Record<string, string> => Object.fromEntries(parts(address))

/** The canonical address of these parameters. Those that are undefined are left out. */
export const addressOf = (said: Readonly<Record<string, string | undefined>>): string =>
  canonicalAddress(
    Object.entries(said)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${encoded(name)}=${encoded(value)}`]))
      .join('&'),
  )
