import {
  CURRENCY,
  formatMoney,
  type Hundredths,
  parseCurrencyUnits,
  toCurrencyUnits,
} from '@backstock/contract/money.ts'
import { TextInput, UnstyledButton } from '@mantine/core'
import { useRef, useState } from 'react'
import { Money } from './money.tsx'

type Props = {
  label: string
  value: Hundredths | null
  /** Called with the new price in hundredths; where it fails, the field stays open with what was typed. */
  onSave: (value: Hundredths) => Promise<unknown>
  disabled?: boolean
}

/** A price in a table: double-click (or Enter) to edit, Enter or leaving the field saves, Escape cancels. */
export function EditableMoney({ label, value, onSave, disabled = false }: Props) {
  const [text, setText] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const edit = () => setText(value === null ? '' : toCurrencyUnits(value))
  const close = () => {
    // Whoever has gone on to something else stays there.
    const isHere = document.activeElement === input.current
    setText(null)
    if (isHere) requestAnimationFrame(() => target.current?.focus())
  }

  if (disabled) return <Money amount={value} />
  if (text === null)
    return (
      <UnstyledButton
        ref={target}
        fz="inherit"
        title="Double-click to edit"
        aria-label={`${label}: ${value === null ? '-' : `${formatMoney(value)} ${CURRENCY}`}. Press Enter to edit`}
        onDoubleClick={edit}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'F2') return
          event.preventDefault()
          edit()
        }}
      >
        <Money amount={value} />
      </UnstyledButton>
    )

  const price = parseCurrencyUnits(text)
  const save = async () => {
    if (price === null || saving) return
    setSaving(true)
    try {
      if (price !== value) await onSave(price)
      close()
    } catch {
      // The call has shown its toast; the field stays open with what was typed.
    } finally {
      setSaving(false)
    }
  }
  return (
    <TextInput
      ref={input}
      size="xs"
      w={110}
      ml="auto"
      autoFocus
      inputMode="decimal"
      aria-label={label}
      value={text}
      error={price === null}
      // Not disabled: that would take the focus away.
      readOnly={saving}
      styles={{ input: { textAlign: 'right' } }}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={(event) => {
        // Another window in front: nobody has left the field.
        if (document.activeElement === event.currentTarget) return
        if (price === null || price === value) setText(null)
        else void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
        if (event.key !== 'Enter') return
        event.preventDefault()
        void save()
      }}
    />
  )
}
