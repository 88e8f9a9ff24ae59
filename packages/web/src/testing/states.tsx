import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { drawn, type Scene } from './drawn.tsx'
import { changes, outline } from './outline.ts'

export type State = Scene & { part: ReactNode }

/**
 * Draws a part of a screen in several states, and compares each with the stored outline: the first wholly, of the others
 * what differs from the first.
 */
export function testStates(name: string, usual: State, others: Record<string, State>): void {
  const of = async ({ part, ...scene }: State) => outline(await drawn(part, scene))
  let known: Promise<string[]> | undefined
  const first = () => (known ??= of(usual))
  test(`${name}: as usual`, async () => {
    expect((await first()).join('\n')).toMatchSnapshot()
  })
  for (const [state, other] of Object.entries(others))
    test(`${name}: ${state}`, async () => {
      expect(changes(await first(), await of(other)).join('\n')).toMatchSnapshot()
    })
}
