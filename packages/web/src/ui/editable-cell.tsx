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
  /** Called with the new price in hundredths; where it fails, the old price is shown again. */
  onSave: (value: Hundredths) => Promise<unknown>
  disabled?: boolean
}

/** A price in a table: double-click (or Enter) to edit, Enter saves, Escape cancels. */
export function EditableMoney({ label, value, onSave, disabled = false }: Props) {
  const [text, setText] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  const edit = () => setText(value === null ? '' : toCurrencyUnits(value))
  const close = () => {
    setText(null)
    requestAnimationFrame(() => target.current?.focus())
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
      onBlur={() => {
        if (!saving) setText(null)
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
