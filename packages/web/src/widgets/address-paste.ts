import { type PastedAddress, pastedAddress } from '@backstock/contract/pasted-address.ts'
import type { ClipboardEvent } from 'react'

/** Of an address of several lines that is pasted each part goes to its field; any other text goes where it is pasted. */
export const onAddressPaste = (fill: (parts: PastedAddress) => void) => (event: ClipboardEvent) => {
  const parts = pastedAddress(event.clipboardData.getData('text'))
  if (!parts) return
  event.preventDefault()
  fill(parts)
}

/** What a form takes of it: without a country where none was pasted. */
export const pastedParts = ({ country_code, ...parts }: PastedAddress) => ({
  ...parts,
  ...(country_code && { country_code }),
})
