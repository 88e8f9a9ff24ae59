import type { Sale } from '@backstock/contract/sale.ts'
import { viesSaid } from '@backstock/contract/vat-check-doubt.ts'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'
import { CheckFacts } from '../../vat-check/checks.tsx'
import classes from '../../vat-check/vat-check.module.css'

/** The check of the buyer's VAT number with which the sale was made, or the doubt that there is none. */
export default function SaleVatCheck({ sale }: { sale: Sale }) {
  const { vat_check, later_vat_check, vat_check_doubt } = sale
  return (
    <section className={classes['ofSale']} aria-label="Check of the VAT number">
      <div className={classes['quiet']}>Check of the VAT number with VIES</div>
      {vat_check?.is_valid && <div>{viesSaid(vat_check)}</div>}
      {vat_check_doubt && <div className={classes['doubt']}>{vat_check_doubt}</div>}
      {vat_check && <CheckFacts check={vat_check} />}
      {later_vat_check && <div>Since then: {viesSaid(later_vat_check)}</div>}
      {(vat_check_doubt || later_vat_check) && (
        <TextLink to={recordPath('customer', sale.customer_id)} size="sm">
          The customer’s checks
        </TextLink>
      )}
    </section>
  )
}
