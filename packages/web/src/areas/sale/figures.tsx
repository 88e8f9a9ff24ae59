import { grossProfitPercent, type Hundredths } from '@backstock/contract/money.ts'
import { Money } from '../../ui/money.tsx'
import classes from './figures.module.css'

/** What a sale comes to, in hundredths; rates in percent. */
export type SaleFigures = {
  items: number
  purchase: Hundredths
  net: Hundredths
  vat: readonly { rate: number; net: Hundredths; vat: Hundredths }[]
  gross: Hundredths
  profit: Hundredths
  /** What the items that the profit counts were bought for; all of `purchase` unless told otherwise. */
  cost?: Hundredths
  /** What the sales prices and the profit leave out: '12 without a price'. */
  leftOut?: string | undefined
}

/** The figures of a sale one below the other, with its VAT rate by rate. */
export function Figures({ figures, note }: { figures: SaleFigures; note?: string | undefined }) {
  const { items, purchase, net, vat, gross, profit, cost = purchase, leftOut } = figures
  return (
    <dl className={classes['figures']}>
      <Line name="Items">{items.toLocaleString('en')}</Line>
      <Line name="Total purchase price">
        <Money amount={purchase} />
      </Line>
      {leftOut && <Line name="Not counted below">{leftOut}</Line>}
      <Line name="Total sales price (excl. VAT)">
        <Money amount={net} />
      </Line>
      {vat.map((one) => (
        <Line key={one.rate} name={`VAT ${one.rate}%`}>
          <Money amount={one.vat} />
        </Line>
      ))}
      <Line name="Total sales price (incl. VAT)" strong>
        <Money amount={gross} />
      </Line>
      <Line name={note ? `Profit (${note})` : 'Profit'}>
        <Money amount={profit} />
      </Line>
      <Line name="Gross profit">{grossProfitPercent(profit, cost)}</Line>
    </dl>
  )
}

function Line({ name, strong = false, children }: { name: string; strong?: boolean; children: React.ReactNode }) {
  return (
    <div className={classes['line']} data-strong={strong || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
