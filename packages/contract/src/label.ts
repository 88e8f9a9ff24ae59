import { z } from 'zod'
import { Id, itemIds } from './fields.ts'
import { codesOn, DPIS, LABEL_CODES, labelsOn, OWN_PAPER, OWN_SIZE, PAPERS, paperOf } from './label-paper.ts'
import { LABEL_FIELDS, LABEL_HOLDS } from './label-text.ts'
import { MAX_ITEMS } from './stock-status.ts'

const numeric = (value: unknown) =>
  typeof value === 'string' && /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : value

const oneOf = <const W extends readonly [string, ...string[]]>(words: W) =>
  z.enum(words, { error: `Must be one of ${words.join(', ')}.` })

/** A length on paper, in mm. */
const length = ({ min, max }: { min: number; max: number }) =>
  z
    .preprocess(
      numeric,
      z.number({ error: 'Must be a number of mm.' }).min(min, `At least ${min} mm.`).max(max, `At most ${max} mm.`),
    )
    .optional()

const dpi = z.preprocess(numeric, z.literal(DPIS, { error: `Must be one of ${DPIS.join(', ')}.` })).optional()

/**
 * The labels to print: one for each id in `items`, in their order, or one for each item that an import made or changed.
 * An id that appears twice gets two labels. `width` and `height` are the label's size if the paper is `own`. `first` is
 * the first free label of a sheet, counted from 1 row by row. `dpi` is the printer's resolution; if it is left out, the
 * paper's usual one.
 */
export const LabelsInput = z
  .object({
    items: itemIds(`At most ${MAX_ITEMS} labels at once.`).optional(),
    import_id: Id.optional(),
    paper: oneOf(PAPERS),
    width: length(OWN_SIZE.width),
    height: length(OWN_SIZE.height),
    code: oneOf(LABEL_CODES),
    holds: oneOf(LABEL_HOLDS).default('identifier'),
    fields: z
      .array(oneOf(LABEL_FIELDS), { error: 'Must be a list of fields.' })
      .max(LABEL_FIELDS.length, `At most ${LABEL_FIELDS.length} fields.`),
    first: z.preprocess(numeric, z.int({ error: 'Must be a whole number.' }).min(1, 'Must be 1 or more.')).default(1),
    dpi,
  })
  .superRefine((input, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (input.import_id === undefined && !input.items?.length) wrong('items', 'This field is required.')
    if (input.import_id !== undefined && input.items) wrong('import_id', 'Name items or an import, not both.')
    const isOwn = input.paper === OWN_PAPER
    for (const side of ['width', 'height'] as const)
      if (isOwn && input[side] === undefined) wrong(side, 'This field is required.')
    if (isOwn && (input.width === undefined || input.height === undefined)) return
    const paper = paperOf(input.paper, { width: input.width!, height: input.height! })
    const codes = codesOn(paper.label.width)
    if (!codes.includes(input.code)) wrong('code', 'A label narrower than 45 mm has room only for a DataMatrix.')
    if (input.first > labelsOn(paper)) wrong('first', `This paper has ${labelsOn(paper)} on a page.`)
  })
export type LabelsInput = z.infer<typeof LabelsInput>
/** The body that the screens send. */
export type LabelsBody = z.input<typeof LabelsInput>
