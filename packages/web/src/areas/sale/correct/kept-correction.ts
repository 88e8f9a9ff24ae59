import type { Sale } from '@backstock/contract/sale.ts'
import { useLayoutEffect, useMemo, useReducer, useState } from 'react'
import { useFoundDraft } from '../../../ui/feedback/kept-draft.ts'
import { type KeptFormProps, useKeptForm } from '../../../ui/feedback/kept-form.ts'
import { openItems } from '../sale-papers.ts'
import { correctionDraft } from '../unfinished-correction.tsx'
import { changeLines, type KeptCorrection, keptCorrection } from './lines.ts'

type Correcting = KeptFormProps & { sale: Sale; takesOver: boolean }

export type SaleCorrection = ReturnType<typeof useKeptCorrection>

/**
 * The new lines of a sale, and the choices beside them. The browser keeps them from the first change on; `finish` ends
 * that when the sale is corrected.
 */
export function useKeptCorrection({ sale, takesOver, onKept, onDiscard }: Correcting) {
  const items = useMemo(() => openItems(sale), [sale])
  const name = correctionDraft(sale.id)
  const found = useFoundDraft<KeptCorrection>(name)
  const [lines, change] = useReducer(changeLines, [], (none) => {
    const begun = changeLines(none, { type: 'items', items })
    return found ? changeLines(begun, { type: 'restore', kept: found.lines }) : begun
  })
  const [isTakenOver, setTakenOver] = useState(takesOver || (found?.isTakenOver ?? false))
  const [sendEmail, setSendEmail] = useState(found?.sendEmail ?? false)
  const [touched, setTouched] = useState(found !== null)
  const kept = useMemo<KeptCorrection | null>(
    () => (touched ? { lines: keptCorrection(lines), isTakenOver, sendEmail } : null),
    [touched, lines, isTakenOver, sendEmail],
  )
  const finish = useKeptForm(name, kept, { isFound: found !== null, onKept, onDiscard })
  useLayoutEffect(() => change({ type: 'items', items }), [items])
  return { lines, change, isTakenOver, setTakenOver, sendEmail, setSendEmail, setTouched, finish }
}
