import { SEPARATORS } from '@backstock/contract/csv-form.ts'
import type { ImportPreview, PreviewChanges } from '@backstock/contract/import-preview.ts'
import { Checkbox, Text } from '@mantine/core'
import { memo } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { Select } from '../../ui/select.tsx'
import { aboutEncoding, encodingChoices, isByteEncoding } from './encoding-choices.ts'
import classes from './preview.module.css'
import type { ReadAnew } from './preview.ts'
import { PreviewNotes } from './preview-notes.tsx'
import { aboutHeader, headerChoices, NO_HEADER } from './preview-words.ts'

const DELIMITER_NAMES: Record<(typeof SEPARATORS)[number], string> = {
  ',': 'Comma (,)',
  ';': 'Semicolon (;)',
  '\t': 'Tab',
  '|': 'Bar (|)',
}
const DELIMITERS = SEPARATORS.map((value) => ({ value, label: DELIMITER_NAMES[value] }))
const DECIMALS: { value: ',' | '.'; label: string }[] = [
  { value: ',', label: '1.249,90' },
  { value: '.', label: '1,249.90' },
]

type Props = {
  plan: ImportPreview
  onChange: (changes: PreviewChanges) => void
  /** Reads the file anew in another way; undefined where it is not at hand any more. */
  onReadAnew: ((how: ReadAnew) => Promise<void>) | undefined
}

/** How the file is read, and whose it is. */
export const PreviewFile = memo(function PreviewFile({ plan, onChange, onReadAnew }: Props) {
  const {
    leaves_out_hidden,
    encoding_guessed,
    supplier,
    sheets,
    sheet,
    delimiter,
    encoding,
    decimal,
    format,
    update_existing,
    header_row,
    top,
  } = plan
  const encodings = encodingChoices((value) => {
    const isOfRows = isByteEncoding(value) && isByteEncoding(encoding)
    return value === encoding || isOfRows || onReadAnew !== undefined
  })
  const anew = (other: string) =>
    onReadAnew ? `With ${other} what was changed here starts anew.` : `Choose the file again to read it with ${other}.`
  const headerAt = header_row === null ? NO_HEADER : String(header_row)
  const said = aboutHeader(plan)
  /** A guess is made again, and is said to be one. */
  const same = { sheet, delimiter, encoding: encoding_guessed ? null : encoding, leavesOutHidden: leaves_out_hidden }
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
            description={anew('another one')}
            data={sheets}
            allowDeselect={false}
            disabled={!onReadAnew}
            value={sheet}
            onChange={(chosen) =>
              chosen && chosen !== sheet && void onReadAnew?.({ sheet: chosen, leavesOutHidden: leaves_out_hidden })
            }
          />
        )}
        {format === 'csv' && (
          <>
            <Select
              label="Delimiter"
              description={anew('another one')}
              data={DELIMITERS}
              allowDeselect={false}
              disabled={!onReadAnew}
              value={delimiter}
              onChange={(chosen) =>
                chosen && chosen !== delimiter && void onReadAnew?.({ delimiter: chosen, encoding: same.encoding })
              }
            />
            <Select
              label="Encoding"
              description={aboutEncoding(
                encoding_guessed,
                anew(isByteEncoding(encoding) ? 'UTF-16 or one of Asia' : 'another one'),
              )}
              data={encodings}
              allowDeselect={false}
              value={encoding}
              onChange={(chosen) => {
                if (!chosen || chosen === encoding) return
                if (isByteEncoding(chosen) && isByteEncoding(encoding)) onChange({ encoding: chosen })
                // What parts the cells was guessed from letters that were wrong.
                else void onReadAnew?.({ encoding: chosen })
              }}
            />
          </>
        )}
        {top.length > 0 && (
          <Select
            label="Header"
            description={anew('another one')}
            data={headerChoices(plan)}
            allowDeselect={false}
            disabled={!onReadAnew}
            value={headerAt}
            onChange={(headerRow) => headerRow && headerRow !== headerAt && void onReadAnew?.({ ...same, headerRow })}
          />
        )}
        <Select
          label="Amounts are written as"
          placeholder={decimal === 'mixed' ? 'Choose…' : 'The same either way'}
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
      {said && (
        <Text size="sm" c="dimmed" mt="sm" title={plan.titles.join('\n') || undefined}>
          {said}
        </Text>
      )}
      <PreviewNotes
        plan={plan}
        onLeaveOut={
          onReadAnew && ((leavesOutHidden) => void onReadAnew({ ...same, headerRow: headerAt, leavesOutHidden }))
        }
      />
    </Panel>
  )
})
