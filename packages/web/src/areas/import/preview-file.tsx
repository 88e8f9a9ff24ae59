import type { ImportPreview, PreviewChanges } from '@backstock/contract/import-preview.ts'
import { Checkbox, Text } from '@mantine/core'
import { memo } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { Select } from '../../ui/select.tsx'
import classes from './preview.module.css'
import { formOf } from './preview-words.ts'

const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Western Europe (1252)' },
  { value: 'windows-1250', label: 'Central Europe (1250)' },
]
const DECIMALS: { value: ',' | '.'; label: string }[] = [
  { value: ',', label: '1.249,90' },
  { value: '.', label: '1,249.90' },
]

type Props = {
  plan: ImportPreview
  onChange: (changes: PreviewChanges) => void
  /** Reads another sheet instead; undefined where the file is not at hand any more. */
  onSheet: ((sheet: string) => Promise<void>) | undefined
}

/** How the file is read, and whose it is. */
export const PreviewFile = memo(function PreviewFile({ plan, onChange, onSheet }: Props) {
  const { supplier, sheets, sheet, encoding, decimal, format, update_existing } = plan
  const known = ENCODINGS.find(({ value }) => value === encoding)
  const form = formOf(plan)
  return (
    <Panel>
      <div className={classes['fields']}>
        <RemoteSelect
          area="supplier"
          label="Supplier"
          placeholder="Whose file it is"
          description="What you choose is remembered for it."
          value={supplier?.id ?? null}
          onChange={(supplier_id) => onChange({ supplier_id })}
        />
        {sheets.length > 1 && (
          <Select
            label="Sheet"
            description={
              onSheet
                ? 'What was changed here starts anew with another one.'
                : 'Choose the file again to read another one.'
            }
            data={sheets}
            allowDeselect={false}
            disabled={!onSheet}
            value={sheet}
            onChange={(chosen) => chosen && chosen !== sheet && void onSheet?.(chosen)}
          />
        )}
        {format === 'csv' && (
          <Select
            label="Encoding"
            description="Change it where letters look wrong."
            data={known ? ENCODINGS : [encoding?.toUpperCase() ?? '']}
            allowDeselect={false}
            disabled={!known}
            value={known?.value ?? encoding?.toUpperCase() ?? null}
            onChange={(chosen) => chosen && onChange({ encoding: chosen })}
          />
        )}
        <Select
          label="Amounts are written as"
          placeholder="The same either way"
          description="What the file's amounts themselves say."
          error={decimal === 'mixed' && 'Some amounts say one, some the other: choose.'}
          data={DECIMALS}
          allowDeselect={false}
          value={decimal === 'mixed' ? null : decimal}
          onChange={(chosen) => {
            const style = DECIMALS.find(({ value }) => value === chosen)
            if (style) onChange({ decimal: style.value })
          }}
        />
      </div>
      <Checkbox
        mt="md"
        label="Update existing items"
        description="Rows whose Backstock ID, IMEI or serial number is in stock change that item; without this they fail."
        checked={update_existing}
        onChange={(event) => onChange({ update_existing: event.currentTarget.checked })}
      />
      {form && (
        <Text size="sm" c="dimmed" mt="sm" title={plan.titles.join('\n') || undefined}>
          {form}
        </Text>
      )}
    </Panel>
  )
})
