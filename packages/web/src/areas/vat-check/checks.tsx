import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import type { CustomerVatChecks, VatCheck } from '@backstock/contract/vat-check.ts'
import { isForVies, vatCheckDoubt, viesSaid } from '@backstock/contract/vat-check-doubt.ts'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { VatCheckActs } from './acts.tsx'
import { vatChecks } from './reads.ts'
import classes from './vat-check.module.css'

/** The section 'VAT number' of a customer's record: the newest answer of VIES, a new check, and the earlier ones. */
export function VatChecks({ customerId, number }: { customerId: number; number: string | null }) {
  const found = useQuery(vatChecks(customerId))
  if (found.isError && !found.data) return <ErrorState error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return null
  const { may_ask, today, newest, history } = found.data
  const earlier = history.filter(({ id }) => id !== newest?.id)
  return (
    <div className={classes['checks']}>
      <Newest number={number} checks={found.data} />
      {isForVies(number) && <VatCheckActs customerId={customerId} number={number} mayAsk={may_ask} today={today} />}
      {earlier.length > 0 && (
        <ul className={classes['history']} aria-label="Earlier checks">
          {earlier.map((check) => (
            <li key={check.id}>
              {shownVatNumber(check.vat_number)}: {viesSaid(check)}
              <div className={classes['quiet']}>{sourceOf(check)}</div>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Newest({ number, checks }: { number: string | null; checks: CustomerVatChecks }) {
  const { newest, today, days } = checks
  if (number === null) return <div className={classes['quiet']}>This customer has no VAT number.</div>
  if (!isForVies(number))
    return (
      <div className={classes['quiet']}>
        VIES does not check {shownVatNumber(number)}: it does not start with an EU country prefix.
      </div>
    )
  const doubt = vatCheckDoubt(number, { check: newest, day: today, days })
  return (
    <div className={classes['newest']}>
      {newest && (
        <div className={classes['said']}>
          {shownVatNumber(number)}: {viesSaid(newest)}
        </div>
      )}
      {doubt && <div className={classes['doubt']}>{doubt}</div>}
      {newest && <CheckFacts check={newest} />}
    </div>
  )
}

/** The facts that VIES told about the holder, and who read the answer. */
export function CheckFacts({ check }: { check: VatCheck }) {
  const { name, address } = check
  return (
    <>
      {(name || address) && <div className={classes['quiet']}>{[name, address].filter(Boolean).join('\n')}</div>}
      <div className={classes['quiet']}>{sourceOf(check)}</div>
    </>
  )
}

function sourceOf({ source, created_by_name }: VatCheck): string {
  const how = source === 'asked' ? 'The server asked VIES' : 'Entered from the VIES website'
  return created_by_name === null ? `${how}.` : `${how}, by ${created_by_name}.`
}
