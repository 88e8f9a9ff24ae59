import { TREATMENT_NAMES } from '@backstock/contract/treatment.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import { Alert, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { find } from '../../api/reads.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import { ListPage } from '../../crud/list-page.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { isUnsettled, proposalOf } from './meaning.ts'
import { vat } from './vat.tsx'

export const list = vat

export default function VatListPage() {
  return <ListPage area={list} notice={isAdmin(useMe()) && <Unsettled />} />
}

/** The VAT types with a rate of 0 whose meaning an administrator must still set, each with a proposal. */
function Unsettled() {
  const { data } = useQuery(find<Vat>('vat', { per_page: 250 }))
  const unsettled = data?.data.filter(isUnsettled) ?? []
  if (unsettled.length === 0) return null
  return (
    <Alert color="orange" mb="md">
      <Text size="sm" fw={600}>
        What do these rates of 0% mean?
      </Text>
      Invoices must say why no VAT is charged.
      <List size="sm" mt={4}>
        {unsettled.map(({ id, name }) => {
          const proposal = proposalOf(name)
          return (
            <List.Item key={id}>
              <TextLink to={recordPath('vat', id)} inherit c="inherit" underline="always">
                {name}
              </TextLink>
              {proposal && `: its name suggests ${TREATMENT_NAMES[proposal]}`}
            </List.Item>
          )
        })}
      </List>
    </Alert>
  )
}
