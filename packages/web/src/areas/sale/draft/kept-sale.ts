import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'react'
import { find } from '../../../api/reads.ts'
import { continuedDraft, hasSameItems } from '../../../ui/feedback/draft-store.ts'
import { useChosenDraft } from '../../../ui/feedback/kept-draft.ts'
import { type KeptFormProps, useKeptForm } from '../../../ui/feedback/kept-form.ts'
import { type DraftCustomer, NO_CUSTOMER } from './customer.tsx'
import type { SaleSource } from './items-source.ts'
import { changeDraft, EMPTY_DRAFT, type KeptLines, keptLines } from './lines.ts'
import { DEFAULT_OPTIONS, type DraftOptions } from './options.tsx'

/** The parts of a new sale that the browser keeps as a draft. */
type KeptSale = {
  items: number[]
  batch: number | null
  lines: KeptLines
  customer: DraftCustomer
  options: DraftOptions
}

/** A kept draft for this list of items. If it was another list, the removed lines come back. */
function forItems(kept: KeptSale, ids: readonly number[]): KeptSale {
  const removed = hasSameItems(kept.items, ids) ? kept.lines.removed : []
  return { ...kept, lines: { ...kept.lines, removed } }
}

/** The kept draft of this sale, and its name. A sale of other items, or from another batch, has a draft of its own. */
function useFoundSale({ items, fromBatch }: SaleSource) {
  const ids = items.map(({ id }) => id)
  const { name, draft } = useChosenDraft<KeptSale>('sale', (drafts) => {
    const ofBatch = drafts.filter((kept) => kept.draft.batch === fromBatch)
    return continuedDraft(ofBatch, (kept) => kept.items, ids)
  })
  const [found] = useState(() => draft && forItems(draft, ids))
  return { name, found }
}

export type SaleDraft = ReturnType<typeof useKeptSale>

/**
 * The lines, customer and options of a new sale. The browser keeps them from the first change on: call `touch` with it,
 * and `finish` when the sale is made.
 */
export function useKeptSale(source: SaleSource, { onKept, onDiscard }: KeptFormProps) {
  const { items, fromBatch } = source
  const { name, found } = useFoundSale(source)
  const [draft, change] = useReducer(changeDraft, EMPTY_DRAFT, (empty) => {
    const begun = changeDraft(empty, { type: 'items', items })
    return found ? changeDraft(begun, { type: 'restore', kept: found.lines }) : begun
  })
  const [customer, setCustomer] = useState<DraftCustomer>({ ...NO_CUSTOMER, ...found?.customer })
  const [options, setOptions] = useState<DraftOptions>({ ...DEFAULT_OPTIONS, ...found?.options })
  const [touched, setTouched] = useState(found !== null)
  // If the shop has no customers yet, the form starts with a new one.
  const { data: known } = useQuery(find('customer', { per_page: 1 }))
  useEffect(() => {
    if (known?.total === 0) setCustomer((now) => ({ ...now, isNew: true }))
  }, [known])
  const kept = useMemo<KeptSale | null>(() => {
    if (!touched) return null
    return {
      items: items.map(({ id }) => id),
      batch: fromBatch,
      lines: keptLines(draft, found?.lines.prices),
      customer,
      options,
    }
  }, [touched, items, fromBatch, draft, found, customer, options])
  const finish = useKeptForm(name, kept, { isFound: found !== null, onKept, onDiscard })
  useLayoutEffect(() => change({ type: 'items', items }), [items])
  return { draft, change, customer, setCustomer, options, setOptions, touch: () => setTouched(true), finish }
}
