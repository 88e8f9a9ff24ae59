import type { Hundredths } from '@backstock/contract/money.ts'
import type { SaleTotals, VatTotal } from '@backstock/contract/sale-total.ts'
import { treatmentAt } from '@backstock/contract/treatment.ts'
import { Money } from '../../../ui/values/money.tsx'
import classes from './correct.module.css'

type Props = { before: SaleTotals; after: SaleTotals }

const nameOf = ({ treatment, rate }: VatTotal) => treatmentAt(treatment, rate / 100)

/** The totals of the sale beside those after the correction, with the VAT by treatment and rate. */
export function CorrectTotals({ before, after }: Props) {
  const names = [...new Set([...before.vat, ...after.vat].map(nameOf))]
  const vatOf = ({ vat }: SaleTotals, name: string): Hundredths | null => {
    const total = vat.find((one) => nameOf(one) === name)
    return total && total.treatment !== 'margin' ? total.vat : null
  }
  const rows: [name: string, was: Hundredths | null, willBe: Hundredths | null][] = [
    ['Excl. VAT', before.total_sales_price, after.total_sales_price],
    ...names.map((name): [string, Hundredths | null, Hundredths | null] => [
      name,
      vatOf(before, name),
      vatOf(after, name),
    ]),
    ['Incl. VAT', before.total_sales_price_vat, after.total_sales_price_vat],
  ]
  return (
    <table className={classes['totals']} aria-label="Totals">
      <thead>
        <tr>
          <td />
          <th scope="col">Was</th>
          <th scope="col">Will be</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, was, willBe]) => (
          <tr key={name} data-changed={was !== willBe || undefined}>
            <th scope="row">{name}</th>
            <td>
              <Money amount={was} />
            </td>
            <td>
              <Money amount={willBe} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
