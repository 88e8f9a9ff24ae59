import { ApiError } from './error.ts'
import { showToast } from './toast.ts'

/** Shows why a silent call has failed, and returns null. For `catch`. A toast replaces an older one about its subject. */
export function tellFailure(error: unknown, about: string | null = null): null {
  if (!(error instanceof ApiError)) throw error
  // A 401 leads to the login.
  if (error.status !== 401) showToast({ type: 'error', message: error.message, about })
  return null
}
