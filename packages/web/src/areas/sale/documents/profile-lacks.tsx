import { PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Alert } from '@mantine/core'
import { isAdmin, useMe } from '../../../api/session.ts'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'

type Props = { sale: Sale; missing: NonNullable<Sale['missing_profile_data']> }

/** The facts that are missing for the profile of e-invoices that the customer asks for, and the pages that take them. */
export default function ProfileLacks({ sale: { customer }, missing }: Props) {
  const mayMendCompany = isAdmin(useMe())
  const { profile, seller, buyer, items } = missing
  const all = [...seller, ...buyer, ...items]
  if (all.length === 0) return null
  return (
    <Alert color="orange">
      For {PROFILE_NAMES[profile]} the invoice lacks: {all.join(', ')}.
      <br />
      {buyer.length > 0 && (
        <TextLink to={recordPath('customer', customer.id)} inherit c="inherit" underline="always" mr="md">
          Customer page
        </TextLink>
      )}
      {seller.length > 0 &&
        (mayMendCompany ? (
          <TextLink to="/admin/company" inherit c="inherit" underline="always">
            Company page
          </TextLink>
        ) : (
          'An administrator can fill in what the seller lacks.'
        ))}
    </Alert>
  )
}
