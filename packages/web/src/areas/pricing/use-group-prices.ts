import type { Hundredths } from '@backstock/contract/money.ts'
import { useCallback, useState } from 'react'
import { filled, type Item, type PriceOf, pasted, type Rule, rowsOf } from './price-rows.ts'

const NOTHING: { wrong: string | null; left: string | null } = { wrong: null, left: null }

/**
 * The groups of these items with their new prices, all pages of them. `said` has the messages about the column that was
 * pasted last. `isTouched` is true once the person has changed a price.
 */
export function useGroupPrices(items: readonly Item[], priceOf: PriceOf) {
  const [{ groups, said }, setGroups] = useState(() => ({ groups: rowsOf(items, priceOf), said: NOTHING }))
  const [isTouched, setTouched] = useState(false)
  const type = useCallback((id: number, price: Hundredths | null, wrong: string | null) => {
    setTouched(true)
    setGroups((now) => ({
      groups: now.groups.map((row) => (row.id === id ? { ...row, price, wrong } : row)),
      said: now.said,
    }))
  }, [])
  const paste = useCallback((id: number, text: string) => {
    setTouched(true)
    setGroups((now) => {
      const { rows, ...said } = pasted(now.groups, id, text)
      return { groups: rows, said }
    })
  }, [])
  const fill = (rule: Rule) => {
    setTouched(true)
    setGroups((now) => ({ groups: filled(now.groups, rule), said: NOTHING }))
  }
  const forgetSaid = () => setGroups((now) => ({ ...now, said: NOTHING }))
  return { groups, said, isTouched, type, paste, fill, forgetSaid }
}
