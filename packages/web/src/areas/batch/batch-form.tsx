import type { Batch } from '@backstock/contract/batch.ts'
import { NumberInput, Stack } from '@mantine/core'
import type { RecordArea, RecordFormOf } from '../../crud/area.ts'
import { TextField } from '../../ui/fields/text-field.tsx'

type BatchValues = { name: string; priority: number | string }

/** The inputs that a new batch and an existing one share. */
export function BatchFields<Values extends BatchValues>({ form }: { form: RecordFormOf<Values> }) {
  return (
    <>
      <TextField label="Name" withAsterisk {...form.getInputProps('name' as never)} />
      <NumberInput
        label="Priority"
        description="Batches with higher priority will be displayed first."
        allowDecimal={false}
        {...form.getInputProps('priority' as never)}
      />
    </>
  )
}

/** The form of a batch's name and priority. Its lock has a switch of its own; the form sends it unchanged. */
export const batchDetails: RecordArea<Batch, BatchValues> = {
  area: 'batch',
  title: 'Batch',
  values: (row) => ({ name: row?.name ?? '', priority: row?.priority ?? 0 }),
  input: (values, row) => ({ ...values, is_locked: row?.is_locked ?? false }),
  alsoChanges: ['stock', 'basket'],
  fields: (form) => (
    <Stack gap="md">
      <BatchFields form={form} />
    </Stack>
  ),
}
