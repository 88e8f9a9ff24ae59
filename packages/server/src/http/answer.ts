import type { WriteAnswer } from '@backstock/contract/answer.ts'

/** A write that went well: `message` is the text of its toast. */
export function done<Data>(message: string, data: Data, title = 'Success'): WriteAnswer<Data> {
  return { success: true, type: 'success', title, message, data }
}

/** A write that went through with something the person should know. */
export function warned<Data>(message: string, data: Data, title = 'Please note'): WriteAnswer<Data> {
  return { success: true, type: 'warning', title, message, data }
}

/** The answer of a GET begins with it. */
export const SUCCESS = { success: true } as const
