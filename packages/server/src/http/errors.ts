import type { ErrorAnswer, FieldErrors } from '@backstock/contract/answer.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RetryTransaction } from '../db/connect.ts'
import { nothingHere, Refusal } from './refusal.ts'

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not logged in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not allowed',
  409: 'Conflict',
  412: 'Out of date',
  413: 'Too large',
  415: 'Wrong type',
  422: 'Please check your input',
  429: 'Too many tries',
  500: 'Error',
  503: 'Not available',
  507: 'No space',
}

/** Unique constraints as messages under their fields. */
const unique: Record<string, { field: string; message: string }> = {
  make_name: { field: 'name', message: 'There is already a make with this name.' },
  colour_name: { field: 'name', message: 'There is already a colour with this name.' },
  category_name: { field: 'name', message: 'There is already a category with this name.' },
  vat_name: { field: 'name', message: 'There is already a VAT rate with this name.' },
  app_user_email: { field: 'email', message: 'There is already a user with this email.' },
  product_identity: {
    field: 'model',
    message: 'There is already a product with this make, model, capacity and colour.',
  },
  stock_identifier_imei: { field: 'imei', message: 'Another item in hand has this IMEI.' },
  stock_identifier_other: {
    field: 'serial_number',
    message: 'Another item in hand has this serial number or Backstock ID.',
  },
}

/** Foreign keys as messages under their fields: what was chosen is not there (any more). */
function foreignField(detail: string | undefined): string | undefined {
  const column = /^Key \((\w+)\)=/.exec(detail ?? '')?.[1]
  return column === 'vat_id' ? 'vat_type_id' : column
}

type DatabaseError = Error & { code?: string; constraint?: string; detail?: string; table?: string }

const lost =
  /ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed/i

function fromDatabase(error: DatabaseError): Refusal | undefined {
  const code = error.code ?? ''
  if (code === '23505' && error.constraint && unique[error.constraint]) {
    const { field, message } = unique[error.constraint]!
    return new Refusal(422, message, { errors: { [field]: message } })
  }
  if (code === '23503') {
    const field = foreignField(error.detail)
    return /is still referenced/.test(error.detail ?? '')
      ? new Refusal(409, 'Other records use this one.')
      : new Refusal(
          422,
          'What was chosen does not exist any more.',
          field ? { errors: { [field]: 'Does not exist.' } } : {},
        )
  }
  if (code === '55P03')
    return new Refusal(409, 'Someone else is changing this right now. Please try again in a moment.', { retryAfter: 2 })
  if (code === '53100' || code === 'ENOSPC') return new Refusal(507, 'There is no space left to store this.')
  if (code === '40P01' || code === '40001' || error instanceof RetryTransaction)
    return new Refusal(503, 'Too many changes to the same records at once. Please try again.', { retryAfter: 1 })
  if (code === '57014')
    return new Refusal(503, 'This took too long and was stopped. Please narrow it down.', { retryAfter: 5 })
  // What the pool says where others had all of its connections.
  if (error.message === 'timeout exceeded when trying to connect')
    return new Refusal(503, 'Too many changes at once. Please try again in a moment.', { retryAfter: 2 })
  // 08 connection, 53 resources, 57P admin shutdown, 25006 a replica that was the primary a moment ago
  if (/^(08|53|57P)/.test(code) || code === '25006' || lost.test(`${code} ${error.message}`))
    return new Refusal(503, 'The database cannot be reached right now. Please try again.', { retryAfter: 2 })
  return undefined
}

/** Zod's issues as field messages: nested fields dotted, the first message of each field. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    const field = issue.path.join('.') || 'general'
    const required = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
    errors[field] ??= required ? 'This field is required.' : issue.message
  }
  return errors
}

function fromValidation(error: FastifyError): Refusal {
  const context = (error as { validationContext?: string }).validationContext
  const issues = (error.validation ?? []).map((entry) => ({
    code: entry.keyword,
    path: entry.instancePath.split('/').filter(Boolean),
    message: entry.message ?? 'Is not valid.',
  })) as z.core.$ZodIssue[]
  if (context === 'body') {
    if (issues.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type'))
      return new Refusal(400, 'The body must be an object with the fields.')
    const errors = fieldErrors(issues)
    const all = Object.values(errors)
    return new Refusal(422, all.length === 1 ? all[0]! : 'Please check the marked fields.', { errors })
  }
  if (context === 'params') return nothingHere()
  const named = issues.map((issue) => `${String(issue.path[0] ?? 'query')} ${issue.message}`)
  return new Refusal(400, `${[...new Set(named)].join('; ')}.`)
}

/** What the parser of forms throws, without a code. */
const unreadableForm =
  /unexpected end of multipart data|^Multipart: Boundary not found|^Unsupported Content-Type|^Malformed /i

/** The refusal that any failure amounts to; undefined where it is a fault of ours. */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error)) return undefined
  if (hasZodFastifySchemaValidationErrors(error)) return fromValidation(error as never)
  if (error instanceof z.ZodError) {
    const errors = fieldErrors(error.issues)
    return new Refusal(422, 'Please check the marked fields.', { errors })
  }
  const status = (error as FastifyError).statusCode
  if (status && status >= 400 && status < 500 && status !== 408) return new Refusal(status, error.message)
  if (unreadableForm.test(error.message)) return new Refusal(400, 'This form cannot be read to its end.')
  return fromDatabase(error)
}

/** The body of a failure. */
export function failure(refusal: Refusal): ErrorAnswer {
  return {
    success: false,
    type: 'error',
    title: titles[refusal.status] ?? 'Error',
    message: refusal.message,
    error: refusal.message,
    data:
      refusal.errors || refusal.data ? { ...refusal.data, ...(refusal.errors && { errors: refusal.errors }) } : null,
  }
}

/** An address that cannot be decoded: no route has been looked for. */
export function answerMalformed(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply.code(error.statusCode ?? 400).send(failure(new Refusal(error.statusCode ?? 400, error.message)))
}

/** Every failure, ours or the caller's, leaves through here. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asRefusal(error)
    if (refusal) {
      if (refusal.status >= 500) request.log.error({ err: error }, 'refused')
      if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
      return reply.code(refusal.status).send(failure(refusal))
    }
    request.log.error({ err: error }, 'unexpected')
    const answer = failure(
      new Refusal(500, `Something went wrong on our side. Please quote ${request.id} when you report it.`),
    )
    return reply.code(500).send({ ...answer, request_id: request.id })
  })
  app.setNotFoundHandler(async () => {
    throw nothingHere()
  })
}
