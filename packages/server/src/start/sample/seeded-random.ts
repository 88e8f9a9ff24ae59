import { at } from '../../lists.ts'
export type Random = {
  /** A random whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number
  /** True in `percent` percent of all calls. */
  chance(percent: number): boolean
  pick<Value>(list: readonly Value[]): Value
  /** `n` different elements of a list, in the order of the list. */
  some<Value>(list: readonly Value[], n: number): Value[]
}

/** Random numbers that are the same on every machine and at every start (the generator mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    whole,
    chance: (percent) => next() * 100 < percent,
    pick: (list) => at(list, whole(0, list.length - 1)),
    some(list, n) {
      let wanted = Math.min(n, list.length)
      return list.filter((_, index) => {
        const taken = next() * (list.length - index) < wanted
        if (taken) wanted--
        return taken
      })
    },
  }
}
