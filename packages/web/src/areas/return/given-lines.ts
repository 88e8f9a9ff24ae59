import { useRouterState } from '@tanstack/react-router'

type Given = { returnLines?: readonly string[] }

/** The state of a navigation that hands pasted lines to a new return. */
export const givenLines = (returnLines: readonly string[]): never => ({ returnLines }) satisfies Given as never

/** The lines that the last screen has handed over, as one text. */
export function useGivenLines(): string {
  const lines = useRouterState({ select: ({ location }) => (location.state as Given).returnLines })
  return Array.isArray(lines) ? lines.join('\n') : ''
}
