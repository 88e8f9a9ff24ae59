import { type ParsedLocation, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

export const pathOf = ({ pathname }: ParsedLocation) => pathname
/** A new key for each visit, also for another visit to the same place. */
export const visitOf = ({ state }: ParsedLocation) => state.__TSR_key

type Props = { by: (location: ParsedLocation) => string | undefined; run: () => void }

/** Runs `run` at each visit to another place, without drawing its parent anew. */
export function OnVisit({ by, run }: Props) {
  const visit = useRouterState({ select: ({ location }) => by(location) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the visit is what it runs for
  useEffect(() => run(), [visit])
  return null
}
