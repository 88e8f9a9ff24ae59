import type { Company } from '@backstock/contract/company.ts'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { record } from '../../api/reads.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import type { RecordArea } from '../../crud/area.ts'
import { useGoBackWhenSaved } from '../../crud/back-to.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { CompanyFields } from './company-fields.tsx'
import { Logo } from './logo.tsx'
import { CATEGORIES, offeredVat, offersCategories, VAT_RATES } from './usual-records.tsx'
import { type CompanyRow, type CompanyValues, valuesOf } from './values.ts'

const ID = 1

const readCompany = async (): Promise<CompanyRow> => {
  const { data } = await api.get<{ data: Company }>('company')
  return { ...data, id: ID }
}

const company: RecordArea<CompanyRow, CompanyValues> = {
  area: 'company',
  title: 'Company',
  save: 'company/edit',
  read: readCompany,
  values: valuesOf,
  fields: (form) => <CompanyFields form={form} />,
  // If the form did not ask about the usual rates or categories, it sends no choice.
  input: ({ with_usual_vat, with_usual_categories, ...values }) => ({
    ...values,
    ...(offeredVat(queryClient.getQueryData(VAT_RATES.queryKey), values.country_code).length && { with_usual_vat }),
    ...(offersCategories(queryClient.getQueryData(CATEGORIES.queryKey), values.country_code) && {
      with_usual_categories,
    }),
  }),
  alsoChanges: ['sale', 'vat', 'category'],
}

export default function CompanyPage() {
  const allowed = isAdmin(useMe())
  const goBack = useGoBackWhenSaved()
  const found = useQuery({ ...record<CompanyRow>('company', ID), queryFn: readCompany, enabled: allowed })
  return (
    <>
      <PageHeader title="Company" note="Your company, as invoices and emails name it." />
      {!allowed ? (
        <ErrorState error={new ApiError(403, 'Only an administrator can do this.')} />
      ) : found.data ? (
        <>
          <Logo logo={found.data.logo} />
          <RecordForm area={company} row={{ ...found.data, id: ID }} onSaved={goBack} />
        </>
      ) : found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : (
        <Panel>
          {['name', 'vat', 'email', 'address'].map((field) => (
            <Skeleton key={field} height={32} my="md" />
          ))}
        </Panel>
      )}
    </>
  )
}
