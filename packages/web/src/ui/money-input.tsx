import { CURRENCY, type Hundredths, MAX_PRICE, parseCurrencyUnits, toCurrencyUnits } from '@backstock/contract/money.ts'
import { useEffect, useRef, useState } from 'react'
import classes from './money-input.module.css'
import { TextField, type TextFieldProps } from './text-field.tsx'

const read = (text: string): Hundredths | null => {
  const amount = parseCurrencyUnits(text)
  return amount === null || amount > MAX_PRICE ? null : amount
}
const isBad = (text: string) => text.trim() !== '' && read(text) === null
const NO_PRICE = 'Must be a price such as 249.90, at most 1,000,000.00.'

const RIGHT = { textAlign: 'right' } as const

type Props = Omit<TextFieldProps, 'value' | 'onChange'> & {
  value?: Hundredths | null
  /** `bad` where what is typed is no price; the value is null then. */
  onChange: (value: Hundredths | null, bad: boolean) => void
}

/**
 * A price: currency units on screen (point or comma), hundredths in the value, null where empty. Text that is no price
 * makes the field invalid in the browser's own sense, so that a form can refuse to send it.
 */
export function MoneyInput({ value = null, onChange, error, ...props }: Props) {
  const [text, setText] = useState(value === null ? '' : toCurrencyUnits(value))
  const [left, setLeft] = useState(true)
  const input = useRef<HTMLInputElement>(null)
  const bad = isBad(text)

  useEffect(() => {
    setText((now) => (read(now) === value ? now : value === null ? '' : toCurrencyUnits(value)))
  }, [value])
  useEffect(() => input.current?.setCustomValidity(bad ? NO_PRICE : ''), [bad])

  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className={classes['currency']}>{CURRENCY}</span>}
      rightSectionWidth={48}
      rightSectionPointerEvents="none"
      inputStyle={RIGHT}
      {...props}
      ref={input}
      value={text}
      error={bad && left ? NO_PRICE : error}
      onChange={(event) => {
        const typed = event.currentTarget.value
        setText(typed)
        onChange(read(typed), isBad(typed))
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
