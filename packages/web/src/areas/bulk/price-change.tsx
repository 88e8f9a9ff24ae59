import type { Rounding } from '@backstock/contract/changed-price.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import { Checkbox, Textarea } from '@mantine/core'
import { useState } from 'react'
import { onceLeft } from '../../ui/fields/once-left.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import type { PriceHow, PriceValues } from './changes.ts'
import classes from './edit.module.css'

const SALES: { value: PriceHow; label: string }[] = [
  { value: 'set', label: 'Set to' },
  { value: 'add', label: 'Add' },
  { value: 'sales', label: 'Sales price plus percent' },
  { value: 'cost', label: 'Cost plus percent' },
  { value: 'pasted', label: 'Pasted column' },
  { value: 'none', label: 'Remove the price' },
]
const PURCHASE: typeof SALES = [
  { value: 'set', label: 'Set to' },
  { value: 'add', label: 'Add' },
  { value: 'cost', label: 'Purchase price plus percent' },
  { value: 'sales', label: 'Sales price plus percent' },
]
const ROUND: { value: Rounding; label: string }[] = [
  { value: 'none', label: 'Not rounded' },
  { value: '.99', label: 'To .99' },
  { value: '.00', label: 'To .00' },
  { value: '5.00', label: 'To 5.00' },
]

type Props = {
  field: 'sales_price' | 'purchase_price'
  value: PriceValues
  /** True if the person knows the order of the items, as in the basket. Then a pasted column may hold prices alone. */
  isOrdered: boolean
  readOnly: boolean
  error: string | undefined
  onChange: (value: PriceValues) => void
}

/** The inputs for a change of many items' price: how it changes, the amount, and how it is rounded. */
export function PriceChange({ field, value, isOrdered, readOnly, error, onChange }: Props) {
  const isSales = field === 'sales_price'
  const { how, amount, round, never_below_cost } = value
  // While somebody types, an unfinished amount is not marked as wrong.
  const [isTyping, setTyping] = useState(false)
  const isPercent = how === 'sales' || how === 'cost'
  const hasAmount = how !== 'none' && how !== 'pasted'
  const called = isSales ? 'Sales price' : 'Purchase price'
  return (
    <div className={classes['price']}>
      <Select
        label={called}
        data={isSales ? SALES : PURCHASE}
        readOnly={readOnly}
        value={how}
        onChange={(chosen) => onChange({ ...value, how: chosen as PriceHow })}
      />
      {how === 'pasted' && (
        <Textarea
          className={classes['column'] ?? ''}
          label="Pasted column"
          description={`One line for each item: its IMEI, serial number or Backstock ID, then a tab and the price.${isOrdered ? ' Or only the prices, in the order of the basket.' : ''}`}
          rows={6}
          spellCheck={false}
          readOnly={readOnly}
          error={error}
          value={value.pasted}
          onChange={(event) => onChange({ ...value, pasted: event.currentTarget.value })}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      )}
      {hasAmount && (
        <TextField
          label={isPercent ? 'Percent' : 'Amount'}
          aria-label={`${called}: ${isPercent ? 'percent' : 'amount'}`}
          autoComplete="off"
          // The number keyboard of a phone has no minus sign.
          inputMode={how === 'set' ? 'decimal' : 'text'}
          maxLength={16}
          readOnly={readOnly}
          rightSection={isPercent ? '%' : CURRENCY}
          rightSectionWidth={48}
          rightSectionPointerEvents="none"
          inputStyle={{ textAlign: 'right' }}
          description={
            how === 'set'
              ? undefined
              : isPercent
                ? 'A negative percentage lowers the price.'
                : 'A negative amount lowers the price.'
          }
          error={!isTyping && error}
          onFocus={() => setTyping(true)}
          onBlur={(event) => onceLeft(event.currentTarget, () => setTyping(false))}
          value={amount}
          onChange={(event) => onChange({ ...value, amount: event.currentTarget.value })}
        />
      )}
      {hasAmount && how !== 'set' && (
        <Select
          label="Rounding"
          data={ROUND}
          readOnly={readOnly}
          value={round}
          onChange={(chosen) => onChange({ ...value, round: chosen as Rounding })}
        />
      )}
      {isSales && how !== 'none' && (
        <Checkbox
          className={classes['floor'] ?? ''}
          label="Never below cost"
          checked={never_below_cost}
          readOnly={readOnly}
          onChange={(event) => onChange({ ...value, never_below_cost: event.currentTarget.checked })}
        />
      )}
    </div>
  )
}
