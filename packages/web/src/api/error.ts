import type { FieldErrors } from '@backstock/contract/answer.ts'

/**
 * The error that every failed call throws. `status` is 0 if the server could not be reached. `errors` holds the
 * messages for fields (422 and some 409). `retryAfter` is in seconds. `requestId` finds the request in the server's
 * log.
 */
export class ApiError extends Error {
  readonly status: number
  readonly errors: FieldErrors
  readonly retryAfter: number | null
  readonly requestId: string | null
  readonly body: unknown

  constructor(
    status: number,
    message: string,
    details: {
      errors?: FieldErrors | undefined
      retryAfter?: number | null
      requestId?: string | null
      body?: unknown
    } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = details.errors ?? {}
    this.retryAfter = details.retryAfter ?? null
    this.requestId = details.requestId ?? null
    this.body = details.body
  }

  /** True if the server cannot be reached or its database is away: the same call may succeed in a moment. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 503
  }
}

/** The sentence that a person reads about any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.'
}
