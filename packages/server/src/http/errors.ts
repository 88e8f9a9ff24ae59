import type { ErrorAnswer } from '@backstock/contract/answer.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RetryTransaction } from '../db/connect.ts'
import { single } from '../lists.ts'
import { fieldErrors, inWords } from './field-errors.ts'
import { invalid, NO_SUCH_RECORD, nothingHere, Refusal } from './refusal.ts'
import type { App } from './typed-routes.ts'

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
  429: 'Too many attempts',
  500: 'Error',
  503: 'Not available',
  507: 'No space',
}

/** An area's messages for constraints that refuse a write. `crud` registers them with the app. */
export type ConstraintWords = {
  /** For each unique index, the field and the message under it. */
  unique?: Record<string, { field: string; message: string }>
  /** For each foreign key whose column has another name than its field, the field. */
  foreign?: Record<string, string>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The messages of all registered areas. */
    constraintWords: ConstraintWords[]
  }
}

const columnOf = (detail: string) => /^Key \((\w+)\)=/.exec(detail)?.[1]

type DatabaseError = Error & { code?: string; constraint?: string; detail?: string }

const lost = new RegExp(
  [
    'ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN',
    'Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed',
  ].join('|'),
  'i',
)

function fromDatabase(error: DatabaseError, areas: readonly ConstraintWords[]): Refusal | undefined {
  const { code = '', constraint = '', detail = '' } = error
  if (code === '23505') {
    const words = areas.find(({ unique }) => unique?.[constraint])?.unique?.[constraint]
    return words
      ? new Refusal(422, words.message, { errors: { [words.field]: words.message } })
      : new Refusal(409, 'There is already one like this.')
  }
  if (code === '23503') {
    if (/is still referenced/.test(detail)) return new Refusal(409, 'Other records use this one.')
    const field = areas.find(({ foreign }) => foreign?.[constraint])?.foreign?.[constraint] ?? columnOf(detail)
    if (field) return invalid({ [field]: NO_SUCH_RECORD })
    return new Refusal(422, 'What you chose no longer exists. Choose something else.')
  }
  if (code === '55P03')
    return new Refusal(409, 'Someone else is changing this right now. Please try again in a moment.', { retryAfter: 2 })
  if (code === '53100' || code === 'ENOSPC') return new Refusal(507, 'There is no space left to store this.')
  if (code === '40P01' || code === '40001' || error instanceof RetryTransaction)
    return new Refusal(503, 'Too many changes to the same records at once. Please try again.', { retryAfter: 1 })
  if (code === '57014')
    return new Refusal(503, 'This took too long and was stopped. Please narrow your search.', { retryAfter: 5 })
  // The error of the pool if all its connections were taken for too long.
  if (error.message === 'timeout exceeded when trying to connect')
    return new Refusal(503, 'Too many changes at once. Please try again in a moment.', { retryAfter: 2 })
  // PostgreSQL's error codes: 08… is a lost connection, 53… missing resources, 57P… a shutdown by an administrator.
  // 25006 comes from a replica that was the primary a moment ago.
  if (/^(08|53|57P)/.test(code) || code === '25006' || lost.test(`${code} ${error.message}`))
    return new Refusal(503, 'The database cannot be reached right now. Please try again.', { retryAfter: 2 })
  return undefined
}

function fromValidation(error: FastifyError): Refusal {
  const context = (error as { validationContext?: string }).validationContext
  const issues = (error.validation ?? []).map((entry) => ({
    code: entry.keyword,
    path: entry.instancePath.split('/').filter(Boolean),
    message: entry.message ?? 'Please check this value.',
  })) as z.core.$ZodIssue[]
  if (context === 'body') {
    if (issues.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type'))
      return new Refusal(400, 'The body must be an object with the fields.')
    const errors = fieldErrors(issues)
    const all = Object.values(errors)
    return new Refusal(422, all.length === 1 ? single(all) : 'Please check the marked fields.', { errors })
  }
  if (context === 'params') return nothingHere()
  // If request bodies have the field too, its message may be a whole sentence. Here it becomes a part of a sentence.
  const named = issues.map(({ path, message }) => `${String(path[0] ?? 'query')} ${asPart(inWords(message))}`)
  return new Refusal(400, `${[...new Set(named)].join('; ')}.`)
}

const asPart = (sentence: string) =>
  sentence
    .replace(/^Must/, 'must')
    .replace(/^This field is/, 'is')
    .replace(/\.$/, '')

/**
 * The errors of the parser of forms, which have no code. In one of them, the needle is the form's boundary, which may
 * have at most 256 bytes.
 */
const unreadableForm =
  /unexpected end of multipart data|^Multipart: Boundary not found|^The needle cannot have a length|^Unsupported Content-Type|^Malformed /i

/** The refusal for any error, with the messages of the areas; undefined if the error is a fault of the server. */
export function asRefusal(error: unknown, areas: readonly ConstraintWords[] = []): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error)) return undefined
  if (hasZodFastifySchemaValidationErrors(error)) return fromValidation(error as never)
  if (error instanceof z.ZodError) {
    const errors = fieldErrors(error.issues)
    return new Refusal(422, 'Please check the marked fields.', { errors })
  }
  const status = (error as FastifyError).statusCode
  if (status && status >= 400 && status < 500 && status !== 408) return new Refusal(status, error.message)
  // Node's error for a body whose sender has left. It has the same code as the error of a lost database.
  if (error.message === 'aborted') return new Refusal(499, 'Nobody waits for this any more.')
  if (unreadableForm.test(error.message)) return new Refusal(400, 'This form cannot be read to its end.')
  return fromDatabase(error, areas)
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

/** Answers a request whose address cannot be decoded. Fastify calls this before it looks for a route. */
export function answerMalformed(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply.code(error.statusCode ?? 400).send(failure(new Refusal(error.statusCode ?? 400, error.message)))
}

/** Answers every error, whether the server or the caller has made it. */
export function answerErrors(app: App): void {
  app.decorate('constraintWords', [])
  app.setErrorHandler(async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asRefusal(error, app.constraintWords)
    if (refusal) {
      // A duplicate for which no area has a message may be a fault of the server, such as a number that it gave twice.
      const isUnforeseen = refusal.status === 409 && (error as DatabaseError).code === '23505'
      if (refusal.status >= 500 || isUnforeseen) request.log.error({ err: error }, 'refused')
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
