/** Whether a device works, according to the tests that somebody made. */
export const FUNCTIONAL = ['working', 'minor faults', 'faulty', 'untested'] as const
export type Functional = (typeof FUNCTIONAL)[number]

/** The same states in the words of the screens. */
export const FUNCTIONAL_NAMES: Readonly<Record<Functional, string>> = {
  working: 'Working',
  'minor faults': 'Minor faults',
  faulty: 'Faulty',
  untested: 'Untested',
}
