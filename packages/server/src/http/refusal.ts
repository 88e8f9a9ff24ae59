import type { FieldErrors } from '@backstock/contract/answer.ts'
import { single } from '../lists.ts'

/** The error with which every rule refuses a request. It ends the transaction and becomes the answer. */
export class Refusal extends Error {
  status: number
  errors: FieldErrors | undefined
  data: Record<string, unknown> | undefined
  retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    more: { errors?: FieldErrors; data?: Record<string, unknown>; retryAfter?: number } = {},
  ) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.data = more.data
    this.retryAfter = more.retryAfter
  }
}

/** The message under a field that refers to a record which nobody has made, or which somebody has deleted. */
export const NO_SUCH_RECORD = 'This record does not exist. Choose another.'

/** A 422 with a message for each field. */
export function invalid(errors: FieldErrors): Refusal {
  const messages = Object.values(errors)
  return new Refusal(422, messages.length === 1 ? single(messages) : 'Please check the marked fields.', { errors })
}

/** A 404 for a record that does not exist. `what` is its name at the start of a sentence: `Sale #7`. */
export function missing(what: string): Refusal {
  return new Refusal(404, `${what} does not exist.`)
}

/** A 404 for an address without a route, or for an id that the route does not know. */
export const nothingHere = () => new Refusal(404, 'There is nothing at this address.')

/** A 409: the record's state does not allow the request. */
export function conflict(message: string, errors?: FieldErrors): Refusal {
  return new Refusal(409, message, errors ? { errors } : {})
}

/** A 403: the person may not do this. */
export function forbidden(message = 'You do not have permission to do this.'): Refusal {
  return new Refusal(403, message)
}
