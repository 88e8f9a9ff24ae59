import { useRouterState } from '@tanstack/react-router'

type Given = { returnLines?: readonly string[] }

/** The state of a navigation that takes lines to a new return. */
export const givenLines = (returnLines: readonly string[]): never => ({ returnLines }) satisfies Given as never

/** The lines that the screen before has handed over, one below the other. */
export function useGivenLines(): string {
  const lines = useRouterState({ select: ({ location }) => (location.state as Given).returnLines })
  return Array.isArray(lines) ? lines.join('\n') : ''
}
