import { type PastedAddress, pastedAddress } from '@backstock/contract/pasted-address.ts'
import type { ClipboardEvent } from 'react'

/** Splits a pasted address of several lines over its fields. Other text goes into the field as usual. */
export const onAddressPaste = (fill: (parts: PastedAddress) => void) => (event: ClipboardEvent) => {
  const parts = pastedAddress(event.clipboardData.getData('text'))
  if (!parts) return
  event.preventDefault()
  fill(parts)
}

/** The pasted parts for a form, without a country if none was pasted. */
export const pastedParts = ({ country_code, ...parts }: PastedAddress) => ({
  ...parts,
  ...(country_code && { country_code }),
})
