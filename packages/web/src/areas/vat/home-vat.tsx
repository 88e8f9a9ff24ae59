import type { Company } from '@backstock/contract/company.ts'
import { countryName } from '@backstock/contract/country.ts'
import { usualVat } from '@backstock/contract/usual-vat.ts'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import { useGoBack } from '../../crud/back-to.ts'
import { TextLink } from '../../ui/values/link.tsx'

/** Offers the VAT rates of the company's country, as long as the shop has no VAT types. */
export function HomeVat() {
  const mayAdd = isAdmin(useMe())
  const goBack = useGoBack()
  const [isAdding, setAdding] = useState(false)
  const { data } = useQuery({
    queryKey: ['company', 'country'],
    queryFn: async ({ signal }) => (await api.get<{ data: Company }>('company', { signal })).data,
    enabled: mayAdd,
  })
  if (!data) return null
  const usual = usualVat(data.country_code)
  if (usual.length === 0 || data.country_code === null)
    return data.country_code === null ? (
      <Text size="sm" mt="sm">
        Set your country on the{' '}
        <TextLink to="/admin/company" inherit underline="always">
          company page
        </TextLink>
        . Backstock then proposes that country’s VAT rates here.
      </Text>
    ) : null
  const add = async () => {
    setAdding(true)
    try {
      await api.post('company/edit', { body: { with_usual_vat: true } })
      await invalidate('vat', 'company')
      goBack()
    } catch (error) {
      // A toast has shown the reason.
      if (!(error instanceof ApiError)) throw error
      setAdding(false)
    }
  }
  return (
    <Button mt="sm" loading={isAdding} onClick={() => void add()}>
      Add the usual ones ({countryName(data.country_code)}):{' '}
      {usual.map(({ name, rate }) => `${name} ${rate}%`).join(', ')}
    </Button>
  )
}
