import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { z } from 'zod'

/**
 * Zod's issues as messages by field. A nested field has dots in its name. If a field has several issues, only the first
 * one counts.
 */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    const field = issue.path.join('.') || 'general'
    const required = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
    errors[field] ??= required ? 'This field is required.' : issue.message
  }
  return errors
}
