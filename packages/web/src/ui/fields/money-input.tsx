import { CURRENCY, type Hundredths, MAX_PRICE, parseCurrencyUnits, toCurrencyUnits } from '@backstock/contract/money.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import classes from './money-input.module.css'
import { TextField, type TextFieldProps } from './text-field.tsx'
import { whyNoPrice } from './why-no-price.ts'

function readUpTo(max: Hundredths, text: string): Hundredths | null {
  const amount = parseCurrencyUnits(text)
  return amount === null || amount > max ? null : amount
}

const RIGHT = { textAlign: 'right' } as const

type Props = Omit<TextFieldProps, 'value' | 'onChange'> & {
  value?: Hundredths | null
  /** The text in its place if there is no value: it is no price, and the caller keeps it if it draws the field anew. */
  wrong?: string | null
  /** `bad` if the text is no price; the value is null then. */
  onChange: (value: Hundredths | null, bad: boolean, text: string) => void
  /** The highest amount, if it is no item's price. */
  max?: Hundredths
  currency?: string
}

/**
 * A price: currency units on screen (point or comma), hundredths in the value, null if empty. Text that is no price
 * makes the field invalid in the browser's own sense, so that a form can refuse to send it.
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
  useEffect(() => input.current?.setCustomValidity(bad ? noPrice : ''), [bad, noPrice])

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
        setLeft(true)
        const amount = read(text)
        if (amount !== null) setText(toCurrencyUnits(amount))
        props.onBlur?.(event)
      }}
    />
  )
}
