import type { Address } from '@backstock/contract/address.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { recordPath, TextLink } from '../../ui/values/link.tsx'

type Buyer = {
  id: number
  full_name: string
  email: string
  phone: string | null
  company_name: string | null
  vat_number: string | null
}
type Props = { buyer: Buyer; address: Address | null; billingAddress: Address | null }

/** The name of the buyer, how to reach them, and their addresses. */
export function BuyerDetails({ buyer, address, billingAddress }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" mt="md">
      <Fact name="Name">
        <TextLink to={recordPath('customer', buyer.id)}>{buyer.full_name}</TextLink>
      </Fact>
      <Fact name="Company">{buyer.company_name}</Fact>
      <Fact name="Email">{buyer.email}</Fact>
      <Fact name="Phone">{buyer.phone}</Fact>
      <Fact name="VAT number">{buyer.vat_number && shownVatNumber(buyer.vat_number)}</Fact>
      <span />
      <Fact name="Delivery address">{address && <Lines address={address} />}</Fact>
      <Fact name="Billing address">{billingAddress && <Lines address={billingAddress} />}</Fact>
    </SimpleGrid>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="div" style={{ overflowWrap: 'anywhere' }}>
        {children || '-'}
      </Text>
    </div>
  )
}

function Lines({ address }: { address: Address }) {
  const town = [address.postal_code, address.city].filter(Boolean).join(' ')
  const lines = [address.address_1, address.address_2, town, address.state, address.country]
  return lines.filter(Boolean).map((line) => <div key={line}>{line}</div>)
}
