import { Input } from '@mantine/core'
import { type ComponentPropsWithRef, type CSSProperties, type MouseEvent, type ReactNode, useId } from 'react'

export type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'size'> & {
  label?: ReactNode
  description?: ReactNode
  /** Marks the field as wrong. Text is also shown below the field. */
  error?: ReactNode
  withAsterisk?: boolean
  size?: 'xs' | 'sm'
  pointer?: boolean
  rightSection?: ReactNode
  rightSectionWidth?: number
  rightSectionPointerEvents?: CSSProperties['pointerEvents']
  inputStyle?: CSSProperties
}

const named = (part: string, name: string) => `${Input.classes[part]} ${name}`
const ROOT = named('root', 'mantine-InputWrapper-root')
const LABEL = named('label', 'mantine-InputWrapper-label')
const REQUIRED = named('required', 'mantine-InputWrapper-required')
const WRAPPER = named('wrapper', 'mantine-Input-wrapper')
const INPUT = named('input', 'mantine-Input-input')
const SECTION = named('section', 'mantine-Input-section')
const DESCRIPTION = named('description', 'mantine-InputWrapper-description')
const ERROR = named('error', 'mantine-InputWrapper-error')

/** A double click on a label must not select its words. */
const keepSelection = (event: MouseEvent) => {
  if (event.detail > 1) event.preventDefault()
}

/**
 * Mantine's TextInput in plain elements with Mantine's classes, for screens with many fields: a form has a dozen, a
 * sale has one for each line. `className` and `style` belong to the whole field with its label.
 */
export function TextField({
  label,
  description,
  error,
  withAsterisk,
  size = 'sm',
  pointer,
  rightSection,
  rightSectionWidth,
  rightSectionPointerEvents,
  inputStyle,
  className = '',
  style,
  ...input
}: TextFieldProps) {
  const id = useId()
  const inputId = input.id ?? id
  const hasMessage = Boolean(error) && typeof error !== 'boolean'
  const ids = [hasMessage && `${inputId}-error`, description && `${inputId}-description`].filter(Boolean).join(' ')
  const isWrong = error ? true : undefined
  const small = `calc(var(--mantine-font-size-${size}) - calc(0.125rem * var(--mantine-scale)))`
  return (
    <div className={`${ROOT} ${className}`} data-size={size} data-error={isWrong} style={style}>
      {label && (
        <label
          className={LABEL}
          data-size={size}
          data-required={withAsterisk || undefined}
          id={`${inputId}-label`}
          htmlFor={inputId}
          style={{ '--input-label-size': `var(--mantine-font-size-${size})` } as CSSProperties}
          onMouseDown={keepSelection}
        >
          {label}
          {withAsterisk && (
            <span className={REQUIRED} aria-hidden>
              {' *'}
            </span>
          )}
        </label>
      )}
      <div
        className={WRAPPER}
        data-variant="default"
        data-size={size}
        data-error={isWrong}
        data-pointer={pointer || undefined}
        data-disabled={input.disabled || undefined}
        data-with-right-section={rightSection ? true : undefined}
        style={
          {
            '--input-height': `var(--input-height-${size})`,
            '--input-fz': `var(--mantine-font-size-${size})`,
            '--input-margin-bottom': hasMessage || description ? 'calc(var(--mantine-spacing-xs) / 2)' : undefined,
            '--input-right-section-width': rightSectionWidth && `${rightSectionWidth / 16}rem`,
            '--input-right-section-pointer-events': rightSectionPointerEvents,
          } as CSSProperties
        }
      >
        <input
          {...input}
          className={INPUT}
          data-variant="default"
          data-error={isWrong}
          data-disabled={input.disabled || undefined}
          id={inputId}
          aria-invalid={isWrong}
          aria-describedby={ids || undefined}
          style={inputStyle}
        />
        {rightSection && (
          <div className={SECTION} data-position="right">
            {rightSection}
          </div>
        )}
      </div>
      {description && (
        <p
          className={DESCRIPTION}
          data-size={size}
          id={`${inputId}-description`}
          style={{ '--input-description-size': small } as CSSProperties}
        >
          {description}
        </p>
      )}
      {hasMessage && (
        <p
          className={ERROR}
          data-size={size}
          id={`${inputId}-error`}
          style={{ '--input-error-size': small } as CSSProperties}
        >
          {error}
        </p>
      )}
    </div>
  )
}
