import type { Accounting, AccountingSettings } from '@backstock/contract/accounting.ts'
import { PURCHASE_TREATMENT_NAMES, treatmentAt } from '@backstock/contract/treatment.ts'
import { Alert, Anchor, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, apiUrl } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { record } from '../../api/reads.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import type { RecordArea, RecordFormOf } from '../../crud/area.ts'
import type { Address } from '../../crud/list-state.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { formatDate } from '../../ui/fields/date-format.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { TextLink } from '../../ui/values/link.tsx'
import { books } from './books.ts'
import { periodIn } from './period.ts'

/** The settings as a record for the form. There is only one such record, and the server gives it no id. */
type Row = AccountingSettings & { id: number }
const ID = 1
type Account = AccountingSettings['revenue_accounts'][number]
/** A treatment and a rate of documents in the period. */
type Pair = Pick<Account, 'treatment' | 'rate'>

const readSettings = async (): Promise<Row> => {
  const { data } = await api.get<{ data: AccountingSettings }>('accounting/settings')
  return { ...data, id: ID }
}

const keyOf = ({ treatment, rate }: Pair) => `${treatment} ${rate}`
const text = (value: number | null | undefined) => value?.toString() ?? ''

/**
 * The form's values: the pairs that the server lists, and further pairs of documents, for example those of a deleted
 * VAT type.
 */
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
  debtor_first: text(row?.debtor_first),
  debtor_last: text(row?.debtor_last),
  bank_account: text(row?.bank_account),
  revenue_accounts: accountsOf(row, pairs),
  margin_accounts: (row?.margin_accounts ?? []).map(({ rate, account }) => ({ rate, account: text(account) })),
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
        <TextField label="Consultant number" description="Beraternummer" {...digits} {...field('consultant_number')} />
        <TextField label="Client number" description="Mandantennummer" {...digits} {...field('client_number')} />
        <Select label="First month of the fiscal year" data={MONTHS} {...field('fiscal_month')} />
        <TextField
          label="Account length (digits)"
          description="Sachkontenlänge, from 4 to 8"
          {...digits}
          {...field('account_length')}
        />
        <TextField
          label="Customers’ account"
          description="A control account, for customers without a number; it may have one digit more than the account length."
          {...digits}
          {...field('debtor_account')}
        />
        <TextField
          label="Suppliers’ account"
          description="A control account, for suppliers’ credits."
          {...digits}
          {...field('creditor_account')}
        />
        <TextField
          label="First debtor number"
          description="Each customer gets and keeps a number of this range (Debitorennummer)."
          {...digits}
          {...field('debtor_first')}
        />
        <TextField
          label="Last debtor number"
          description="Such as 69999. If both are empty, no customer is given a number."
          {...digits}
          {...field('debtor_last')}
        />
        <TextField
          label="Bank account"
          description="If it is set, the file has the payments too."
          {...digits}
          {...field('bank_account')}
        />
      </FieldGrid>
      <div>
        <Title order={3} size="h5" mb={4}>
          Revenue accounts
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          Use accounts that imply their VAT (Automatikkonten): the file has no tax keys.
        </Text>
        <FieldGrid>
          {form.getValues().revenue_accounts.map(({ treatment, rate }, at) => (
            <TextField
              key={keyOf({ treatment, rate })}
              label={treatmentAt(treatment, rate)}
              {...digits}
              {...field(`revenue_accounts.${at}.account`)}
            />
          ))}
          {form.getValues().margin_accounts.map(({ rate }, at) => (
            <TextField
              key={`margin ${rate}`}
              label={`Taxed margin ${rate}%`}
              description="If it is set and VAT is calculated on each item’s margin, a margin sale is two bookings: the taxed margin, and the rest."
              {...digits}
              {...field(`margin_accounts.${at}.account`)}
            />
          ))}
        </FieldGrid>
      </div>
      <div>
        <Title order={3} size="h5" mb={4}>
          Accounts of suppliers’ credits
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          Suppliers’ credits lower the purchases. Each treatment under which items were bought has its own account.
        </Text>
        <FieldGrid>
          {form.getValues().credit_accounts.map(({ treatment }, at) => (
            <TextField
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

export default function DatevPage() {
  if (isAdmin(useMe())) return <Datev />
  return (
    <>
      <PageHeader title="DATEV" />
      <ErrorState error={new ApiError(403, 'Only an administrator can do this.')} />
    </>
  )
}

/** The accounts in the accountant's program, and whether they are enough for the period in the address. */
function Datev() {
  const period = periodIn(useSearch({ strict: false }) as Address)
  const settings = useQuery({ ...record<Row>('accounting', ID), queryFn: readSettings })
  const found = useQuery(books(period))
  const problem = settings.error ?? found.error
  const retry = () => void Promise.all([settings.refetch(), found.refetch()])
  return (
    <>
      <PageHeader title="DATEV" note="The numbers and accounts that the accountant’s posting batch needs." />
      {settings.data && found.data ? (
        <>
          <State books={found.data} />
          <Panel>
            <RecordForm area={areaFor(found.data.vat)} row={{ ...settings.data, id: ID }} />
          </Panel>
        </>
      ) : problem ? (
        <ErrorState error={problem} retry={retry} />
      ) : (
        <Panel>
          {['consultant', 'client', 'month', 'digits'].map((name) => (
            <Skeleton key={name} height={32} my="md" />
          ))}
        </Panel>
      )}
    </>
  )
}

const day = (text: string) => formatDate(text, 'dd/MM/yyyy')

function State({ books: { from, to, datev_lacks: lacks } }: { books: Accounting }) {
  const days = `${day(from)} to ${day(to)}`
  return (
    <Alert color={lacks.length > 0 ? 'orange' : 'teal'} mb="md">
      {lacks.length > 0 ? (
        `The file for ${days} needs ${lacks.join(', ')}. `
      ) : (
        <>
          The file for {days} is complete:{' '}
          <Anchor
            inherit
            c="inherit"
            underline="always"
            href={apiUrl('accounting/datev', { from, to })}
            target="_blank"
          >
            download it
          </Anchor>
          .{' '}
        </>
      )}
      <TextLink to="/admin/accounting" search={{ from, to } as never} inherit c="inherit" underline="always">
        Other periods
      </TextLink>
    </Alert>
  )
}
