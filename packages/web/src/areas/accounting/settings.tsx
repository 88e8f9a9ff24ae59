import type { AccountingSettings } from '@backstock/contract/accounting.ts'
import { PURCHASE_TREATMENT_NAMES, TREATMENT_NAMES } from '@backstock/contract/treatment.ts'
import { Alert, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { record } from '../../api/reads.ts'
import type { RecordArea, RecordFormOf } from '../../crud/area.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { Panel } from '../../ui/layout/panel.tsx'

/** There is one; on the wire it has no id. */
type Row = AccountingSettings & { id: number }
const ID = 1
type Account = AccountingSettings['revenue_accounts'][number]
/** A treatment at a rate that documents of the period have. */
export type Pair = Pick<Account, 'treatment' | 'rate'>

const readSettings = async (): Promise<Row> => {
  const { data } = await api.get<{ data: AccountingSettings }>('accounting/settings')
  return { ...data, id: ID }
}

const keyOf = ({ treatment, rate }: Pair) => `${treatment} ${rate}`
const text = (value: number | null | undefined) => value?.toString() ?? ''

/** Those that the server names, and what documents have besides, as of a VAT type that is gone. */
function accountsOf(row: Row | null, pairs: readonly Pair[]) {
  const known = row?.revenue_accounts ?? []
  const keys = new Set(known.map(keyOf))
  const others = pairs.filter((pair) => !keys.has(keyOf(pair))).map((pair): Account => ({ ...pair, account: null }))
  return [...known, ...others]
    .toSorted((a, b) => b.rate - a.rate || a.treatment.localeCompare(b.treatment))
    .map(({ treatment, rate, account }) => ({ treatment, rate, account: text(account) }))
}

const valuesOf = (row: Row | null, pairs: readonly Pair[]) => ({
  consultant_number: text(row?.consultant_number),
  client_number: text(row?.client_number),
  fiscal_month: text(row?.fiscal_month),
  account_length: text(row?.account_length),
  debtor_account: text(row?.debtor_account),
  creditor_account: text(row?.creditor_account),
  revenue_accounts: accountsOf(row, pairs),
  credit_accounts: (row?.credit_accounts ?? []).map(({ treatment, account }) => ({
    treatment,
    account: text(account),
  })),
})
type Values = ReturnType<typeof valuesOf>

const areaFor = (pairs: readonly Pair[]): RecordArea<Row, Values> => ({
  area: 'accounting',
  title: 'Accounting',
  save: 'accounting/settings/edit',
  read: readSettings,
  values: (row) => valuesOf(row, pairs),
  fields: (form) => <Fields form={form} />,
})

const MONTHS = Array.from({ length: 12 }, (_, month) => ({
  value: String(month + 1),
  label: new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month, 1)),
}))

function Fields({ form }: { form: RecordFormOf<Values> }) {
  const field = form.getInputProps
  const digits = { inputMode: 'numeric' as const, autoComplete: 'off' }
  return (
    <Stack gap="md">
      <FieldGrid>
        <TextInput label="Consultant number" description="Beraternummer" {...digits} {...field('consultant_number')} />
        <TextInput label="Client number" description="Mandantennummer" {...digits} {...field('client_number')} />
        <Select label="First month of the fiscal year" data={MONTHS} allowDeselect={false} {...field('fiscal_month')} />
        <TextInput
          label="Digits of an account"
          description="Sachkontenlänge, from 4 to 8"
          {...digits}
          {...field('account_length')}
        />
        <TextInput
          label="Customers’ account"
          description="A collective one, for all customers; it may have a digit more."
          {...digits}
          {...field('debtor_account')}
        />
        <TextInput
          label="Suppliers’ account"
          description="A collective one, for what suppliers credit."
          {...digits}
          {...field('creditor_account')}
        />
      </FieldGrid>
      <div>
        <Title order={3} size="h5" mb={4}>
          Revenue accounts
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          Such as know their VAT themselves (Automatikkonten): the file says no tax key.
        </Text>
        <FieldGrid>
          {form.getValues().revenue_accounts.map(({ treatment, rate }, at) => (
            <TextInput
              key={keyOf({ treatment, rate })}
              label={rate > 0 ? `${TREATMENT_NAMES[treatment]} ${rate}%` : TREATMENT_NAMES[treatment]}
              {...digits}
              {...field(`revenue_accounts.${at}.account`)}
            />
          ))}
        </FieldGrid>
      </div>
      <div>
        <Title order={3} size="h5" mb={4}>
          Accounts of suppliers’ credits
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          What lowers purchases, by what the items were bought under.
        </Text>
        <FieldGrid>
          {form.getValues().credit_accounts.map(({ treatment }, at) => (
            <TextInput
              key={treatment}
              label={`Bought: ${PURCHASE_TREATMENT_NAMES[treatment]}`}
              {...digits}
              {...field(`credit_accounts.${at}.account`)}
            />
          ))}
        </FieldGrid>
      </div>
    </Stack>
  )
}

/** The company's names in the accountant's program. `lacks`: what the period's DATEV file still needs. */
export function Settings({ pairs, lacks }: { pairs: readonly Pair[]; lacks: readonly string[] }) {
  const found = useQuery({ ...record<Row>('accounting', ID), queryFn: readSettings })
  const [unsaved, setUnsaved] = useState(false)
  // Another period's rows wait until what was typed is saved.
  const [shown, setShown] = useState(pairs)
  const key = shown.map(keyOf).join()
  if (!unsaved && key !== pairs.map(keyOf).join()) setShown(pairs)
  return (
    <Panel>
      <Title order={2} mb="sm" id="datev" tabIndex={-1}>
        DATEV
      </Title>
      {lacks.length > 0 && (
        <Alert color="orange" mb="md">
          The file of this period needs {lacks.join(', ')}.
        </Alert>
      )}
      {found.data ? (
        <RecordForm key={key} area={areaFor(shown)} row={{ ...found.data, id: ID }} onUnsaved={setUnsaved} />
      ) : found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : (
        ['consultant', 'client', 'month', 'digits'].map((name) => <Skeleton key={name} height={32} my="md" />)
      )}
    </Panel>
  )
}
