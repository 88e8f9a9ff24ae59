import type { Company } from '@backstock/contract/company.ts'
import { countryName, usesEuro } from '@backstock/contract/country.ts'
import type { Page } from '@backstock/contract/page.ts'
import { shownIban, shownVatNumber } from '@backstock/contract/party-numbers.ts'
import { isSuppliedWhenIssued } from '@backstock/contract/supply-day.ts'
import { USUAL_CATEGORIES } from '@backstock/contract/usual-categories.ts'
import { usualVat } from '@backstock/contract/usual-vat.ts'
import { VAT_CHECK_DAYS } from '@backstock/contract/vat-check-doubt.ts'
import { stateOfVatNumber } from '@backstock/contract/vat-territory.ts'
import { Anchor, NumberInput, Select, Skeleton, Stack, Switch, Textarea, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { find, record } from '../../api/reads.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import type { RecordArea, RecordFormOf } from '../../crud/area.ts'
import { useGoBack } from '../../crud/back-to.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { SearchSelect } from '../../ui/fields/search-select.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { COUNTRY_CHOICES } from '../../widgets/address-fields.tsx'
import { onAddressPaste, pastedParts } from '../../widgets/address-paste.ts'
import { ElectronicAddressFields } from '../../widgets/electronic-address.tsx'
import { IbanField, VatNumberField } from '../../widgets/number-fields.tsx'
import { Logo } from './logo.tsx'
import { MailServerState } from './mail-server-state.tsx'

/** The company as a record for the form. There is only one such record, and the server gives it no id. */
type CompanyRow = Company & { id: number }
const ID = 1

const readCompany = async (): Promise<CompanyRow> => {
  const { data } = await api.get<{ data: Company }>('company')
  return { ...data, id: ID }
}

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

function valuesOf(row: CompanyRow | null) {
  return {
    name: row?.name ?? '',
    vat_number: shownVatNumber(row?.vat_number ?? ''),
    tax_number: row?.tax_number ?? '',
    registration: row?.registration ?? '',
    email: row?.email ?? '',
    phone: row?.phone ?? '',
    contact_name: row?.contact_name ?? '',
    electronic_address: row?.electronic_address ?? '',
    address_1: row?.address_1 ?? '',
    address_2: row?.address_2 ?? '',
    postal_code: row?.postal_code ?? '',
    city: row?.city ?? '',
    state: row?.state ?? '',
    country_code: row?.country_code ?? null,
    bank_name: row?.bank_name ?? '',
    iban: shownIban(row?.iban ?? ''),
    bic: row?.bic ?? '',
    payment_terms: row?.payment_terms ?? '',
    payment_days: (row?.payment_days ?? '') as number | string,
    reminder_days: (row?.reminder_days ?? '') as number | string,
    group_invoice_lines: row?.group_invoice_lines ?? false,
    supply_day: row?.supply_day ?? 'country',
    margin_rate: row?.margin_rate?.toString() ?? '',
    margin_method: row?.margin_method ?? 'item',
    vat_check_days: (row?.vat_check_days ?? VAT_CHECK_DAYS) as number | string,
    mail_from: row?.mail_from ?? '',
    time_zone: row?.time_zone ?? 'UTC',
    with_usual_vat: true,
    with_usual_categories: true,
  }
}
type CompanyValues = ReturnType<typeof valuesOf>

const MARGIN_METHODS_IN_WORDS = [
  { value: 'item', label: 'On each item’s margin' },
  { value: 'period', label: 'On the margin of a period' },
] satisfies { value: CompanyRow['margin_method']; label: string }[]

const SUPPLY_DAYS_IN_WORDS = [
  { value: 'country', label: 'As my country asks' },
  { value: 'invoice', label: 'Date of supply = date of invoice' },
  { value: 'dispatch', label: 'None until dispatch' },
] satisfies { value: CompanyRow['supply_day']; label: string }[]

/** The note under the chosen day of supply: the date that an invoice names if it is made before dispatch. */
const supplyDayNote = (set: CompanyRow['supply_day'], country: string | null) =>
  isSuppliedWhenIssued(set, country)
    ? 'An invoice made before dispatch gives its own date as the date of supply.'
    : 'An invoice made before dispatch gives no date of supply.'

/** An invoice must name the VAT in the currency of the seller's state, too (Directive 2006/112/EC, Article 230). */
const currencyNote = (country: string | null) =>
  country !== null && !usesEuro(country)
    ? 'Invoices are in EUR only. They are not enough if your law also requires the VAT in your own currency.'
    : undefined

function CompanyFields({ form }: { form: RecordFormOf<CompanyValues> }) {
  const field = form.getInputProps
  return (
    <Stack gap="md">
      <Part title="Company">
        <TextInput label="Name" withAsterisk {...field('name')} />
        <VatNumberField
          description="Shown on invoices."
          country={form.values.country_code}
          {...field('vat_number')}
          onChange={(event) => {
            field('vat_number').onChange(event)
            // A VAT number begins with the letters of its country. So it fills in the country if the form has none.
            const state = stateOfVatNumber(event.currentTarget.value)
            if (form.getValues().country_code === null && state && countryName(state))
              form.setFieldValue('country_code', state)
          }}
        />
        <TextInput
          label="Tax number"
          description="Your number at the tax office. Invoices need it if you have no VAT number."
          {...field('tax_number')}
        />
        <TextInput
          label="Registration"
          description="Register and number, such as KvK 12345678. Shown on invoices."
          {...field('registration')}
        />
        <TextInput label="Email" type="email" {...field('email')} />
        <TextInput label="Phone" type="tel" {...field('phone')} />
      </Part>
      <Part title="Address">
        <TextInput
          label="Address line 1"
          onPaste={onAddressPaste((parts) => form.setValues(pastedParts(parts)))}
          {...field('address_1')}
        />
        <TextInput label="Address line 2" {...field('address_2')} />
        <TextInput label="Postal code" {...field('postal_code')} />
        <TextInput label="City" {...field('city')} />
        <TextInput label="State" {...field('state')} />
        <SearchSelect
          label="Country"
          description={currencyNote(form.values.country_code)}
          data={COUNTRY_CHOICES}
          clearable
          {...field('country_code')}
        />
      </Part>
      <Part title="Payment">
        <TextInput label="Bank" {...field('bank_name')} />
        <IbanField {...field('iban')} />
        <TextInput label="BIC" {...field('bic')} />
        <NumberInput
          label="Payment days"
          description="An invoice is due this many days after its date."
          allowDecimal={false}
          allowNegative={false}
          {...field('payment_days')}
        />
        <NumberInput
          label="Days after a reminder"
          description="A reminder asks for payment within this many days."
          allowDecimal={false}
          allowNegative={false}
          {...field('reminder_days')}
        />
        <Textarea
          label="Payment terms"
          description="Printed on invoices after the due date, as you write them here."
          styles={{ input: { height: 300 } }}
          {...field('payment_terms')}
        />
      </Part>
      <Part title="Invoices">
        <Switch
          label="Group lines"
          description="Devices of one product, price and VAT are one line with their IMEIs below."
          {...form.getInputProps('group_invoice_lines', { type: 'checkbox' })}
        />
        <Select
          label="Date of supply"
          description={supplyDayNote(form.values.supply_day, form.values.country_code)}
          data={SUPPLY_DAYS_IN_WORDS}
          allowDeselect={false}
          {...field('supply_day')}
        />
      </Part>
      <Part title="E-invoices">
        <ElectronicAddressFields {...field('electronic_address')} />
        <TextInput
          label="Contact"
          description="The contact for questions about e-invoices. If empty, the company’s name."
          {...field('contact_name')}
        />
      </Part>
      <Part title="VAT">
        <TextInput
          label="Rate of the margin scheme"
          description="The rate of the VAT that the margins contain."
          inputMode="decimal"
          rightSection="%"
          {...field('margin_rate')}
        />
        <Select
          label="VAT in margins"
          description="How Accounting calculates it. Ask your tax office before you choose the margin of a period."
          data={MARGIN_METHODS_IN_WORDS}
          allowDeselect={false}
          {...field('margin_method')}
        />
        <NumberInput
          label="Days that a VAT check counts"
          description="If the VIES check of a buyer’s VAT number is older, a sale warns you."
          allowDecimal={false}
          allowNegative={false}
          {...field('vat_check_days')}
        />
        <UsualVat form={form} />
        <UsualCategories form={form} />
      </Part>
      <Part title="Mail and time">
        <TextInput
          label="Mail sender"
          type="email"
          description="The sender of emails, unless the server sets another (MAIL_FROM)."
          {...field('mail_from')}
        />
        <MailServerState />
        <SearchSelect
          label="Time zone"
          description={
            <ZoneNote chosen={form.getValues().time_zone} onUse={(zone) => form.setFieldValue('time_zone', zone)} />
          }
          data={TIME_ZONES}
          {...field('time_zone')}
        />
      </Part>
    </Stack>
  )
}

const VAT_RATES = find('vat', { per_page: 1 })

/**
 * The VAT rates of this country, which the form offers to add. Empty if the shop has rates, or if that is not known
 * yet.
 */
const offeredVat = (rates: Page<unknown> | undefined, country: string | null) =>
  rates?.total === 0 && country !== null ? usualVat(country) : []

/** Offers a new shop the VAT rates of its country. They are added when the profile is saved. */
function UsualVat({ form }: { form: RecordFormOf<CompanyValues> }) {
  const { data: rates } = useQuery(VAT_RATES)
  const country = form.values.country_code
  const usual = offeredVat(rates, country)
  if (usual.length === 0) return null
  return (
    <Switch
      label={`Add the VAT rates of ${countryName(country)}`}
      description={`There are none yet: ${usual.map(({ name, rate }) => `${name} ${rate}%`).join(', ')}.`}
      {...form.getInputProps('with_usual_vat', { type: 'checkbox' })}
    />
  )
}

const CATEGORIES = find('category', { per_page: 1 })

const offersCategories = (categories: Page<unknown> | undefined, country: string | null) =>
  categories?.total === 0 && country !== null

/** Offers a new shop the usual categories, which products need. They are added when the profile is saved. */
function UsualCategories({ form }: { form: RecordFormOf<CompanyValues> }) {
  const { data: categories } = useQuery(CATEGORIES)
  if (!offersCategories(categories, form.values.country_code)) return null
  return (
    <Switch
      label="Add the usual categories"
      description={`There are none yet: ${USUAL_CATEGORIES.join(', ')}.`}
      {...form.getInputProps('with_usual_categories', { type: 'checkbox' })}
    />
  )
}

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Offers the browser's time zone if the company still has UTC, which a new shop starts with. */
function ZoneNote({ chosen, onUse }: { chosen: string; onUse: (zone: string) => void }) {
  const isAsked = chosen === 'UTC' && HERE !== 'UTC' && TIME_ZONES.includes(HERE)
  return (
    <>
      Decides the date and the year of an invoice.
      {isAsked && (
        <>
          {' '}
          This computer is in {HERE}:{' '}
          <Anchor component="button" type="button" size="xs" onClick={() => onUse(HERE)}>
            use it
          </Anchor>
        </>
      )}
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <FieldGrid>{children}</FieldGrid>
    </Panel>
  )
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
  const goBack = useGoBack()
  // Go back only after the form has been marked as saved, so that nobody is asked about unsaved changes.
  const [saves, setSaves] = useState(0)
  useEffect(() => {
    if (saves > 0) goBack()
  }, [saves, goBack])
  const found = useQuery({ ...record<CompanyRow>('company', ID), queryFn: readCompany, enabled: allowed })
  return (
    <>
      <PageHeader title="Company" note="Your company, as invoices and emails name it." />
      {!allowed ? (
        <ErrorState error={new ApiError(403, 'Only an administrator can do this.')} />
      ) : found.data ? (
        <>
          <Logo logo={found.data.logo} />
          <RecordForm area={company} row={{ ...found.data, id: ID }} onSaved={() => setSaves(saves + 1)} />
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
