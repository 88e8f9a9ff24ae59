import {
  CURRENCY,
  formatMoney,
  type Hundredths,
  parseCurrencyUnits,
  toCurrencyUnits,
} from '@backstock/contract/money.ts'
import { whyNoPrice } from '@backstock/contract/why-no-price.ts'
import { UnstyledButton } from '@mantine/core'
import { type Ref, useLayoutEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../api/error.ts'
import { TextField } from '../fields/text-field.tsx'
import { Money } from '../values/money.tsx'
import columnClasses from './columns.module.css'
import classes from './editable-cell.module.css'

/** The text of a price field that could not be saved, and the message; true if the text itself is no price. */
export type WrongPrice = { text: string; wrong: string | boolean }

type Props = {
  /** The field's name. It contains the record's number, so that each row's field has another name. */
  label: string
  value: Hundredths | null
  /** Gets the new price in hundredths. If it rejects, the field stays open with the typed text. */
  onSave: (value: Hundredths) => Promise<unknown>
  disabled?: boolean
  currency?: string
  /** The field opens with this price, which could not be saved before the table turned its page. */
  wrongBefore?: WrongPrice | undefined
  /** Called with a price that could not be saved, and with null when the field has it no longer. */
  onWrong?: (price: WrongPrice | null) => void
}

/** The next editable cell below, in the same column of the table. */
function nextBelow(cell: HTMLElement): HTMLElement | undefined {
  const all = cell.closest('table')?.querySelectorAll<HTMLElement>(`[data-editable="${cell.dataset['editable']}"]`)
  const cells = [...(all ?? [])]
  return cells[cells.indexOf(cell) + 1]
}

/**
 * Whether a price field of a table is open with text that could not be saved. Then that field gets the focus. Call it
 * before something is done with the prices: the person would see another price than the one that counts.
 */
export function hasWrongPrice(): boolean {
  const field = document.querySelector<HTMLElement>('input[data-open-price][aria-invalid="true"]')
  field?.focus()
  return field !== null
}

/**
 * A price that people edit in its table cell. Double-click, Enter or F2 opens the field. Enter saves and goes on to the
 * row below; Escape cancels. Leaving the field saves too; if the text is no price, the field stays open.
 */
export function EditableMoney({
  label,
  value,
  onSave,
  disabled = false,
  currency = CURRENCY,
  wrongBefore,
  onWrong,
}: Props) {
  const shown = value === null ? '' : toCurrencyUnits(value)
  const [isBack, setBack] = useState(wrongBefore !== undefined)
  const [text, setText] = useState<string | null>(wrongBefore?.text ?? null)
  /** The text with which the field opened. While nobody changes it, nothing is saved, even if `value` changes meanwhile. */
  const [begun, setBegun] = useState(shown)
  /** True, or the message, if the price could not be saved. */
  const [wrong, setWrong] = useState<string | boolean>(wrongBefore?.wrong ?? false)
  const [saving, setSaving] = useState(false)
  /**
   * The price that is being saved. `saving` is not enough: until React has drawn it, leaving the field would save the
   * price a second time.
   */
  const sent = useRef<Hundredths | null>(null)
  const target = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const edit = () => {
    setBack(false)
    setWrong(false)
    setBegun(shown)
    setText(shown)
  }
  const isOpen = text !== null
  /** True if the field had the focus when it closed. The cell then takes the focus. */
  const passesOn = useRef(false)
  const close = () => {
    passesOn.current = document.activeElement === input.current
    setText(null)
    onWrong?.(null)
  }
  const fail = (text: string, reason: string | boolean) => {
    setWrong(reason)
    onWrong?.({ text, wrong: reason })
  }
  useLayoutEffect(() => {
    // If the person has moved the focus elsewhere, it stays there.
    if (!isOpen && passesOn.current && document.activeElement === document.body) target.current?.focus()
    if (!isOpen) passesOn.current = false
  }, [isOpen])

  if (disabled) return <Money amount={value} currency={currency} />
  const price = isOpen ? parseCurrencyUnits(text) : null
  const isSame = text === begun || (text?.trim() ? price !== null && price === value : value === null)

  const save = async () => {
    if (text === null || price === null || sent.current !== null) return
    sent.current = price
    setSaving(true)
    try {
      await onSave(price)
      close()
    } catch (error) {
      // The field stays open with the typed text. If a call has failed, it has shown a toast.
      fail(text, error instanceof ApiError || errorMessage(error))
    } finally {
      sent.current = null
      setSaving(false)
    }
  }
  const saveAndGoDown = () => {
    if (text !== null && price === null && !isSame) return fail(text, true)
    const next = target.current && nextBelow(target.current)
    if (isSame) close()
    else void save()
    next?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
  }
  return (
    <>
      <UnstyledButton
        ref={target}
        fz="inherit"
        className={`${columnClasses['whole']} ${isOpen ? classes['being'] : ''}`}
        data-editable={label.replaceAll(/\d+/g, '')}
        title="Double-click to edit"
        aria-label={`${label}: ${value === null ? '-' : `${formatMoney(value)} ${currency}`}. Press Enter to edit`}
        onDoubleClick={edit}
        onKeyDown={(event) => {
          // Ctrl+Enter belongs to the screen, wherever the focus is.
          if ((event.key !== 'Enter' && event.key !== 'F2') || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          edit()
        }}
      >
        <Money amount={value} currency={currency} />
      </UnstyledButton>
      {isOpen && (
        <PriceField
          ref={input}
          label={label}
          text={text}
          error={text.trim() !== '' && price === null ? whyNoPrice(text) : wrong}
          saving={saving}
          isFocused={!isBack}
          onText={(typed) => {
            setWrong(false)
            onWrong?.(null)
            setText(typed)
          }}
          onLeave={() => {
            if (price !== null && !isSame) void save()
            else if (price === null && text.trim() !== '') fail(text, true)
            else close()
          }}
          onCancel={close}
          onEnter={saveAndGoDown}
        />
      )}
    </>
  )
}

type FieldProps = {
  ref: Ref<HTMLInputElement>
  label: string
  text: string
  error: string | boolean
  saving: boolean
  /** Takes the focus when it opens. */
  isFocused: boolean
  onText: (text: string) => void
  onLeave: () => void
  onCancel: () => void
  onEnter: () => void
}

/** The open field of a cell. */
function PriceField({ ref, label, text, error, saving, isFocused, onText, onLeave, onCancel, onEnter }: FieldProps) {
  return (
    <TextField
      ref={ref}
      size="xs"
      className={classes['editor'] ?? ''}
      autoFocus={isFocused}
      autoComplete="off"
      inputMode="decimal"
      data-open-price
      aria-label={label}
      value={text}
      error={error}
      // Read-only and not disabled, because a disabled field loses the focus.
      readOnly={saving}
      aria-busy={saving || undefined}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onText(event.currentTarget.value)}
      onBlur={(event) => {
        // If the browser window lost the focus, the field still has it.
        if (document.activeElement !== event.currentTarget) onLeave()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
        if (event.key !== 'Enter') return
        event.preventDefault()
        onEnter()
      }}
    />
  )
}
