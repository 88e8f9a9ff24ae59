import { PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Alert, Group } from '@mantine/core'
import { isAdmin, useMe } from '../../../api/session.ts'
import { backTo } from '../../../crud/back-to.ts'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'

/**
 * The facts that the invoice lacks, for its PDF, for the XML in it, and for the profile of e-invoices that the customer
 * asks for. Links lead to the pages on which they can be filled in, and from there back to the sale.
 */
export default function SaleLacks({ sale }: { sale: Sale }) {
  const { missing_invoice_data: invoice, missing_xml_data: xml, missing_profile_data: asked } = sale
  const profile = asked ? [...asked.seller, ...asked.buyer, ...asked.items] : []
  return (
    <Alert color={invoice.length > 0 || profile.length > 0 ? 'orange' : 'gray'}>
      {invoice.length > 0 && <div>Missing from the invoice: {invoice.join(', ')}.</div>}
      {xml.length > 0 && (
        <div>
          {invoice.length > 0 ? 'Also missing' : 'Missing'} for the e-invoice (XML): {xml.join(', ')}.
        </div>
      )}
      {asked && profile.length > 0 && (
        <div>
          Missing for {PROFILE_NAMES[asked.profile]}: {profile.join(', ')}.
        </div>
      )}
      <WaysToMend sale={sale} />
    </Alert>
  )
}

function WaysToMend({ sale: { id, customer, missing_sides: sides } }: { sale: Sale }) {
  const mayMend = isAdmin(useMe())
  const pages = [
    { side: 'buyer', to: recordPath('customer', customer.id), name: 'Customer page' },
    { side: 'seller', to: '/admin/company', name: 'Company page' },
    { side: 'items', to: '/admin/vat', name: 'VAT types' },
  ] as const
  const open = pages.filter(({ side }) => sides.includes(side) && (mayMend || side === 'buyer'))
  return (
    <Group gap="md" mt={4}>
      {open.map(({ to, name }) => (
        <TextLink
          key={to}
          to={to}
          state={backTo(`${recordPath('sale', id)}?tab=summary`)}
          inherit
          c="inherit"
          underline="always"
        >
          {name}
        </TextLink>
      ))}
      {!mayMend && sides.some((side) => side !== 'buyer') && (
        <span>
          An administrator can {sides.includes('seller') ? 'fill in the company’s facts' : 'say what a VAT type means'}.
        </span>
      )}
    </Group>
  )
}
