import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

type Given = { returnLines?: readonly string[] }

/** The state of a navigation that hands pasted lines to a new return. */
export const givenLines = (returnLines: readonly string[]): never => ({ returnLines }) satisfies Given as never

/**
 * The lines that the last screen has handed over. They are handed over once: if the person comes back or reloads, the
 * list is empty.
 */
export function useGivenLines(): readonly string[] {
  const given = useRouterState({ select: ({ location }) => (location.state as Given).returnLines })
  const [lines] = useState<readonly string[]>(() => (Array.isArray(given) ? given : []))
  const isInState = given !== undefined
  const navigate = useNavigate()
  useEffect(() => {
    if (isInState) void navigate({ to: '/admin/return/create', replace: true, state: {}, resetScroll: false })
  }, [isInState, navigate])
  return lines
}
