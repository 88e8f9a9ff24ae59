import { PRICE_BASES, type PriceBase, ROUNDINGS, type Rounding } from '@backstock/contract/changed-price.ts'
import { Button, NativeSelect } from '@mantine/core'
import { TextField } from '../../ui/fields/text-field.tsx'
import { percentOf, type Rule } from './price-rows.ts'
import classes from './pricing.module.css'

const BASES: Record<PriceBase, string> = { sales_price: 'Price now', purchase_price: 'Cost' }
const ROUNDING: Record<Rounding, string> = { none: 'Not rounded', '.99': 'To .99', '.00': 'To .00', '5.00': 'To 5.00' }

type Props = { rule: Rule; onRule: (rule: Rule) => void; onFill: () => void }

/** The rule that works out prices from the cost or from the price now. */
export function PriceRule({ rule, onRule, onFill }: Props) {
  const isBad = percentOf(rule.percent) === null
  const isReady = !isBad && rule.percent.trim() !== ''
  return (
    <div className={classes['rule']}>
      <NativeSelect
        label="Work out from"
        data={PRICE_BASES.map((value) => ({ value, label: BASES[value] })).toReversed()}
        value={rule.of}
        onChange={(event) => onRule({ ...rule, of: event.currentTarget.value as PriceBase })}
      />
      <TextField
        label="Plus"
        autoComplete="off"
        inputMode="text"
        data-autofocus
        rightSection="%"
        rightSectionPointerEvents="none"
        inputStyle={{ textAlign: 'right' }}
        value={rule.percent}
        error={isBad && 'Must be a percentage such as 35 or -2.5.'}
        onChange={(event) => onRule({ ...rule, percent: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (isReady) onFill()
        }}
      />
      <NativeSelect
        label="Rounding"
        data={ROUNDINGS.map((value) => ({ value, label: ROUNDING[value] }))}
        value={rule.round}
        onChange={(event) => onRule({ ...rule, round: event.currentTarget.value as Rounding })}
      />
      <Button variant="default" disabled={!isReady} onClick={onFill}>
        Fill in
      </Button>
    </div>
  )
}
