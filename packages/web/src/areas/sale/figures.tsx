import { grossProfitPercent, type Hundredths } from '@backstock/contract/money.ts'
import { type Treatment, treatmentAt } from '@backstock/contract/treatment.ts'
import type { ReactNode } from 'react'
import { Money } from '../../ui/values/money.tsx'
import classes from './figures.module.css'

/** The totals of a sale, in hundredths. Rates are in percent. */
export type SaleFigures = {
  items: number
  purchase: Hundredths
  net: Hundredths
  vat: readonly { treatment: Treatment; rate: number; net: Hundredths; vat: Hundredths }[]
  gross: Hundredths
  /** The VAT that the seller owes on the margins. Invoices do not show it; it reduces the profit. */
  marginVat: Hundredths
  profit: Hundredths
  /** The purchase prices of the items that the profit includes; `purchase` if left out. */
  cost?: Hundredths
  /**
   * The numbers of items that the sales prices and the profit leave out: items without a price, and items whose price
   * is not valid.
   */
  unpriced?: number
  unreadable?: number
}

/** The totals of a sale, one below the other, with the VAT by treatment and rate. */
export function Figures({ figures, note }: { figures: SaleFigures; note?: string | undefined }) {
  const { items, purchase, net, vat, gross, marginVat, profit, cost = purchase, unpriced = 0, unreadable = 0 } = figures
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
        <Line
          key={`${one.treatment} ${one.rate}`}
          name={treatmentAt(one.treatment, one.rate)}
          {...(vat.length > 1 && { on: one.net })}
        >
          <Money amount={one.treatment === 'margin' ? null : one.vat} />
        </Line>
      ))}
      <Line name="Total sales price (incl. VAT)" strong>
        <Money amount={gross} />
      </Line>
      {marginVat > 0 && (
        <Line name="VAT in margins">
          <Money amount={marginVat} />
        </Line>
      )}
      <Line name={note ? `Profit (${note})` : 'Profit'}>
        <Money amount={profit} />
      </Line>
      <Line name="Gross profit">{grossProfitPercent(profit, cost)}</Line>
    </dl>
  )
}

/** `on` is the net amount for which the VAT of this line is charged. */
type LineProps = { name: string; on?: Hundredths; strong?: boolean; children: ReactNode }

function Line({ name, on, strong = false, children }: LineProps) {
  return (
    <div className={classes['line']} data-strong={strong || undefined}>
      <dt>
        {name}
        {on !== undefined && (
          <>
            {' on '}
            <Money amount={on} />
          </>
        )}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
