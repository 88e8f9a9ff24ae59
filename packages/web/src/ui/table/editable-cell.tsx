import {
  CURRENCY,
  formatMoney,
  type Hundredths,
  parseCurrencyUnits,
  toCurrencyUnits,
} from '@backstock/contract/money.ts'
import { TextInput, UnstyledButton } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { whyNoPrice } from '../fields/why-no-price.ts'
import { Money } from '../values/money.tsx'
import columnClasses from './columns.module.css'
import classes from './editable-cell.module.css'

type Props = {
  /** The field's name; it contains the record's number, which tells rows apart. */
  label: string
  value: Hundredths | null
  /** Called with the new price in hundredths. If it fails, the field stays open with the typed text. */
  onSave: (value: Hundredths) => Promise<unknown>
  disabled?: boolean
  currency?: string
}

/** The next editable cell below whose label is the same but for the record's number. */
function nextBelow(cell: HTMLElement): HTMLElement | undefined {
  const all = cell.closest('table')?.querySelectorAll<HTMLElement>(`[data-editable="${cell.dataset['editable']}"]`)
  const cells = [...(all ?? [])]
  return cells[cells.indexOf(cell) + 1]
}

/**
 * A price in a table, edited in its cell: double-click (or Enter, or F2) to edit. Enter saves and goes on to the row
 * below; Escape cancels. Leaving the field saves a price; text that is none stays in sight.
 */
export function EditableMoney({ label, value, onSave, disabled = false, currency = CURRENCY }: Props) {
  const [text, setText] = useState<string | null>(null)
  const [wrong, setWrong] = useState(false)
  const [saving, setSaving] = useState(false)
  /** The price that is being saved: before `saving` is drawn, leaving the field would save it a second time. */
  const sent = useRef<Hundredths | null>(null)
  const target = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const edit = () => {
    setWrong(false)
    setText(value === null ? '' : toCurrencyUnits(value))
  }
  const isOpen = text !== null
  /** Whether the closed field had the focus, which is then lost. */
  const passesOn = useRef(false)
  const close = () => {
    passesOn.current = document.activeElement === input.current
    setText(null)
  }
  useLayoutEffect(() => {
    // The focus stays if the person moved it to another element.
    if (!isOpen && passesOn.current && document.activeElement === document.body) target.current?.focus()
    if (!isOpen) passesOn.current = false
  }, [isOpen])

  if (disabled) return <Money amount={value} currency={currency} />
  const price = isOpen ? parseCurrencyUnits(text) : null
  const isSame = text?.trim() ? price !== null && price === value : value === null

  const save = async () => {
    if (price === null || sent.current !== null) return
    sent.current = price
    setSaving(true)
    try {
      await onSave(price)
      close()
    } catch {
      // The call has shown its toast; the field stays open with the typed text.
      setWrong(true)
    } finally {
      sent.current = null
      setSaving(false)
    }
  }
  const saveAndGoDown = () => {
    if (price === null && !isSame) return setWrong(true)
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
          if (event.key !== 'Enter' && event.key !== 'F2') return
          event.preventDefault()
          edit()
        }}
      >
        <Money amount={value} currency={currency} />
      </UnstyledButton>
      {isOpen && (
        <TextInput
          ref={input}
          size="xs"
          className={classes['editor'] ?? ''}
          autoFocus
          autoComplete="off"
          inputMode="decimal"
          aria-label={label}
          value={text}
          error={text.trim() !== '' && price === null ? whyNoPrice(text) : wrong}
          // Not disabled: that would take the focus away.
          readOnly={saving}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setWrong(false)
            setText(event.currentTarget.value)
          }}
          onBlur={(event) => {
            // Another window in front: nobody has left the field.
            if (document.activeElement === event.currentTarget) return
            if (price !== null && !isSame) void save()
            else if (price === null && text.trim() !== '') setWrong(true)
            else setText(null)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') close()
            if (event.key !== 'Enter') return
            event.preventDefault()
            saveAndGoDown()
          }}
        />
      )}
    </>
  )
}
