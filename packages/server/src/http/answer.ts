import type { WriteAnswer } from '@backstock/contract/answer.ts'

/** The answer to a write that succeeded. `message` is the text of the toast. */
export function done<Data>(message: string, data: Data, title = 'Success'): WriteAnswer<Data> {
  return { success: true, type: 'success', title, message, data }
}

/** The answer to a write that succeeded, with something that the person should know. */
export function warned<Data>(message: string, data: Data, title = 'Please note'): WriteAnswer<Data> {
  return { success: true, type: 'warning', title, message, data }
}

/** The answer to a write that succeeded. If there are warnings, they follow the message, and the toast is a warning. */
export function doneOrWarned<Data>(message: string, warnings: readonly string[], data: Data): WriteAnswer<Data> {
  return warnings.length ? warned([message, ...warnings].join(' '), data) : done(message, data)
}

/** The start of each answer to a GET. */
export const SUCCESS = { success: true } as const
