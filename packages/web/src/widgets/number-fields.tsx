import { useEffect, useState } from 'react'
import { onceLeft } from '../ui/fields/once-left.ts'
import { TextField, type TextFieldProps } from '../ui/fields/text-field.tsx'
import classes from './number-fields.module.css'

type Check = (number: string) => string | null
/**
 * The rules for the VAT numbers of all states and for IBANs are large, so they are loaded once the field holds a
 * number.
 */
type Rules = { of: (country: string | null) => Check }
const vatRules = async (): Promise<Rules> => {
  const { vatNumberProblem } = await import('@backstock/contract/vat-number-check.ts')
  return { of: (country) => (number) => vatNumberProblem(number, country) }
}
const ibanRules = async (): Promise<Rules> => {
  const { ibanProblem } = await import('@backstock/contract/iban-check.ts')
  return { of: () => (iban) => ibanProblem(iban) }
}

type Props = Omit<TextFieldProps, 'value'> & { value?: string }
type CheckedProps = Props & { load: () => Promise<Rules>; country?: string | null }

/**
 * A field for a number. When the focus leaves it, it shows what is wrong with the number. A form can save a wrong
 * number all the same.
 */
function CheckedNumber({ load, country = null, description, onFocus, onBlur, ...field }: CheckedProps) {
  const [rules, setRules] = useState<Rules>()
  const [typing, setTyping] = useState(false)
  const number = field.value ?? ''
  const isThere = number.trim() !== ''
  useEffect(() => {
    // If the rules cannot be loaded, the field shows no message, and the server checks the number on saving.
    if (isThere) load().then(setRules, () => {})
  }, [isThere, load])
  const problem = typing ? null : rules?.of(country)(number)
  return (
    <TextField
      {...field}
      autoComplete="off"
      onFocus={(event) => {
        setTyping(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        onceLeft(event.currentTarget, () => setTyping(false))
        onBlur?.(event)
      }}
      description={problem ? <span className={classes['doubt']}>{problem}</span> : description}
    />
  )
}

/** `country` is the country of the number's holder. */
export function VatNumberField(props: Props & { country: string | null }) {
  return <CheckedNumber label="VAT number" {...props} load={vatRules} />
}

export function IbanField(props: Props) {
  return <CheckedNumber label="IBAN" {...props} load={ibanRules} />
}
