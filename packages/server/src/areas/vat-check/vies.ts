import { plainName, plainNotes } from '@backstock/contract/plain-text.ts'
import { compactVatNumber } from '@backstock/contract/vat-territory.ts'
import { z } from 'zod'

/**
 * The REST interface of VIES, the EU's service for checking VAT numbers, as the Commission describes it at
 * ec.europa.eu/taxation_customs/vies: `POST /check-vat-number`. A refusal has the status 200, 400 or 500.
 */
const Answered = z.object({
  countryCode: z.string(),
  vatNumber: z.string(),
  requestDate: z.string().regex(/^\d{4}-\d\d-\d\d/),
  valid: z.boolean(),
  requestIdentifier: z.string().nullish(),
  name: z.string().nullish(),
  address: z.string().nullish(),
})
const Refused = z.object({
  errorWrappers: z.array(z.object({ error: z.string() })).min(1),
})

/** The time that a person waits for the whole answer. */
const PATIENCE_MS = 10_000
/** The largest answer that is read. A usual one has less than a thousand bytes. */
const MAX_BYTES = 64 * 1024

/** `asked_at` is the moment of the answer as VIES names it: a time with its zone, or a day. */
export type ViesAnswer = {
  asked_at: string
  is_valid: boolean
  reference: string | null
  name: string | null
  address: string | null
}
/**
 * `problem` is a sentence for the person who asked. It lies with VIES, unless `with` says that VIES refused the number
 * that was asked about, or the company's.
 */
export type ViesResult = { answer: ViesAnswer } | { problem: string; with?: 'number' | 'company' }

const OVERLOAD = 'VIES has too many requests at the moment. Please try again later.'
const NO_SERVICE = 'VIES is not available at the moment. Please try again later.'
const NOT_OURS =
  'VIES does not accept the company’s own VAT number. Ask an administrator to check it on the company page.'

/** The errors of VIES itself that the Commission names, in words. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['MS_UNAVAILABLE', 'VIES cannot reach the tax office of that state at the moment. Please try again later.'],
  ['MS_MAX_CONCURRENT_REQ', OVERLOAD],
  ['MS_MAX_CONCURRENT_REQ_TIME', OVERLOAD],
  ['GLOBAL_MAX_CONCURRENT_REQ', OVERLOAD],
  ['GLOBAL_MAX_CONCURRENT_REQ_TIME', OVERLOAD],
  ['SERVICE_UNAVAILABLE', NO_SERVICE],
  ['TIMEOUT', NO_SERVICE],
  ['IP_BLOCKED', 'VIES refuses requests from this server.'],
])

/** A VAT number in the two parts that VIES asks for: the letters of its state, and the rest. */
function partsOf(number: string): [state: string, rest: string] {
  const compact = compactVatNumber(number)
  return [compact.slice(0, 2), compact.slice(2)]
}

/**
 * Asks VIES about a VAT number, once. `requester` is the company's own number: with it, VIES gives a reference. The
 * function never throws because of the network or of what the other side sends.
 */
export async function askVies(address: string, number: string, requester: string | null): Promise<ViesResult> {
  const [countryCode, vatNumber] = partsOf(number)
  const [requesterMemberStateCode, requesterNumber] = requester === null ? [] : partsOf(requester)
  const body = JSON.stringify({ countryCode, vatNumber, requesterMemberStateCode, requesterNumber })
  let text: string | null
  try {
    const response = await fetch(`${address}/check-vat-number`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Backstock' },
      body,
      // Another address must not get the numbers, nor may it answer in the Commission's name.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    text = await textOf(response)
  } catch (error) {
    return { problem: `VIES could not be reached: ${reasonOf(error)}. Please try again later.` }
  }
  const answer = text === null ? undefined : jsonOf(text)
  const refused = Refused.safeParse(answer)
  if (refused.success) return refusalOf(refused.data.errorWrappers.map(({ error }) => error))
  const answered = Answered.safeParse(answer)
  const { data } = answered
  if (!data || data.countryCode !== countryCode || compactVatNumber(data.vatNumber) !== vatNumber)
    return { problem: 'VIES gave an answer that Backstock does not understand. Nothing was saved.' }
  return {
    answer: {
      asked_at: data.requestDate,
      is_valid: data.valid,
      reference: told(data.requestIdentifier, 100),
      name: told(data.name, 255),
      address: told(data.address, 500),
    },
  }
}

/** The text of an answer; null if it is too large. */
async function textOf(response: Response): Promise<string | null> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > MAX_BYTES) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text of VIES, or null if it tells nothing. VIES writes '---' for facts that a state does not give. */
function told(text: string | null | undefined, max: number): string | null {
  const cut = (text ?? '').slice(0, max)
  const plain = (max > 255 ? plainNotes : plainName)(cut)
  return plain === '' || /^-+$/.test(plain) ? null : plain
}

function refusalOf(codes: readonly string[]): ViesResult {
  if (codes.includes('INVALID_INPUT'))
    return { problem: 'VIES does not recognise this as a VAT number. Check its spelling.', with: 'number' }
  if (codes.includes('VAT_BLOCKED')) return { problem: 'VIES refuses requests about this number.', with: 'number' }
  if (codes.includes('INVALID_REQUESTER_INFO')) return { problem: NOT_OURS, with: 'company' }
  const known = codes.map((code) => ERRORS.get(code)).find((words) => words !== undefined)
  if (known) return { problem: known }
  const code = codes.find((one) => /^[A-Z_]{1,50}$/.test(one))
  return { problem: `VIES answered with an error${code ? `: ${code}` : ''}. Please try again later.` }
}

/** Why a request failed, in words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'TimeoutError') return `it did not answer within ${PATIENCE_MS / 1000} seconds`
  const cause = error.cause instanceof Error ? error.cause : error
  if (cause.message.includes('redirect')) return 'its address leads elsewhere'
  const code = 'code' in cause ? String(cause.code) : ''
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'its address was not found' : 'the connection failed'
}
