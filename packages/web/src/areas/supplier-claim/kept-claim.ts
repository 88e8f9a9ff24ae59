import type { Hundredths } from '@backstock/contract/money.ts'
import type { SupplierClaim } from '@backstock/contract/supplier-claim.ts'
import { useMemo, useState } from 'react'
import { useKeptAtEnd } from '../../ui/feedback/kept-at-end.ts'
import { useFoundDraft } from '../../ui/feedback/kept-draft.ts'
import { useLeaveGuard } from '../../ui/feedback/leave-guard.ts'
import type { WrongPrice } from '../../ui/table/editable-cell.tsx'
import { useWrongPrices } from '../../ui/table/wrong-prices.ts'
import type { Credits } from './claim-items.tsx'

/** The parts of a claim that the browser keeps if the session ends. They belong to the state that the claim had. */
type KeptClaim = {
  state: SupplierClaim['state']
  credits: [number, Hundredths][]
  wrong: [number, WrongPrice][]
  checked: number[]
  pasted: string
}

/** The draft that this person left in this claim, without items that the claim no longer has. */
function useFoundClaim(name: string, { state, items }: SupplierClaim): KeptClaim | null {
  const found = useFoundDraft<KeptClaim>(name)
  const [left] = useState(() => {
    if (found?.state !== state) return null
    const there = new Set(items.map(({ id }) => id))
    const isThere = ([id]: readonly [number, unknown]) => there.has(id)
    return { ...found, credits: found.credits.filter(isThere), wrong: found.wrong.filter(isThere) }
  })
  return left
}

/** The credits, ticks and pasted lines of a claim. Asks before the person leaves, unless the browser keeps the draft. */
export function useKeptClaim(claim: SupplierClaim) {
  const { state } = claim
  const name = `supplier-claim ${claim.id}`
  const found = useFoundClaim(name, claim)
  const [checked, setChecked] = useState<ReadonlySet<number>>(() => new Set(found?.checked))
  const [credits, setCredits] = useState<Credits>(() => new Map(found?.credits))
  const { wrong, keeper: prices, forget } = useWrongPrices(found?.wrong)
  const [pasted, setPasted] = useState(found?.pasted ?? '')
  const isTyped = credits.size > 0 || wrong.size > 0 || pasted.trim() !== ''
  const draft = useMemo<KeptClaim | null>(
    () => (isTyped ? { state, credits: [...credits], wrong: [...wrong], checked: [...checked], pasted } : null),
    [isTyped, state, credits, wrong, checked, pasted],
  )
  const { isKept, drop, discard } = useKeptAtEnd(name, draft, found !== null)
  useLeaveGuard(isTyped && !isKept)
  const settled = () => {
    drop()
    setChecked(new Set())
    setCredits(new Map())
    forget()
  }
  return { checked, setChecked, credits, setCredits, wrong, prices, pasted, setPasted, isKept, discard, settled }
}
