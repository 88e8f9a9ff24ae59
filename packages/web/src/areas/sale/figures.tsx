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
  /** The purchase prices of the items that the profit counts; `purchase` unless told otherwise. */
  cost?: Hundredths
  /** Items that neither the sales prices nor the profit count: they have no price, or none that can be read. */
  unpriced?: number
  unreadable?: number
}

/** The figures of a sale one below the other, with its VAT rate by rate. */
export function Figures({ figures, note }: { figures: SaleFigures; note?: string | undefined }) {
  const { items, purchase, net, vat, gross, profit, cost = purchase, unpriced = 0, unreadable = 0 } = figures
  return (
    <dl className={classes['figures']}>
      <Line name="Items">{items.toLocaleString('en')}</Line>
      <Line name="Total purchase price">
        <Money amount={purchase} />
      </Line>
      {unpriced > 0 && <Line name="Without a price, not counted below">{unpriced.toLocaleString('en')}</Line>}
      {unreadable > 0 && <Line name="Price cannot be read, not counted below">{unreadable.toLocaleString('en')}</Line>}
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
