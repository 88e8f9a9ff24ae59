import { countryName, usesEuro } from '@backstock/contract/country.ts'
import { isSuppliedWhenIssued } from '@backstock/contract/supply-day.ts'
import { renamedZone, timeZones } from '@backstock/contract/time-zone.ts'
import { stateOfVatNumber } from '@backstock/contract/vat-territory.ts'
import { Anchor, NumberInput, Stack, Switch, Textarea, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RecordFormOf } from '../../crud/area.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { SearchSelect } from '../../ui/fields/search-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { COUNTRY_CHOICES } from '../../widgets/address-fields.tsx'
import { onAddressPaste, pastedParts } from '../../widgets/address-paste.ts'
import { ElectronicAddressFields } from '../../widgets/electronic-address.tsx'
import { IbanField, VatNumberField } from '../../widgets/number-fields.tsx'
import { MailServerState } from './mail-server-state.tsx'
import { UsualCategories, UsualVat } from './usual-records.tsx'
import type { CompanyRow, CompanyValues } from './values.ts'

const TIME_ZONES = timeZones()

const MARGIN_METHODS_IN_WORDS = [
  { value: 'item', label: 'On each item’s margin' },
  { value: 'period', label: 'On the margin of a period' },
] satisfies { value: CompanyRow['margin_method']; label: string }[]

const SUPPLY_DAYS_IN_WORDS = [
  { value: 'country', label: 'As my country requires' },
  { value: 'invoice', label: 'Date of supply = date of invoice' },
  { value: 'dispatch', label: 'None until dispatch' },
] satisfies { value: CompanyRow['supply_day']; label: string }[]

/** The note under the chosen date of supply: the date that an invoice names if it is made before dispatch. */
const supplyDayNote = (set: CompanyRow['supply_day'], country: string | null) =>
  isSuppliedWhenIssued(set, country)
    ? 'An invoice made before dispatch gives its own date as the date of supply.'
    : 'An invoice made before dispatch gives no date of supply.'

/** An invoice must name the VAT in the currency of the seller's state, too (Directive 2006/112/EC, Article 230). */
const currencyNote = (country: string | null) =>
  country !== null && !usesEuro(country)
    ? 'Invoices are in EUR only. They are not enough if your law also requires the VAT in your own currency.'
    : undefined

type Props = { form: RecordFormOf<CompanyValues> }

/** The fields of the company, a panel for each kind. */
export function CompanyFields({ form }: Props) {
  return (
    <Stack gap="md">
      <Business form={form} />
      <Address form={form} />
      <Payment form={form} />
      <Invoices form={form} />
      <EInvoices form={form} />
      <Vat form={form} />
      <MailAndTime form={form} />
    </Stack>
  )
}

function Business({ form }: Props) {
  const field = form.getInputProps
  return (
    <Part title="Company">
      <TextField label="Name" withAsterisk {...field('name')} />
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
      <TextField
        label="Tax number"
        description="Your number at the tax office. Invoices need it if you have no VAT number."
        {...field('tax_number')}
      />
      <TextField
        label="Registration"
        description="Register and number, such as KvK 12345678. Shown on invoices."
        {...field('registration')}
      />
      <TextField label="Email" type="email" {...field('email')} />
      <TextField label="Phone" type="tel" {...field('phone')} />
    </Part>
  )
}

function Address({ form }: Props) {
  const field = form.getInputProps
  return (
    <Part title="Address">
      <TextField
        label="Address line 1"
        onPaste={onAddressPaste((parts) => form.setValues(pastedParts(parts)))}
        {...field('address_1')}
      />
      <TextField label="Address line 2" {...field('address_2')} />
      <TextField label="Postal code" {...field('postal_code')} />
      <TextField label="City" {...field('city')} />
      <TextField label="State" {...field('state')} />
      <SearchSelect
        label="Country"
        description={currencyNote(form.values.country_code)}
        data={COUNTRY_CHOICES}
        clearable
        {...field('country_code')}
      />
    </Part>
  )
}

function Payment({ form }: Props) {
  const field = form.getInputProps
  return (
    <Part title="Payment">
      <TextField label="Bank" {...field('bank_name')} />
      <IbanField {...field('iban')} />
      <TextField label="BIC" {...field('bic')} />
      <NumberInput
        label="Payment days"
        description="An invoice is due this many days after its date, unless the customer has payment days of their own."
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
        description="Printed on invoices at the end of the payment details, exactly as you write them here."
        styles={{ input: { height: 300 } }}
        {...field('payment_terms')}
      />
    </Part>
  )
}

function Invoices({ form }: Props) {
  const field = form.getInputProps
  return (
    <Part title="Invoices">
      <Switch
        label="Group lines"
        description="Devices of the same product, grade, price and VAT share one line, with their IMEIs below it."
        {...form.getInputProps('group_invoice_lines', { type: 'checkbox' })}
      />
      <Select
        label="Date of supply"
        description={supplyDayNote(form.values.supply_day, form.values.country_code)}
        data={SUPPLY_DAYS_IN_WORDS}
        {...field('supply_day')}
      />
    </Part>
  )
}

function EInvoices({ form }: Props) {
  const field = form.getInputProps
  return (
    <Part title="E-invoices">
      <ElectronicAddressFields {...field('electronic_address')} />
      <TextField
        label="Contact"
        description="The contact for questions about e-invoices. If empty, the company’s name."
        {...field('contact_name')}
      />
    </Part>
  )
}

function Vat({ form }: Props) {
  const field = form.getInputProps
  return (
    <Part title="VAT">
      <TextField
        label="VAT rate for margins"
        description="The rate used to work out the VAT included in your margins."
        inputMode="decimal"
        rightSection="%"
        {...field('margin_rate')}
      />
      <Select
        label="VAT in margins"
        description="How Accounting calculates it. Ask your tax office before you choose the margin of a period."
        data={MARGIN_METHODS_IN_WORDS}
        {...field('margin_method')}
      />
      <NumberInput
        label="VAT check valid for (days)"
        description="If the VIES check of a buyer’s VAT number is older, an intra-Community sale warns you."
        allowDecimal={false}
        allowNegative={false}
        {...field('vat_check_days')}
      />
      <UsualVat form={form} />
      <UsualCategories form={form} />
    </Part>
  )
}

function MailAndTime({ form }: Props) {
  const field = form.getInputProps
  return (
    <Part title="Mail and time">
      <TextField
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
  )
}

const HERE = renamedZone(Intl.DateTimeFormat().resolvedOptions().timeZone)

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
