import type { ForeignPrices } from '@backstock/contract/import-preview.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import { NO_FX_RATE, PURCHASE_CURRENCIES, parseFxRate } from '@backstock/contract/purchase-currency.ts'
import { Anchor } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatDate } from '../../../ui/fields/date-format.ts'
import { SearchSelect } from '../../../ui/fields/search-select.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { ASKING, count, lastSaid } from './words.ts'

export type FieldProps = {
  label: string
  description?: string
  value: string | null
  onChange: (value: string | null) => void
}

const CURRENCIES = Object.entries(PURCHASE_CURRENCIES).map(([value, name]) => ({ value, label: `${value} · ${name}` }))

/** A select for the currency of prices that do not name one. */
export function CurrencySelect(props: FieldProps) {
  return (
    <SearchSelect
      description="For prices without a currency."
      {...props}
      clearable
      placeholder={CURRENCY}
      data={CURRENCIES}
    />
  )
}

/** A button below a field, which takes over the value that it names. */
export const Take = (props: { onClick: () => void; children: ReactNode }) => (
  <Anchor component="button" type="button" size="xs" underline="always" mt={4} {...props} />
)

type Props = {
  foreign: ForeignPrices
  /** True for the first field of this kind, which gets the id that links lead to. */
  isFirst: boolean
  onChange: (rate: string | null) => void
}

/** The exchange rate of a currency in the file. Rows with prices in that currency need it for their cost. */
export function PreviewRate({ foreign: { currency, rows, rate, remembered, proposed }, isFirst, onChange }: Props) {
  const [typed, setTyped] = useState(rate ?? '')
  const [isWrong, setIsWrong] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(isWrong ? NO_FX_RATE : ''), [isWrong])
  // The rate has changed from outside: by the button with the proposed rate, or by the choice of a supplier with a
  // remembered one.
  const [last, setLast] = useState(rate)
  if (rate !== last) {
    setLast(rate)
    setTyped(rate ?? '')
    setIsWrong(false)
  }
  const take = () => {
    const text = typed.trim()
    const number = parseFxRate(text)
    setIsWrong(text !== '' && number === null)
    if (text === '' ? rate !== null : number !== null && number !== parseFxRate(rate ?? ''))
      onChange(text === '' ? null : String(number))
  }
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') take()
  }
  const error = isWrong ? NO_FX_RATE : rate === null && `${count(rows, 'row waits', 'rows wait')} for it.`
  return (
    <div>
      <TextField
        {...(isFirst && { id: ASKING.rate })}
        ref={input}
        label={`Exchange rate: ${currency} for one ${CURRENCY}`}
        description={remembered ? `Remembered from ${lastSaid(remembered)}` : 'The rate on the day of purchase.'}
        error={error}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setIsWrong(false)
        }}
        onBlur={take}
        onKeyDown={keyDown}
      />
      {proposed && proposed.rate !== rate && (
        <Take onClick={() => onChange(proposed.rate)}>
          Take {proposed.rate}, used on {formatDate(proposed.date, 'dd/MM/yyyy')}
        </Take>
      )}
    </div>
  )
}
