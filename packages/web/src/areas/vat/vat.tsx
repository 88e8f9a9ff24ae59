import { TREATMENT_NAMES, type VatTypeTreatment } from '@backstock/contract/treatment.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import { isAdmin } from '../../api/session.ts'
import type { Area, RecordFormOf } from '../../crud/area.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { idColumn, textColumn } from '../../ui/table/columns.tsx'
import { HomeVat } from './home-vat.tsx'
import { isUnsettled, MEANINGS, meaningOf, NOT_SAID, proposalOf } from './meaning.ts'
import classes from './vat.module.css'

type Values = {
  name: string
  rate: string
  treatment: VatTypeTreatment | ''
  exemption_text: string
  exemption_code: string
}

const CHOICES = [{ value: '', label: NOT_SAID }, ...MEANINGS.map((value) => ({ value, label: TREATMENT_NAMES[value] }))]

const isZero = (rate: string) => rate.trim() !== '' && Number(rate.replace(',', '.')) === 0

/** The fields for the meaning of a rate of 0. A rate above 0 needs none. */
function MeaningFields({ form }: { form: RecordFormOf<Values> }) {
  const { name, rate, treatment } = form.values
  if (!isZero(rate)) return null
  const proposal = treatment === '' && proposalOf(name)
  return (
    <>
      <Select
        label="What it means"
        description={proposal ? `Its name suggests: ${TREATMENT_NAMES[proposal]}.` : 'Why no VAT is added.'}
        data={CHOICES}
        {...form.getInputProps('treatment')}
      />
      {treatment === 'exempt' && (
        <>
          <TextField
            label="Reason on invoices"
            description="The legal provision that exempts it from VAT."
            {...form.getInputProps('exemption_text')}
          />
          <TextField
            label="Code of the reason"
            description="For e-invoices, such as VATEX-EU-132; may be left empty."
            {...form.getInputProps('exemption_code')}
          />
        </>
      )}
    </>
  )
}

export const vat: Area<Vat, Values> = {
  area: 'vat',
  title: 'VAT',
  columns: [
    idColumn('vat'),
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    {
      header: 'What it means',
      cell: (row) => <span className={isUnsettled(row) ? classes['unsettled'] : undefined}>{meaningOf(row)}</span>,
    },
    { header: 'Rate', sort: 'rate', align: 'right', phone: 'end', cell: (row) => `${row.rate}%` },
  ],
  mayCreate: isAdmin,
  mayEdit: (_, me) => isAdmin(me),
  empty: { text: 'The rates of VAT that are added to prices.', Also: HomeVat },
  mayDelete: (_, me) => isAdmin(me),
  values: (row) => ({
    name: row?.name ?? '',
    rate: row ? String(row.rate) : '',
    treatment: (row?.rate === 0 && row.treatment) || '',
    exemption_text: row?.exemption_text ?? '',
    exemption_code: row?.exemption_code ?? '',
  }),
  fields: (form) => (
    <FieldGrid>
      <TextField label="Name" withAsterisk {...form.getInputProps('name')} />
      <TextField label="Rate" withAsterisk inputMode="decimal" rightSection="%" {...form.getInputProps('rate')} />
      <MeaningFields form={form} />
    </FieldGrid>
  ),
}
