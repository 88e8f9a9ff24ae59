import { CloseButton, Combobox, Loader, Popover, useCombobox } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import type { Query } from '../../api/client.ts'
import { type Choice, choiceLabel } from './choice.ts'
import { FieldAnchor } from './field-anchor.tsx'
import { useFirstMatch } from './first-match.ts'
import { useMadeOnFocus } from './made-on-focus.ts'
import { RemoteOptions } from './remote-options.tsx'
import { MIN_SEARCH, useRemoteRows } from './remote-rows.ts'
import { TextField } from './text-field.tsx'

/** The value of the option that creates a record. */
const CREATE = 'create'

/** The areas whose records have only a name. There the typed text must be the whole name of a record to mean it. */
const NAMES: ReadonlySet<string> = new Set(['make', 'colour', 'category', 'grade'])

/**
 * Whether the typed text means this record. It must be the whole name, or, unless `isWhole` is true, the beginning of a
 * word in the name.
 */
const isCalled = (name: string, wanted: string, isWhole: boolean) =>
  isWhole ? name === wanted : ` ${name}`.includes(` ${wanted}`)

type Props<Row extends Choice> = {
  /** The area whose records are offered: 'supplier', 'product', ... */
  area: string
  value?: number | null
  /** Gets the chosen record too; both are null if the person cleared the choice. */
  onChange: (id: number | null, row: Row | null) => void
  label: string
  labelOf?: (row: Row) => string
  /** Offers only some of the records, for example { is_locked: false }. */
  query?: Query
  optionDisabled?: (row: Row) => boolean
  /**
   * Creates a record from the typed text and returns it, or null if that failed. Offered if no record has this name.
   */
  create?: ((typed: string) => Promise<Row | null>) | false | undefined
  placeholder?: string
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  clearable?: boolean
  disabled?: boolean
  readOnly?: boolean
  onFocus?: () => void
  onBlur?: () => void
}

/**
 * Chooses a record of another area. It opens with the first page of records, filters from 3 typed characters, and loads
 * more on scrolling.
 */
export function RemoteSelect<Row extends Choice = Choice>({
  area,
  value = null,
  onChange,
  labelOf = choiceLabel,
  query = {},
  optionDisabled,
  create,
  required = false,
  clearable = !required,
  disabled = false,
  readOnly = false,
  ...field
}: Props<Row>) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Row | null>(null)
  /** The name of the record that is being created. */
  const [creating, setCreating] = useState<string | null>(null)
  const isFixed = readOnly || creating !== null
  const input = useRef<HTMLInputElement>(null)
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      firstMatch.forget()
      setTyped('')
    },
  })
  const isOpen = combobox.dropdownOpened
  const { made, make } = useMadeOnFocus()
  const known = chosen !== null && chosen.id === value
  const isEnabled = isOpen || (value !== null && !known)
  const rows = useRemoteRows<Row>({ area, query, value, typed, isEnabled })
  const firstMatch = useFirstMatch(combobox, typed, rows)
  const current = known ? chosen : (rows.options.find((row) => row.id === value) ?? null)
  const found = value === null ? '' : current ? labelOf(current) : rows.query.isPending ? '…' : `#${value}`
  const shown = creating ?? found

  const choose = (row: Row | null) => {
    setChosen(row)
    onChange(row?.id ?? null, row)
    combobox.closeDropdown()
  }

  const wanted = typed.trim()
  const isNamed = (row: Row) => isCalled(labelOf(row).toLowerCase(), wanted.toLowerCase(), NAMES.has(area))
  const mayCreate =
    create && wanted !== '' && (wanted.length < MIN_SEARCH || rows.answer) && !rows.options.some(isNamed)
  const createIt = async () => {
    combobox.closeDropdown()
    setCreating(wanted)
    try {
      const row = await (create || undefined)?.(wanted)
      if (row) choose(row)
    } finally {
      setCreating(null)
    }
    input.current?.focus()
  }
  const onSubmit = (id: string) => {
    if (isFixed) return
    if (id === CREATE) void createIt()
    else choose(rows.options.find((row) => String(row.id) === id) ?? null)
  }

  return (
    <Combobox store={combobox} disabled={disabled} readOnly={isFixed} onOptionSubmit={onSubmit}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextField
          {...field}
          ref={input}
          withAsterisk={required}
          disabled={disabled}
          readOnly={isFixed}
          aria-busy={creating !== null || undefined}
          pointer
          autoComplete="off"
          placeholder={shown || field.placeholder || 'Choose…'}
          value={isOpen ? typed : shown}
          rightSection={
            <EndOfField
              isLoading={creating !== null || (rows.query.isFetching && isOpen)}
              clear={clearable && value !== null && !disabled && !isFixed ? `Clear ${field.label}` : null}
              onClear={() => choose(null)}
            />
          }
          rightSectionPointerEvents={clearable && value !== null ? 'auto' : 'none'}
          onClick={() => {
            if (!isFixed) combobox.openDropdown()
          }}
          onFocus={() => {
            make()
            field.onFocus?.()
          }}
          onBlur={() => {
            combobox.closeDropdown()
            field.onBlur?.()
          }}
          onChange={(event) => {
            firstMatch.forget()
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onKeyDown={firstMatch.onKeyDown}
        />
      </Combobox.EventsTarget>
      {(made || isOpen) && (
        <>
          <Popover.Target>
            <FieldAnchor of={input} />
          </Popover.Target>
          <RemoteOptions
            rows={rows}
            value={value}
            labelOf={labelOf}
            optionDisabled={optionDisabled}
            typed={typed}
            create={mayCreate ? { value: CREATE, text: `Create "${wanted}"` } : null}
          />
        </>
      )}
    </Combobox>
  )
}

type EndProps = { isLoading: boolean; clear: string | null; onClear: () => void }

/** The sign at the end of the field: rows are on their way, the choice can be cleared, or a list opens. */
function EndOfField({ isLoading, clear, onClear }: EndProps) {
  if (isLoading) return <Loader size={14} />
  return clear ? <CloseButton size={24} aria-label={clear} onClick={onClear} /> : <Combobox.Chevron />
}
