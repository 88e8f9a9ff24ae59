import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { z } from 'zod'

/**
 * Zod's issues as messages by field. A nested field has dots in its name. If a field has several issues, only the first
 * one counts.
 */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const { path, message } of issues) errors[path.join('.') || 'general'] ??= inWords(message)
  return errors
}

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
}

const quoted = (value: string) => `'${value}'`

/** The message of an issue in plain words, if it is one of Zod's own. The contract writes its messages itself. */
export function inWords(message: string): string {
  if (message.endsWith('received undefined')) return 'This field is required.'
  const [, kind = ''] = /^Invalid input: expected (\w+)/.exec(message) ?? []
  if (kind) return KINDS[kind] ? `Must be ${KINDS[kind]}.` : 'Please check this value.'
  const [, options = ''] = /^Invalid option: expected one of (.+)$/.exec(message) ?? []
  if (options) return `Must be one of ${options.slice(1, -1).split('"|"').map(quoted).join(', ')}.`
  const [, unknown = ''] = /^Unrecognized keys?: "(.+?)"/s.exec(message) ?? []
  if (unknown) return `There is no field ${quoted(unknown)}.`
  const [, least = ''] = /^Too small: expected number to be >=(-?\d+)$/.exec(message) ?? []
  if (least) return `Must be at least ${least}.`
  return message === 'Invalid input' ? 'Please check this value.' : message
}
