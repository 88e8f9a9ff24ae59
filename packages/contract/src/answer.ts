import { z } from 'zod'

const ANSWER_TYPES = ['success', 'error', 'warning', 'info'] as const

/** The answer to every write. `type` is the kind of the toast that shows `title` and `message`. */
export const writeAnswer = <Data extends z.ZodType>(data: Data) =>
  z.object({
    success: z.boolean(),
    type: z.enum(ANSWER_TYPES),
    message: z.string(),
    title: z.string(),
    data,
  })

export type WriteAnswer<Data> = {
  success: boolean
  type: (typeof ANSWER_TYPES)[number]
  message: string
  title: string
  data: Data
}

/** The message under each field that is wrong, by the field's name. The name of a nested field has dots. */
export type FieldErrors = Record<string, string>

/** The body of every failure. `error` repeats `message` as a plain string. */
export const ErrorAnswer = z.object({
  success: z.literal(false),
  type: z.literal('error'),
  title: z.string(),
  message: z.string(),
  error: z.string(),
  request_id: z.string().optional(),
  csrf_token: z.string().optional(),
  data: z
    .looseObject({ errors: z.record(z.string(), z.string()).optional() })
    .nullable()
    .optional(),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>

export const Done = writeAnswer(z.unknown())
