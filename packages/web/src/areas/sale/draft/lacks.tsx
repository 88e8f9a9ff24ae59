import { PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import type { InvoiceLacks } from '@backstock/contract/invoice-lacks.ts'
import type { Lacks } from '@backstock/contract/lacks.ts'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isAdmin, useMe } from '../../../api/session.ts'
import { backTo } from '../../../crud/back-to.ts'
import { TextLink } from '../../../ui/values/link.tsx'

type Props = { lacks: InvoiceLacks | undefined; sides: readonly (keyof Lacks)[]; children?: ReactNode }

/**
 * The facts of these sides (buyer, seller, items) that the invoice will lack. `children` say how to add them. Draws
 * nothing if none is lacking.
 */
export function DraftLacks({ lacks, sides, children }: Props) {
  const of = (all: Lacks | undefined) => sides.flatMap((side) => all?.[side] ?? []).join(', ')
  const asked = lacks?.profile ?? undefined
  const [invoice, xml, profile] = [of(lacks?.invoice), of(lacks?.xml), of(asked)]
  if (!invoice && !xml && !profile) return null
  return (
    <Text component="div" size="sm" c="dimmed" role="status" mt={sides.includes('buyer') ? 'md' : 0}>
      {invoice && <div>Missing from the invoice: {invoice}.</div>}
      {xml && (
        <div>
          {invoice ? 'Also missing' : 'Missing'} for the e-invoice (XML): {xml}.
        </div>
      )}
      {asked && profile && (
        <div>
          Missing for {PROFILE_NAMES[asked.profile]}: {profile}.
        </div>
      )}
      {children}
    </Text>
  )
}

/** The facts of the seller and of the items that the invoice will lack. */
export function SellersLacks({ lacks }: { lacks: InvoiceLacks | undefined }) {
  const mayMend = isAdmin(useMe())
  const lack = (side: keyof Lacks) =>
    [lacks?.invoice, lacks?.xml, lacks?.profile].some((all) => all && all[side].length > 0)
  return (
    <DraftLacks lacks={lacks} sides={['seller', 'items']}>
      {mayMend ? (
        <>
          {lack('seller') && <Mend to="/admin/company">Company page</Mend>}
          {lack('items') && <Mend to="/admin/vat">VAT types</Mend>}
        </>
      ) : (
        lack('seller') && <div>An administrator can fill in the company’s facts.</div>
      )}
    </DraftLacks>
  )
}

function Mend({ to, children }: { to: string; children: string }) {
  return (
    <TextLink to={to} state={backTo('/admin/sale/create')} inherit mr="md">
      {children}
    </TextLink>
  )
}
