import { SEPARATORS } from '@backstock/contract/csv-form.ts'
import type { DATE_ORDERS, ImportPreview, PreviewChanges } from '@backstock/contract/import-preview.ts'
import { Checkbox, Text } from '@mantine/core'
import { memo } from 'react'
import { Select } from '../../../ui/fields/select.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { aboutEncoding, encodingChoices, isByteEncoding } from './encoding-choices.ts'
import { PreviewNotes } from './notes.tsx'
import classes from './preview.module.css'
import type { ReadAnew } from './preview.ts'
import { ASKING, aboutHeader, aboutSeveral, amountsAsked, headerChoices, NO_HEADER, severalChoices } from './words.ts'

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

const DATE_STYLES = [
  { value: 'day', label: 'Day first: 18/11/2026' },
  { value: 'month', label: 'Month first: 11/18/2026' },
] as const satisfies { value: (typeof DATE_ORDERS)[number]; label: string }[]

type Props = {
  plan: ImportPreview
  onChange: (changes: PreviewChanges) => void
  /** Uploads the file again to read it in another way; undefined if this window no longer has the file. */
  onReadAnew: ((how: ReadAnew) => Promise<void>) | undefined
}

/** How the file is read. */
export const PreviewFile = memo(function PreviewFile({ plan, onChange, onReadAnew }: Props) {
  const {
    leaves_out_hidden,
    encoding_guessed,
    sheets,
    sheet,
    delimiter,
    encoding,
    decimal,
    dates,
    asked,
    format,
    update_existing,
    header_row,
    several,
  } = plan
  const severals = several ? severalChoices(several) : []
  const encodings = encodingChoices((value) => {
    const isOfRows = isByteEncoding(value) && isByteEncoding(encoding)
    return value === encoding || isOfRows || onReadAnew !== undefined
  })
  const anew = onReadAnew ? 'Changing this discards your changes here.' : 'To change this, choose the file again.'
  const anewInFarEncoding = onReadAnew
    ? 'Choosing UTF-16 or an East Asian encoding discards your changes here.'
    : 'For UTF-16 or an East Asian encoding, choose the file again.'
  const headerAt = header_row === null ? NO_HEADER : String(header_row)
  const said = aboutHeader(plan)
  /**
   * The present choices for reading the file again. A guessed encoding is left out, so that the server guesses again
   * and the screen says so.
   */
  const same = { sheet, delimiter, encoding: encoding_guessed ? null : encoding, leavesOutHidden: leaves_out_hidden }
  return (
    <Panel>
      <div className={classes['fields']}>
        {sheets.length > 1 && (
          <Select
            label="Sheet"
            description={anew}
            data={sheets}
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
              description={anew}
              data={DELIMITERS}
              disabled={!onReadAnew}
              value={delimiter}
              onChange={(chosen) =>
                chosen && chosen !== delimiter && void onReadAnew?.({ delimiter: chosen, encoding: same.encoding })
              }
            />
            <Select
              label="Encoding"
              description={aboutEncoding(encoding_guessed, isByteEncoding(encoding) ? anewInFarEncoding : anew)}
              data={encodings}
              value={encoding}
              onChange={(chosen) => {
                if (!chosen || chosen === encoding) return
                if (isByteEncoding(chosen) && isByteEncoding(encoding)) onChange({ encoding: chosen })
                // Without a delimiter, because the last one was guessed from wrongly decoded text.
                else void onReadAnew?.({ encoding: chosen })
              }}
            />
          </>
        )}
        <Select
          label="Header"
          description={anew}
          data={headerChoices(plan)}
          disabled={!onReadAnew}
          value={headerAt}
          onChange={(headerRow) => headerRow && headerRow !== headerAt && void onReadAnew?.({ ...same, headerRow })}
        />
        <Select
          id={ASKING.decimal}
          label="Amounts are written as"
          placeholder={asked.includes('decimal') ? 'Choose…' : 'The same either way'}
          description="How the file itself writes amounts."
          error={asked.includes('decimal') && amountsAsked(decimal)}
          data={DECIMALS}
          value={asked.includes('decimal') || decimal === 'mixed' ? null : decimal}
          onChange={(chosen) => {
            const style = DECIMALS.find(({ value }) => value === chosen)
            if (style) onChange({ decimal: style.value })
          }}
        />
        {(dates !== null || asked.includes('dates')) && (
          <Select
            id={ASKING.dates}
            label="Dates are written as"
            placeholder="Choose…"
            description="How the file itself writes dates."
            error={asked.includes('dates') && 'Its dates may be read in two ways: choose.'}
            data={DATE_STYLES}
            value={dates}
            onChange={(chosen) => {
              const style = DATE_STYLES.find(({ value }) => value === chosen)
              if (style) onChange({ dates: style.value })
            }}
          />
        )}
        {several && (
          <Select
            id={ASKING.several}
            className={classes['wide'] ?? ''}
            label="Rows with several IMEIs are"
            placeholder="Choose…"
            description={aboutSeveral(several)}
            error={several.means === null && 'One row may be several items: choose.'}
            data={severals}
            value={several.means}
            onChange={(chosen) => {
              const means = severals.find(({ value }) => value === chosen)
              if (means) onChange({ several: means.value })
            }}
          />
        )}
      </div>
      <Checkbox
        id={ASKING.update}
        mt="md"
        label="Update existing items"
        description="If a row’s Backstock ID, IMEI or serial number belongs to an item that you have or had, the row updates that item. A phone that you bought back becomes a new item only if its row has the status Inbound or In Stock. If this box is not ticked, rows with items that you have fail."
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
