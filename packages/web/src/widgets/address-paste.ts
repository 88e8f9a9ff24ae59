import { type PastedAddress, pastedAddress } from '@backstock/contract/pasted-address.ts'
import type { ClipboardEvent } from 'react'

/** Splits a pasted address of several lines over the fields. Other pasted text goes into the field as usual. */
export const onAddressPaste = (fill: (parts: PastedAddress) => void) => (event: ClipboardEvent) => {
  const parts = pastedAddress(event.clipboardData.getData('text'))
  if (!parts) return
  event.preventDefault()
  fill(parts)
}

/** The pasted parts as values of a form. The country is left out if none was pasted, so that the form keeps its own. */
export const pastedParts = ({ country_code, ...parts }: PastedAddress) => ({
  ...parts,
  ...(country_code && { country_code }),
})
