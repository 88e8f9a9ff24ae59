import { at } from '@backstock/contract/lists.ts'
import { useRef } from 'react'
import { drawn } from './drawn.tsx'

/** Calls a hook, lets each step change its state in turn, and returns what the hook returns after all of them. */
export async function hookAfter<Value>(useValue: () => Value, ...steps: ((now: Value) => void)[]): Promise<Value> {
  const values: Value[] = []
  function Part() {
    const done = useRef(0)
    const now = useValue()
    values.push(now)
    // React draws a part again if its state changes while it is being drawn.
    steps[done.current++]?.(now)
    return null
  }
  await drawn(<Part />)
  return at(values, values.length - 1)
}
