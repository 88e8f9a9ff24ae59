import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { TextField } from '../../ui/text-field.tsx'

type Props = { onCodes: (codes: string[]) => void; disabled: boolean }

const isField = (element: Element | null) =>
  element instanceof HTMLElement && (element.isContentEditable || element.matches('input, textarea, select'))
const isDialogOpen = () => document.querySelector('[role=dialog]') !== null

/**
 * The field that a scanner types into. Enter or Tab ends a code. Whatever is typed on this screen goes into it, and after
 * a click elsewhere it has the focus again; what the keyboard has reached keeps the focus until something is typed.
 */
export function ScanField({ onCodes, disabled }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (disabled) return
    field.current?.focus({ preventScroll: true })
    const onKey = ({ key, ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent) => {
      // A space presses the button that has the focus.
      if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return
      if (!isField(document.activeElement) && !isDialogOpen()) field.current?.focus({ preventScroll: true })
    }
    const onClick = ({ detail, pointerType }: globalThis.PointerEvent | (MouseEvent & { pointerType?: string })) => {
      // A touch would bring up the keyboard of a phone.
      if (detail === 0 || pointerType === 'touch' || isDialogOpen()) return
      if (isField(document.activeElement) || document.getSelection()?.toString()) return
      field.current?.focus({ preventScroll: true })
    }
    const onPaste = (event: globalThis.ClipboardEvent) => {
      if (isField(document.activeElement) || isDialogOpen()) return
      field.current?.focus({ preventScroll: true })
      onCodes(linesIn(event.clipboardData))
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
    // With nothing typed Tab goes on, as everywhere.
    if (code.trim() === '') return
    event.preventDefault()
    // At once: the next code may be typed before this screen is drawn again.
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
