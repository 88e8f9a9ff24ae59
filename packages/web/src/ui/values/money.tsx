import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import classes from './text.module.css'

/** An amount in hundredths, shown as `1,234.56 EUR`. It is red if negative; null shows '-'. */
export function Money({ amount, currency = CURRENCY }: { amount: Hundredths | null; currency?: string }) {
  if (amount === null) return <span className={classes['money']}>-</span>
  return (
    <span className={classes['money']} data-negative={amount < 0 || undefined}>
      {formatMoney(amount)} <span className={classes['currency']}>{currency}</span>
    </span>
  )
}
