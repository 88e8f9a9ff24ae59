import { type ParsedLocation, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

export const pathOf = ({ pathname }: ParsedLocation) => pathname
/** A key that differs for each visit, also for a second visit to the same address. */
export const visitOf = ({ state }: ParsedLocation) => state.__TSR_key

type Props = { by: (location: ParsedLocation) => string | undefined; run: () => void }

/** Calls `run` whenever the value of `by` changes. The parent is not drawn again. */
export function OnVisit({ by, run }: Props) {
  const visit = useRouterState({ select: ({ location }) => by(location) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs at each visit
  useEffect(() => run(), [visit])
  return null
}
