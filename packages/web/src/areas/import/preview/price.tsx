import { CURRENCY, parseCurrencyUnits } from '@backstock/contract/money.ts'
import { whyNoPrice } from '@backstock/contract/why-no-price.ts'
import { useEffect, useRef, useState } from 'react'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { FieldProps } from './rate.tsx'

/**
 * The field for the purchase price of rows without one. `onChange` is called when the field is left, or at Enter. A text
 * that is no price makes the field invalid in the browser's own sense, and stops the import.
 */
export function PriceField({ value, onChange, ...props }: FieldProps & { id: string }) {
  const [typed, setTyped] = useState(value ?? '')
  const [isWrong, setIsWrong] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(isWrong ? whyNoPrice(typed) : ''), [isWrong, typed])
  const take = () => {
    const text = typed.trim()
    const price = parseCurrencyUnits(text)
    setIsWrong(text !== '' && price === null)
    const was = value === null ? null : parseCurrencyUnits(value)
    if ((text === '' || price !== null) && price !== was) onChange(text === '' ? null : text)
  }
  return (
    <TextField
      description={`In ${CURRENCY}, for new items without a price in their row.`}
      {...props}
      ref={input}
      error={isWrong && whyNoPrice(typed)}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setIsWrong(false)
      }}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}
