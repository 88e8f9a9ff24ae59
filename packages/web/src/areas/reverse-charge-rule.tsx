import type { ReverseChargeRule } from '@backstock/contract/reverse-charge-rule.ts'
import { Switch, Textarea } from '@mantine/core'
import { isAdmin } from '../api/session.ts'
import type { Area } from '../crud/area.ts'
import { DateField } from '../ui/fields/date-field.tsx'
import { formatDate } from '../ui/fields/date-format.ts'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { MoneyInput } from '../ui/fields/money-input.tsx'
import { SearchSelect } from '../ui/fields/search-select.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { today } from '../ui/fields/today.ts'
import { idColumn, textColumn } from '../ui/table/columns.tsx'
import { Money } from '../ui/values/money.tsx'
import { COUNTRY_CHOICES } from '../widgets/address-fields.tsx'

type Values = {
  country_code: string | null
  valid_from: string | null
  valid_to: string | null
  threshold: number | null
  threshold_currency: string
  resellers_any: boolean
  series: string
  note: string
}

const dayOf = (day: string | null) => day && formatDate(day, 'dd/MM/yyyy')
const lastDay = (day: string | null) =>
  day !== null && day < today() ? `${dayOf(day)} (ended)` : (dayOf(day) ?? 'no end')

export const reverseChargeRule: Area<ReverseChargeRule, Values> = {
  area: 'reverse-charge-rule',
  title: 'Reverse charge',
  columns: [
    idColumn('reverse-charge-rule'),
    textColumn('Country', (row) => row.country, { sort: 'country_code', phone: 'lead' }),
    { header: 'First day', sort: 'valid_from', cell: (row) => dayOf(row.valid_from) },
    { header: 'Last day', sort: 'valid_to', cell: (row) => lastDay(row.valid_to) },
    {
      header: 'Threshold',
      align: 'right',
      phoneLabel: 'Threshold',
      cell: ({ threshold, threshold_currency }) =>
        threshold === null ? 'none' : <Money amount={threshold} currency={threshold_currency} />,
    },
    { header: 'Resellers', cell: (row) => row.resellers_any && 'no threshold' },
    textColumn('Series', (row) => row.series),
    textColumn('Note', (row) => row.note, { phone: 'hidden' }),
  ],
  mayCreate: isAdmin,
  mayEdit: (_, me) => isAdmin(me),
  mayDelete: (_, me) => isAdmin(me),
  alsoChanges: ['sale'],
  empty: {
    text: "A rule says when phones and the like are sold under reverse charge to businesses in the seller's country: its first and last day, and its threshold.",
  },
  values: (row) => ({
    country_code: row?.country_code ?? null,
    valid_from: row?.valid_from ?? null,
    valid_to: row?.valid_to ?? null,
    threshold: row?.threshold ?? null,
    threshold_currency: row?.threshold_currency ?? 'EUR',
    resellers_any: row?.resellers_any ?? false,
    series: row?.series ?? '',
    note: row?.note ?? '',
  }),
  fields: (form) => (
    <FieldGrid>
      <SearchSelect
        label="Country"
        description="The country of both the seller and the buyer."
        withAsterisk
        data={COUNTRY_CHOICES}
        {...form.getInputProps('country_code')}
      />
      <Switch
        label="No threshold for resellers"
        mt={{ base: 0, md: 'lg' }}
        description="The seller may then choose reverse charge below the threshold, too."
        {...form.getInputProps('resellers_any', { type: 'checkbox' })}
      />
      <DateField label="First day" withAsterisk {...form.getInputProps('valid_from')} />
      <DateField label="Last day" description="If empty, the rule has no end." {...form.getInputProps('valid_to')} />
      <MoneyInput
        label="Threshold"
        description="The rule applies if such goods in a sale come to this total, excl. VAT, or more. If empty, there is no threshold."
        rightSection={null}
        {...form.getInputProps('threshold')}
      />
      <TextField
        label="Currency of the threshold"
        description="Three letters, such as EUR. For another currency, you decide in each sale if the rule applies."
        maxLength={3}
        {...form.getInputProps('threshold_currency')}
      />
      <TextField
        label="Series of its own"
        description="For invoices on which every line is under reverse charge: ISP gives ISP-2026-00001. If empty, they are numbered like all others."
        maxLength={8}
        {...form.getInputProps('series')}
      />
      <Textarea label="Note" autosize minRows={3} {...form.getInputProps('note')} />
    </FieldGrid>
  ),
}
