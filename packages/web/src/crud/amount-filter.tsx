import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { MoneyInput } from '../ui/fields/money-input.tsx'

const DEBOUNCE_MS = 400

type Props = { label: string; chosen: string | null; onChange: (hundredths: string | null) => void }

/** One end of a range of prices. It waits for a pause in typing. Text that is no price does not change the filter. */
export function AmountFilter({ label, chosen, onChange }: Props) {
  const value = chosen === null ? null : Number(chosen)
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const [asked, setAsked] = useState(value)
  const ask = useDebouncedCallback(
    (amount: number | null) => {
      setAsked(amount)
      onChange(amount === null ? null : String(amount))
    },
    { delay: DEBOUNCE_MS, flushOnUnmount: true },
  )
  // The address has this field's value a moment later, and the person may have typed more since. So the text changes
  // only if `value` differs from the value that this field asked for last.
  if (known !== value) {
    setKnown(value)
    setAsked(value)
    if (asked !== value) setTyped(value)
  }
  return (
    <MoneyInput
      label={label}
      placeholder="Any"
      value={typed}
      onChange={(amount, bad) => {
        setTyped(amount)
        if (bad) ask.cancel()
        else ask(amount)
      }}
    />
  )
}
