import { compactIdentifier, imeiProblem, PHONES_LOOKED_AT, tacOf } from '@backstock/contract/imei.ts'
import type { ProposedProduct } from '@backstock/contract/proposed-product.ts'
import { UnstyledButton } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../../api/client.ts'
import classes from './proposed-product.module.css'

/**
 * The most frequent product among the shop's items with this TAC; null if there are none. The TAC is the first 8 digits
 * of an IMEI, which all devices of a model share.
 */
const proposal = (tac: string) =>
  queryOptions({
    queryKey: ['stock', 'proposed-product', tac],
    queryFn: async ({ signal }) => {
      type Answer = { data: ProposedProduct | null }
      return (await api.get<Answer>('stock/proposed-product', { query: { imei: tac }, silent: true, signal })).data
    },
  })

/** The TAC in a typed text; undefined if the text is no IMEI. */
export function typedTac(typed: string): string | undefined {
  const imei = compactIdentifier(typed)
  return imei === '' || imeiProblem(imei) !== null ? undefined : tacOf(imei)
}

function saidOf({ times, phones, display_name }: ProposedProduct): string {
  const newest = phones === PHONES_LOOKED_AT ? 'the newest ' : ''
  const were =
    phones === 1
      ? 'The one phone with this TAC was'
      : `${times} of ${newest}${phones} phones with this TAC ${times === 1 ? 'was' : 'were'}`
  return `${were} ${display_name}`
}

type Props = { typed: string; chosen: number | null; isAsked: boolean; onUse: (id: number) => void }

/**
 * The line below the product field. It offers the shop's most frequent product for the IMEI in `typed`; a click or
 * Enter takes it. If `isAsked` is true, it gets the focus: after Enter in the IMEI field, as scanners send it.
 */
export function ProposedProductLine({ typed, chosen, isAsked, onUse }: Props) {
  const tac = typedTac(typed)
  const { data } = useQuery({ ...proposal(tac ?? ''), enabled: tac !== undefined })
  const button = useRef<HTMLButtonElement>(null)
  const proposed = tac !== undefined && data && data.product_id !== chosen ? data : undefined
  useEffect(() => {
    if (isAsked && proposed) button.current?.focus()
  }, [isAsked, proposed])
  return (
    <div aria-live="polite">
      {proposed && (
        <UnstyledButton ref={button} className={classes['proposed'] ?? ''} onClick={() => onUse(proposed.product_id)}>
          {saidOf(proposed)}: <b>use it</b>
        </UnstyledButton>
      )}
    </div>
  )
}
