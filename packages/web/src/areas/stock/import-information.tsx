import type { StockItem } from '@backstock/contract/stock.ts'
import { Code, Stack, Text, TextInput } from '@mantine/core'
import { useId } from 'react'

const isEmpty = (data: Record<string, unknown>) => Object.keys(data).length === 0

function RawData({ label, data }: { label: string; data: Record<string, unknown> }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Text id={id} fw={500} size="sm" mb={4}>
        {label}
      </Text>
      {isEmpty(data) ? (
        <Text c="dimmed" size="sm">
          -
        </Text>
      ) : (
        <Code block tabIndex={0} mah={420} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {JSON.stringify(data, null, 2)}
        </Code>
      )}
    </section>
  )
}

/** The values of an item as its import brought them. */
export function ImportInformation({ item }: { item: StockItem }) {
  return (
    <Stack gap="md">
      <TextInput label="Backstock ID" readOnly variant="filled" maw={420} value={item.backstock_id ?? '-'} />
      <RawData label="Raw grading data" data={item.grading_data} />
      <RawData label="Raw attributes" data={item.attributes} />
    </Stack>
  )
}
