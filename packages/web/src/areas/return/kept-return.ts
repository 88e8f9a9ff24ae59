import { useState } from 'react'
import { continuedDraft } from '../../ui/feedback/draft-store.ts'
import { useChosenDraft } from '../../ui/feedback/kept-draft.ts'
import type { WrongPrice } from '../../ui/table/editable-cell.tsx'
import { linesOf } from '../quick-order/look-up.ts'
import type { Choice } from './choices.tsx'

/** The parts of a new return that the browser keeps as a draft. */
export type KeptReturn = {
  text: string
  note: string
  email: boolean
  buyer: number | null
  choices: [number, Partial<Choice>][]
  /** Credits that could not be stored. Version 1.0.0 did not keep them. */
  wrong?: [number, WrongPrice][]
  left: number[]
}

/**
 * The draft that a new return begins with, and its name. Lines that another screen has handed over continue the draft
 * that has them already, or else begin a new return. Without such lines, it is the newest draft. `isAfresh` begins an
 * empty return.
 */
export function useFoundReturn(given: readonly string[], isAfresh: boolean) {
  const text = given.join('\n')
  const { name, draft } = useChosenDraft<KeptReturn>('return', (drafts) => {
    if (isAfresh) return undefined
    if (text === '') return drafts.at(0)
    return continuedDraft(drafts, (kept) => linesOf(kept.text), linesOf(text))
  })
  const [found] = useState(() => draft && (text === '' ? draft : withText(draft, text)))
  return { name, found }
}

/** The draft with this text instead of its own. If they differ, items that were left out count again. */
const withText = (draft: KeptReturn, text: string): KeptReturn => ({
  ...draft,
  text,
  left: text === draft.text ? draft.left : [],
})
