import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { TextField } from '../../ui/fields/text-field.tsx'
import { isModalOpen, TAKES_TEXT } from '../../ui/layout/takes-keys.ts'

type Props = { onCodes: (codes: string[]) => void; disabled: boolean }

const takesText = () => document.activeElement?.matches(TAKES_TEXT)
/**
 * Elements that a click has opened. They keep the focus until somebody types: without the focus they would close, or
 * Escape would not reach them.
 */
const HAS_OPENED = 'select, [role=dialog], [role=menu], [role=listbox]'

/**
 * The field that a scanner types into. Enter or Tab ends a code. The field takes all keys on this screen, unless
 * another text field has the focus or a dialog is open. After a click elsewhere the field takes the focus back. If
 * somebody moved the focus with the keyboard, the field takes it back only when they type.
 */
export function ScanField({ onCodes, disabled }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (disabled) return
    field.current?.focus({ preventScroll: true })
    const onKey = ({ key, ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent) => {
      // A space presses the button that has the focus.
      if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return
      if (!takesText() && !isModalOpen()) field.current?.focus({ preventScroll: true })
    }
    const onClick = ({ detail, pointerType }: globalThis.PointerEvent | (MouseEvent & { pointerType?: string })) => {
      // After a touch the focus would bring up a phone's keyboard. A click without `detail` came from the keyboard.
      if (detail === 0 || pointerType === 'touch' || isModalOpen()) return
      if (takesText() || document.activeElement?.closest(HAS_OPENED) || document.getSelection()?.toString()) return
      field.current?.focus({ preventScroll: true })
    }
    const onPaste = (event: globalThis.ClipboardEvent) => {
      if (takesText() || isModalOpen()) return
      const lines = linesIn(event.clipboardData)
      if (lines.length === 0) return
      // Otherwise the text would also be pasted into the field, which gets the focus now.
      event.preventDefault()
      field.current?.focus({ preventScroll: true })
      onCodes(lines)
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('click', onClick)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('click', onClick)
      document.removeEventListener('paste', onPaste)
    }
  }, [disabled, onCodes])

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if ((key !== 'Enter' && key !== 'Tab') || shiftKey || ctrlKey || metaKey || altKey) return
    const input = event.currentTarget
    const code = input.value
    // If nothing was typed, Tab moves the focus as usual.
    if (code.trim() === '') return
    event.preventDefault()
    // The field is emptied at once, because the next code may arrive before React draws the screen again.
    input.value = ''
    input.scrollIntoView({ block: 'nearest' })
    onCodes([code])
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const lines = linesIn(event.clipboardData)
    if (lines.length < 2) return
    event.preventDefault()
    onCodes(lines)
  }
  return (
    <TextField
      ref={field}
      label="Scan"
      description="IMEI, serial number, Backstock ID or #number. Enter or Tab ends it; many lines can be pasted."
      disabled={disabled}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      enterKeyHint="done"
      inputStyle={{ fontFamily: 'var(--mantine-font-family-monospace)', scrollMarginTop: 100 }}
      onKeyDown={onKeyDown}
      onPaste={paste}
    />
  )
}

const linesIn = (data: DataTransfer | null) =>
  (data?.getData('text') ?? '').split(/\r?\n|\r|\t/).filter((line) => line.trim() !== '')
