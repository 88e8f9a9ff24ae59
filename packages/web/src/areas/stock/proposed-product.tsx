import { compactIdentifier, imeiProblem, PHONES_LOOKED_AT, tacOf } from '@backstock/contract/imei.ts'
import type { ProposedProduct } from '@backstock/contract/proposed-product.ts'
import { UnstyledButton } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../../api/client.ts'
import classes from './proposed-product.module.css'

/** The product that the shop has had most under this TAC; null if it has had none. */
const proposal = (tac: string) =>
  queryOptions({
    queryKey: ['stock', 'proposed-product', tac],
    queryFn: async ({ signal }) => {
      type Answer = { data: ProposedProduct | null }
      return (await api.get<Answer>('stock/proposed-product', { query: { imei: tac }, silent: true, signal })).data
    },
  })

/** The TAC of the typed text; undefined as long as that is no IMEI. */
export function typedTac(typed: string): string | undefined {
  const imei = compactIdentifier(typed)
  return imei === '' || imeiProblem(imei) !== null ? undefined : tacOf(imei)
}

function saidOf({ times, phones, display_name }: ProposedProduct): string {
  const newest = phones === PHONES_LOOKED_AT ? 'newest ' : ''
  const were =
    phones === 1
      ? 'The one phone with this TAC was'
      : `${times} of ${newest}${phones} phones with this TAC ${times === 1 ? 'was' : 'were'}`
  return `${were} ${display_name}`
}

type Props = { typed: string; chosen: number | null; isAsked: boolean; onUse: (id: number) => void }

/**
 * Under the product field: the shop's most frequent product for the TAC of the `typed` IMEI. A click or Enter takes
 * it. It gets the focus if Enter in the IMEI, which a scanner sends, has `isAsked` for it.
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
