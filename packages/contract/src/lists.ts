/** The only element of a list, such as the row of a query that counts. Throws if there is none, or more than one. */
export function single<One>(list: readonly One[]): One {
  const [one, ...more] = list
  if (one === undefined || more.length > 0) throw new Error(`One element was expected, there are ${list.length}.`)
  return one
}

/** The element at an index. Throws if the list is too short. */
export function at<One>(list: readonly One[], index: number): One {
  const one = list[index]
  if (one === undefined) throw new Error(`There is no element ${index} among ${list.length}.`)
  return one
}

/** The first element of a list. Throws if the list is empty. */
export const first = <One>(list: readonly One[]): One => at(list, 0)

/** The value of a key in a map. Throws with the key if the map does not have it. */
export function getFrom<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key)
  if (value === undefined) throw new Error(`There is nothing for ${String(key)}.`)
  return value
}

/** Two lists as pairs, in the same order. Throws if their lengths differ. */
export function zip<Left, Right>(left: readonly Left[], right: readonly Right[]): [Left, Right][] {
  if (left.length !== right.length) throw new Error(`${left.length} and ${right.length} elements make no pairs.`)
  return left.map((one, index) => [one, right[index] as Right])
}
