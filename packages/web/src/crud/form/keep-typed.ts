const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two values of a form are equal. */
export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * The values of a form after its record was read again. They are those of `fresh`, but a field whose typed value
 * differs from `before` keeps the typed value.
 */
export function keepTyped<Values>(before: Values, typed: Values, fresh: Values): Values {
  if (same(before, typed)) return fresh
  if (!isPlain(before) || !isPlain(typed) || !isPlain(fresh)) return typed
  const names = new Set([...Object.keys(fresh), ...Object.keys(typed)])
  return Object.fromEntries(
    [...names].map((name) => [name, keepTyped(before[name], typed[name], fresh[name])]),
  ) as Values
}
