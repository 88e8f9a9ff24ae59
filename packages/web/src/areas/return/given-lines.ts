import { useRouterState } from '@tanstack/react-router'

type Given = { returnLines?: readonly string[] }

/** What a screen hands over to a new return: the state of the navigation that leads there. */
export const givenLines = (returnLines: readonly string[]): never => ({ returnLines }) satisfies Given as never

/** The lines that the screen before has handed over, one below the other. */
export function useGivenLines(): string {
  const lines = useRouterState({ select: ({ location }) => (location.state as Given).returnLines })
  return Array.isArray(lines) ? lines.join('\n') : ''
}
