import '@mantine/dates/styles.css'
import { ActionIcon, Popover } from '@mantine/core'
import { DatePicker, DatesProvider } from '@mantine/dates'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import { useEffect, useRef, useState } from 'react'
import classes from './date-field.module.css'
import { type DateStyle, dateProblem, formatDate, parseDate } from './date-format.ts'
import { FieldAnchor } from './field-anchor.tsx'
import { useMadeOnFocus } from './made-on-focus.ts'
import { onceLeft } from './once-left.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

const CONTROLS = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous decade',
  nextDecade: 'Next decade',
}

type Props = Omit<TextFieldProps, 'value' | 'onChange'> & {
  /** The date as `yyyy-mm-dd`, whatever the style on screen; null if there is none. */
  value?: string | null
  onChange: (value: string | null) => void
  /** Purchase dates are shown and typed as yyyy-mm-dd, all others as dd/MM/yyyy. */
  dateStyle?: DateStyle
  max?: string
}

/**
 * A date that people type or pick. For an impossible date or one after `max` the field shows a message and never changes
 * the text. It is then invalid in the browser's own sense, so that a form can refuse to send it.
 */
export function DateField({ value = null, onChange, dateStyle = 'dd/MM/yyyy', max, error, ...props }: Props) {
  const [text, setText] = useState(value === null ? '' : formatDate(value, dateStyle))
  const [left, setLeft] = useState(true)
  const [opened, setOpened] = useState(false)
  // The dropdown is made before it opens, because it remembers the focused element when it opens.
  const { made, make } = useMadeOnFocus()
  const input = useRef<HTMLInputElement>(null)
  const problem = dateProblem(text, dateStyle, max)

  useEffect(() => {
    setText((now) => (parseDate(now, dateStyle) === value ? now : value === null ? '' : formatDate(value, dateStyle)))
  }, [value, dateStyle])
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem])

  /** Adds the zeros to a date that was typed without them, such as 1/2/2026. */
  const pad = () =>
    setText((now) => (value !== null && parseDate(now, dateStyle) === value ? formatDate(value, dateStyle) : now))

  const pick = (picked: string | null) => {
    setText(picked === null ? '' : formatDate(picked, dateStyle))
    onChange(picked)
    setOpened(false)
    input.current?.focus()
  }

  return (
    <>
      <TextField
        placeholder={dateStyle}
        autoComplete="off"
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Choose a date"
            aria-haspopup="dialog"
            aria-expanded={opened}
            disabled={props.disabled ?? false}
            onFocus={make}
            onPointerDown={make}
            onClick={() => setOpened((now) => !now)}
          >
            <IconCalendar size={16} />
          </ActionIcon>
        }
        {...props}
        ref={input}
        value={text}
        error={problem !== null && left ? problem : error}
        onChange={(event) => {
          const typed = event.currentTarget.value
          setText(typed)
          onChange(dateProblem(typed, dateStyle, max) === null ? parseDate(typed, dateStyle) : null)
        }}
        onFocus={(event) => {
          setLeft(false)
          props.onFocus?.(event)
        }}
        onBlur={(event) => {
          onceLeft(event.currentTarget, () => setLeft(true))
          pad()
          props.onBlur?.(event)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') pad()
          props.onKeyDown?.(event)
        }}
      />
      {(made || opened) && (
        <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withRoles={false}>
          <Popover.Target>
            <FieldAnchor of={input} />
          </Popover.Target>
          <Popover.Dropdown p="xs" role="dialog" aria-label="Choose a date">
            <DatesProvider settings={{ firstDayOfWeek: 1, weekendDays: [], consistentWeeks: true }}>
              <DatePicker
                value={value}
                onChange={pick}
                ariaLabels={CONTROLS}
                classNames={{ day: classes['day'] ?? '' }}
                {...(value ? { defaultDate: value } : {})}
                {...(max ? { maxDate: max } : {})}
              />
            </DatesProvider>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}
