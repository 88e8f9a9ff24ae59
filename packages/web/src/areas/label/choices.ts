import {
  codesOn,
  DPIS,
  type Dpi,
  LABEL_CODES,
  type LabelCode,
  labelsOn,
  OWN_PAPER,
  OWN_SIZE,
  PAPERS,
  type Paper,
  type PaperName,
  paperOf,
} from '@backstock/contract/label-paper.ts'
import { LABEL_FIELDS, LABEL_HOLDS, type LabelField, type LabelHolds } from '@backstock/contract/label-text.ts'

/**
 * The choices for printing labels. Lengths are texts as typed, in mm. `dpi` is null for the usual printer of the paper.
 */
export type Choices = {
  paper: PaperName
  width: string
  height: string
  code: LabelCode
  holds: LabelHolds
  fields: readonly LabelField[]
  first: number
  dpi: Dpi | null
}

const USUAL: Choices = {
  paper: 'a4-3x8',
  width: '50',
  height: '30',
  code: 'code128',
  holds: 'identifier',
  fields: ['product', 'identifier', 'grade', 'backstock_id'],
  first: 1,
  dpi: null,
}

const key = (userId: number) => `labels:${userId}`

/** The last choices of this person in this browser. A part that cannot be read gets its usual value. */
export function readChoices(userId: number): Choices {
  let kept: Partial<Record<keyof Choices, unknown>> = {}
  try {
    kept = JSON.parse(localStorage.getItem(key(userId)) ?? '{}') ?? {}
  } catch {
    // The entry is not JSON, so this application did not write it. The usual values take its place.
  }
  const one = <Value>(values: readonly Value[], value: unknown, usual: Value) =>
    values.includes(value as Value) ? (value as Value) : usual
  const { fields, first } = kept
  return {
    paper: one(PAPERS, kept.paper, USUAL.paper),
    width: typeof kept.width === 'string' ? kept.width : USUAL.width,
    height: typeof kept.height === 'string' ? kept.height : USUAL.height,
    code: one(LABEL_CODES, kept.code, USUAL.code),
    holds: one(LABEL_HOLDS, kept.holds, USUAL.holds),
    fields: Array.isArray(fields) ? LABEL_FIELDS.filter((field) => fields.includes(field)) : USUAL.fields,
    first: Number.isInteger(first) && (first as number) > 0 ? (first as number) : USUAL.first,
    dpi: one(DPIS, kept.dpi, USUAL.dpi as Dpi),
  }
}

export function keepChoices(userId: number, choices: Choices): void {
  localStorage.setItem(key(userId), JSON.stringify(choices))
}

/** Reads a typed length in mm; null if it is no length, too short or too long. */
export function lengthOf(text: string, { min, max }: { min: number; max: number }): number | null {
  const typed = text.trim().replace(',', '.')
  const length = /^\d{1,3}(\.\d{1,3})?$/.test(typed) ? Number(typed) : Number.NaN
  return length >= min && length <= max ? length : null
}

/** The choices in a form that can be printed. `paper` is null if its typed size is not valid. */
export function settled(choices: Choices) {
  const width = lengthOf(choices.width, OWN_SIZE.width)
  const height = lengthOf(choices.height, OWN_SIZE.height)
  const isOwn = choices.paper === OWN_PAPER
  const paper: Paper | null =
    isOwn && (width === null || height === null)
      ? null
      : paperOf(choices.paper, { width: width ?? 0, height: height ?? 0 })
  const codes = codesOn(paper?.label.width ?? OWN_SIZE.width.max)
  return {
    paper,
    width,
    height,
    codes,
    code: codes.includes(choices.code) ? choices.code : codes[0],
    dpi: choices.dpi ?? paper?.dpi ?? DPIS[0],
    first: Math.min(choices.first, paper ? labelsOn(paper) : 1),
  }
}
