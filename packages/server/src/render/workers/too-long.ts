import { Refusal } from '../../http/refusal.ts'
import { WorkTimeout } from './thread.ts'

/** The result of a thread for which somebody waits. Throws 503 if the work took too much time or memory. */
export async function orTooLong<Output>(made: Promise<Output>): Promise<Output> {
  try {
    return await made
  } catch (error) {
    const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (error instanceof WorkTimeout || isOutOfMemory)
      throw new Refusal(503, 'This took too long and was stopped. Please take fewer at once.', { retryAfter: 10 })
    throw error
  }
}
