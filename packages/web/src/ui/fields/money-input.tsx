import { CURRENCY, type Hundredths, MAX_PRICE, parseCurrencyUnits, toCurrencyUnits } from '@backstock/contract/money.ts'
import { whyNoPrice } from '@backstock/contract/why-no-price.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import classes from './money-input.module.css'
import { onceLeft } from './once-left.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

function readUpTo(max: Hundredths, text: string): Hundredths | null {
  const amount = parseCurrencyUnits(text)
  return amount === null || amount > max ? null : amount
}

const RIGHT = { textAlign: 'right' } as const

type Props = Omit<TextFieldProps, 'value' | 'onChange'> & {
  value?: Hundredths | null
  /**
   * The text that the field shows if `value` is null: text that is no price. A caller that mounts the field again
   * passes it back.
   */
  wrong?: string | null
  /** `bad` is true if the text is no price; `value` is null then. */
  onChange: (value: Hundredths | null, bad: boolean, text: string) => void
  /** The highest amount. If left out, it is the highest price of an item. */
  max?: Hundredths
  currency?: string
}

/**
 * A price. The screen shows currency units (with a point or a comma), the value is in hundredths, null if the field is
 * empty. Text that is no price makes the field invalid in the browser's own sense, so that a form can refuse to send
 * it.
 */
export function MoneyInput({
  value = null,
  wrong = null,
  onChange,
  error,
  max = MAX_PRICE,
  currency = CURRENCY,
  ...props
}: Props) {
  const [text, setText] = useState(value === null ? (wrong ?? '') : toCurrencyUnits(value))
  const [left, setLeft] = useState(true)
  const input = useRef<HTMLInputElement>(null)
  const read = useCallback((text: string) => readUpTo(max, text), [max])
  const isBad = (text: string) => text.trim() !== '' && read(text) === null
  const bad = isBad(text)
  const noPrice = whyNoPrice(text, max)

  useEffect(() => {
    setText((now) => {
      if (value === null && wrong !== null) return wrong
      return read(now) === value ? now : value === null ? '' : toCurrencyUnits(value)
    })
  }, [value, wrong, read])
  // A field that never was bad is left alone: after each call the browser works out the styles of the field again.
  useEffect(() => {
    const field = input.current
    if (!bad || !field) return
    field.setCustomValidity(noPrice)
    return () => field.setCustomValidity('')
  }, [bad, noPrice])

  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className={classes['currency']}>{currency}</span>}
      rightSectionWidth={48}
      rightSectionPointerEvents="none"
      inputStyle={RIGHT}
      {...props}
      ref={input}
      value={text}
      error={bad && left ? noPrice : error}
      onChange={(event) => {
        const typed = event.currentTarget.value
        setText(typed)
        onChange(read(typed), isBad(typed), typed)
      }}
      onFocus={(event) => {
        setLeft(false)
        props.onFocus?.(event)
      }}
      onBlur={(event) => {
        onceLeft(event.currentTarget, () => setLeft(true))
        const amount = read(text)
        if (amount !== null) setText(toCurrencyUnits(amount))
        props.onBlur?.(event)
      }}
    />
  )
}
