import type { CustomerReturn } from '@backstock/contract/customer-return.ts'
import { useMemo, useState } from 'react'
import { useKeptAtEnd } from '../../ui/feedback/kept-at-end.ts'
import { useFoundDraft } from '../../ui/feedback/kept-draft.ts'
import { useLeaveGuard } from '../../ui/feedback/leave-guard.ts'
import type { WrongPrice } from '../../ui/table/editable-cell.tsx'
import { useWrongPrices } from '../../ui/table/wrong-prices.ts'
import type { Choice, Choices } from './choices.tsx'

/** The parts of an announced return that the browser keeps if the session ends. */
type KeptChoices = {
  choices: [number, Partial<Choice>][]
  wrong: [number, WrongPrice][]
  left: number[]
  email: boolean
}

/** The draft that this person left in this return, without items that have come back since. Null if nothing is left. */
function useFoundChoices(name: string, { state, items }: CustomerReturn): KeptChoices | null {
  const found = useFoundDraft<KeptChoices>(name)
  const [left] = useState(() => {
    const isOpen = state === 'announced' || state === 'received'
    if (!found || !isOpen) return null
    const awaited = new Set(items.filter(({ received_at }) => received_at === null).map(({ id }) => id))
    const isAwaited = ([id]: readonly [number, unknown]) => awaited.has(id)
    const [choices, wrong] = [found.choices.filter(isAwaited), found.wrong.filter(isAwaited)]
    return choices.length + wrong.length > 0 ? { ...found, choices, wrong } : null
  })
  return left
}

/** The choices for the awaited items of a return. Asks before the person leaves, unless the browser keeps the draft. */
export function useKeptChoices(row: CustomerReturn) {
  const name = `announced-return ${row.id}`
  const found = useFoundChoices(name, row)
  const [choices, setChoices] = useState<Choices>(() => new Map(found?.choices))
  const { wrong, keeper: prices, forget } = useWrongPrices(found?.wrong)
  const [left, setLeft] = useState<ReadonlySet<number>>(() => new Set(found?.left))
  const [email, setEmail] = useState(found?.email ?? true)
  const isTyped = choices.size > 0 || wrong.size > 0
  const draft = useMemo<KeptChoices | null>(
    () => (isTyped ? { choices: [...choices], wrong: [...wrong], left: [...left], email } : null),
    [isTyped, choices, wrong, left, email],
  )
  const { isKept, drop, discard } = useKeptAtEnd(name, draft, found !== null)
  useLeaveGuard(isTyped && !isKept)
  const received = () => {
    drop()
    setChoices(new Map())
    setLeft(new Set())
    forget()
  }
  return { choices, setChoices, wrong, prices, left, setLeft, email, setEmail, isKept, discard, received }
}
